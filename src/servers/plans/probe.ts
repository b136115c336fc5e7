import type { Limits } from '../../base/limits.ts';
import type { FetchPort } from '../registry/registry.ts';
import { type Access, detectAuth, type AccessPort } from './auth.ts';
import type { InstallPlan } from './plan.ts';
import { timeoutSignal } from '../../base/clock.ts';
import { withNeeds } from './with-needs.ts';

/** Asks a remote server that declares nothing; one that wants a key gets a field for it. */
export async function probePlan(
  plan: InstallPlan,
  access: AccessPort,
  options: { readonly signal?: AbortSignal } = {},
): Promise<InstallPlan> {
  const { target, auth, form } = plan;
  const settled = auth.kind === 'oauth' || auth.kind === 'key-file' || form.some((field) => field.required);
  if (target.kind !== 'remote' || target.query.length > 0 || settled) return plan;
  const literals = target.url.filter((part) => typeof part === 'string');
  if (literals.length < target.url.length) return plan;
  const found = await access(literals.join(''), options);
  const keys = form.some(({ kind }) => kind === 'secret');
  if (found.kind === 'key' && !keys && target.headers.length === 0)
    return withNeeds(plan, [{ oneOf: [{ where: 'header', name: found.header }] }]);
  return { ...plan, auth: detectAuth(form, 'remote', found) };
}

/** A server that turned us away, and where it says that its metadata is. */
export interface Challenge {
  readonly url: string;
  readonly resourceMetadata?: string;
}

export interface HttpProbeOptions {
  readonly fetch: FetchPort;
  readonly limits: Limits;
  readonly offersSignIn: (challenge: Challenge) => Promise<boolean>;
}

/** The first message of every client, without credentials. */
export function httpProbe({ fetch, limits, offersSignIn }: HttpProbeOptions): AccessPort {
  return async (url, { signal }) => {
    const timeout = timeoutSignal(limits.healthTimeoutMs);
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: HELLO,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const { status } = answer;
      if (status === 401 || status === 403) return await refusal(answer, url, offersSignIn);
      await answer.body?.cancel();
      // An answer about the message itself means that no sign-in is needed.
      const isOpen = status < 300 || [400, 404, 405, 406, 415, 422].includes(status);
      return { kind: isOpen ? 'open' : 'unreachable' };
    } catch {
      if (signal?.aborted) throw signal.reason;
      return { kind: 'unreachable' };
    }
  };
}

async function refusal(
  answer: Response,
  url: string,
  offersSignIn: HttpProbeOptions['offersSignIn'],
): Promise<Access> {
  const challenge = answer.headers.get('www-authenticate') ?? '';
  const [, resourceMetadata] = /\bresource_metadata="?([^",\s]+)/i.exec(challenge) ?? [];
  const words = (await answer.text()).slice(0, WORDS_CHARS_MAX);
  if (await offersSignIn({ url, ...(resourceMetadata === undefined ? {} : { resourceMetadata }) }))
    return { kind: 'sign-in' };
  return { kind: 'key', header: headerIn(challenge) ?? headerIn(words) ?? 'Authorization' };
}

const WORDS_CHARS_MAX = 4_000;

/** `X-API-Key` and the like, where the server names one; `Authorization` is what is taken else. */
function headerIn(text: string): string | undefined {
  const [found] = HEADER.exec(text) ?? [];
  return found?.replaceAll(
    /(^|-)([a-z])/g,
    (_all, dash: string, letter: string) => dash + letter.toUpperCase(),
  );
}

const HEADER = /\b(?:x-[a-z0-9]+(?:-[a-z0-9]+)*-(?:key|token|secret)|x-(?:api-?key|token|auth)|api-key)\b/i;

const HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'plugboard', version: '0' },
  },
});
