import type { Limits } from '../../base/limits.ts';
import type { FetchPort } from '../registry/registry.ts';
import { detectAuth, type ProbePort } from './auth.ts';
import type { InstallPlan } from './plan.ts';
import { timeoutSignal } from '../../base/clock.ts';

export async function probePlan(
  plan: InstallPlan,
  probe: ProbePort,
  options: { readonly signal?: AbortSignal } = {},
): Promise<InstallPlan> {
  const { target, auth, form } = plan;
  const settled = auth.kind === 'oauth' || auth.kind === 'key-file' || form.some((field) => field.required);
  if (target.kind !== 'remote' || target.query.length > 0 || settled) return plan;
  const literals = target.url.filter((part) => typeof part === 'string');
  if (literals.length < target.url.length) return plan;
  return { ...plan, auth: detectAuth(form, 'remote', await probe(literals.join(''), options)) };
}

/** The first message of every client, without credentials. */
export function httpProbe({
  fetch,
  limits,
}: {
  readonly fetch: FetchPort;
  readonly limits: Limits;
}): ProbePort {
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
      await answer.body?.cancel();
      if (answer.status === 401) return 'unauthorized';
      // An answer about the message itself means that no sign-in is needed.
      return answer.status < 300 || [400, 404, 405, 406, 415, 422].includes(answer.status)
        ? 'open'
        : 'unreachable';
    } catch {
      if (signal?.aborted) throw signal.reason;
      return 'unreachable';
    }
  };
}

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
