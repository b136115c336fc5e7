import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { placeOf } from '../../connections/http/network-error.ts';
import type { ModelProvider } from '../../vault/models.ts';
import { writtenAddress } from './address.ts';
import { modelLimits } from './limits.ts';
import { timeoutSignal } from '../../base/clock.ts';

interface Asked {
  readonly provider: ModelProvider;
  readonly address: URL;
  readonly fetch: typeof globalThis.fetch;
}

export async function offeredModels({ provider, address, fetch }: Asked): Promise<readonly string[]> {
  const response = await fetch(`${writtenAddress(address)}/models${QUERY[provider] ?? ''}`, {
    headers: { accept: 'application/json', ...HEADERS[provider] },
    signal: timeoutSignal(modelLimits.offeredMs),
  });
  const text = await response.text();
  if (!response.ok) throw refusal(response.status, address);
  const ids = idsIn(text);
  if (ids) return [...new Set(ids)].slice(0, modelLimits.offeredMax);
  throw new PlugError(
    'protocol_error',
    `${placeOf(address)} answered with something that is no list of models.`,
    {
      owner: 'server',
      remedy: 'Check the address: it usually ends in /v1.',
    },
  );
}

/** Anthropic answers nobody who does not say which version of its API they speak. */
const HEADERS: Partial<Record<ModelProvider, Readonly<Record<string, string>>>> = {
  anthropic: { 'anthropic-version': '2023-06-01' },
};

const QUERY: Partial<Record<ModelProvider, string>> = { anthropic: '?limit=1000', google: '?pageSize=1000' };

/** `data[].id` at OpenAI, Anthropic and whoever is compatible; `models[].name` at Google. */
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
    return new PlugError('sign_in_needed', `${place} does not accept the key (${status}).`, {
      owner: 'you',
      remedy: 'Check the key with the provider, then give it again.',
      details,
    });
  }
  if (status === 404) {
    return new PlugError('bad_config', `${place} has no list of models at ${address.pathname} (404).`, {
      owner: 'you',
      remedy: 'Check the address: it usually ends in /v1.',
      details,
    });
  }
  return new PlugError('unavailable', `${place} answered with ${status}.`, { owner: 'server', details });
}
