import { accountChanged } from '../connections/failures.ts';
import type { Caller, Pool, PooledServer } from '../connections/pool.ts';
import type { Session } from '../connections/session.ts';
import type { ToolCall } from './tool-call.ts';

/** Callers of the default account share its connection. */
export function callerOf(call: ToolCall): Caller & Pick<ToolCall, 'signal'> {
  const { as, host, signal } = call;
  return as === undefined ? call : { host, signal, account: as.isDefault ? undefined : as.name };
}

/**
 * Runs on a session of the account that was decided on. If the default connection is another account's by
 * now, one is opened by name; if the person behind that name changed, nothing is sent.
 */
export function borrowSession<T>(
  pool: Pool,
  server: PooledServer,
  call: Pick<ToolCall, 'as' | 'host' | 'signal'>,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const { as, host, signal } = call;
  // Most servers have no accounts.
  if (as === undefined) return pool.use(server.key, run, call);
  const own = async (session: Session): Promise<Lent<T>> =>
    session.account === as.id ? { value: await run(session) } : undefined;
  const use = (account: string | undefined): Promise<Lent<T>> =>
    pool.use(server.key, own, { host, signal, account });
  return use(as.isDefault ? undefined : as.name)
    .then((lent) => lent ?? (as.isDefault ? use(as.name) : undefined))
    .then((lent) => {
      if (!lent) throw accountChanged(server.definition.id);
      return lent.value;
    });
}

type Lent<T> = { readonly value: T } | undefined;
