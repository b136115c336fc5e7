import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { placeOf } from '../../connections/http/network-error.ts';
import type { ModelProvider } from '../../vault/models.ts';
import type { OpenModel } from '../hub.ts';
import { writtenAddress } from './address.ts';
import type { ModelFetchOptions } from './model-fetch.ts';
import { timeoutSignal } from '../../base/clock.ts';
import { modelLimits } from './providers.ts';

export async function offeredModels({
  provider,
  address,
  fetch,
}: Pick<ModelFetchOptions, 'provider' | 'address'> & Pick<OpenModel, 'fetch'>): Promise<readonly string[]> {
  const response = await fetch(`${writtenAddress(address)}/models${QUERY[provider] ?? ''}`, {
    headers: {
      accept: 'application/json',
      ...(provider === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}),
    },
    signal: timeoutSignal(modelLimits.offeredMs),
  });
  const text = await response.text();
  if (!response.ok) throw refusal(response.status, address);
  const ids = idsIn(text);
  if (ids) return [...new Set(ids)].slice(0, modelLimits.offeredMax);
  const why = `${placeOf(address)} answered with something that isn’t a list of models.`;
  throw new PlugError('protocol_error', why, { owner: 'server', remedy: CHECK_ADDRESS });
}

const CHECK_ADDRESS = 'Check the address: it usually ends in /v1.';

const QUERY: Partial<Record<ModelProvider, string>> = { anthropic: '?limit=1000', google: '?pageSize=1000' };

/** `data[].id` at OpenAI, Anthropic and compatible providers; `models[].name` at Google. */
function idsIn(text: string): readonly string[] | undefined {
  const answer = parsed(text);
  if (!isObject(answer)) return undefined;
  const list = Array.isArray(answer['data']) ? answer['data'] : answer['models'];
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((model: unknown) => {
    const id = isObject(model) ? (model['id'] ?? model['name']) : undefined;
    const usable = typeof id === 'string' && id !== '' && id.length <= modelLimits.modelCharsMax;
    return usable ? [id.replace(/^models\//, '')] : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // said by the caller, like everything that is no list
  }
}

function refusal(status: number, address: URL): PlugError {
  const place = placeOf(address);
  const details = { host: place, status };
  if (status === 401 || status === 403) {
    const remedy = 'Check the key with the provider, then give it again.';
    const why = `${place} does not accept the key (${status}).`;
    return new PlugError('sign_in_needed', why, { owner: 'you', remedy, details });
  }
  if (status === 404) {
    const why = `${place} has no list of models at ${address.pathname} (404).`;
    return new PlugError('bad_config', why, { owner: 'you', remedy: CHECK_ADDRESS, details });
  }
  return new PlugError('unavailable', `${place} answered with ${status}.`, { owner: 'server', details });
}
