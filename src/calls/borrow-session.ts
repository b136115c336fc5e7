import { accountChanged } from '../connections/failures.ts';
import type { Caller, Pool, PooledServer } from '../connections/pool.ts';
import type { Session } from '../connections/session.ts';
import type { ToolCall } from './tool-call.ts';

/** The call as the pool sees it: whoever means the default account shares its connection. */
export function callerOf(call: ToolCall): Caller & Pick<ToolCall, 'signal'> {
  const { as, host, signal } = call;
  return as === undefined ? call : { host, signal, account: as.isDefault ? undefined : as.name };
}

/** What is borrowed for, so that every use of it finds the same account. */
export type Borrower = Pick<ToolCall, 'as' | 'host' | 'signal'>;

/**
 * Runs on a session of the very account that was decided on. The connection of the default account
 * may be another's by now: then one is opened for the account by its name. Where the person behind
 * that name has changed, nothing is sent.
 */
export function borrowSession<T>(
  pool: Pool,
  server: PooledServer,
  call: Borrower,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const { as, host, signal } = call;
  // The rule: most servers know no accounts.
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
