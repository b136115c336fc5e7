import { Calls } from '../../calls/call.ts';
import { explainFailure, explainToolError } from '../../calls/failures/explain.ts';
import { CallRecorder } from '../../calls/recorder.ts';
import type { CallTelemetry } from '../../calls/telemetry/telemetry.ts';
import type { TrustBook } from '../../policy/trust-book.ts';
import { isLocal } from '../../servers/definition.ts';
import type { HubEvent } from '../hub.ts';
import type { Deciding, DecidingParts } from './open.ts';

/** The one path of a call, put together. */
export function openCalls(
  parts: DecidingParts,
  deciding: Omit<Deciding, 'calls' | 'question'>,
  { trust, telemetry }: { readonly trust: TrustBook; readonly telemetry: CallTelemetry | undefined },
): Calls {
  const { clock, ids, limits, pool, events } = parts;
  const { known, grants, approvals, results, audit, policy, origins, learned, clean } = deciding;
  const names = new AccountNames(parts);
  return new Calls({
    pool,
    clock,
    ids,
    limits,
    catalog: known.catalog,
    catalogServer: (server) => known.seen(server),
    parseName: (name) => known.parseName(name),
    accountName: ({ definition: { id, endpoint } }, account) =>
      isLocal(endpoint) ? undefined : names.of(id, account),
    policy,
    grants,
    trust,
    approvals,
    origins: ({ principal }, { definition: { id } }, args) =>
      origins.enabled ? origins.originsIn({ principal, server: id, args }) : [],
    pin: (server, { tool }) => known.settings.approve(server.key, [tool]),
    room: () => audit.room(),
    recorder: new CallRecorder({
      clock,
      record: (record) => audit.record(record),
      telemetry,
      isWatched: () => events.isWanted(ANY_CALL),
      onDisplay: ({ key }, call) => events.send({ kind: 'call', server: key, call }),
    }),
    clean,
    keep: (result) => results.keep(result),
    remember: ({ principal }, { definition: { id } }, tool, result) => {
      if (origins.enabled) origins.remember({ principal, server: id, tool, result });
    },
    learn: (server, tool, result) => learned.learn(server, tool, result),
    hint: ({ definition: { id, endpoint } }, tool, result) =>
      explainToolError(result, { server: id, tool, remote: !isLocal(endpoint) }),
    explain: (error, { definition: { id, endpoint } }, tool) =>
      explainFailure(error, { server: id, tool, remote: !isLocal(endpoint) }),
  });
}

/**
 * Whom we are at remote servers. Every call asks, and the answer hardly ever changes: it is read
 * again when an account was written here, and now and then, as another process may have done it.
 */
class AccountNames {
  readonly #parts: DecidingParts;
  readonly #known = new Map<string, string | undefined>();
  #changes = 0;
  #until = 0;

  constructor(parts: DecidingParts) {
    this.#parts = parts;
  }

  of(server: string, wanted: string | undefined): Promise<string | undefined> | string | undefined {
    const { storage, clock } = this.#parts;
    const now = clock.monotonic();
    if (this.#changes !== storage.accounts.changes || now >= this.#until) {
      this.#known.clear();
      this.#changes = storage.accounts.changes;
      this.#until = now + NAMES_KEPT_MS;
    }
    // No id of a server has a space.
    const key = wanted === undefined ? server : `${server} ${wanted}`;
    return this.#known.has(key) ? this.#known.get(key) : this.#read(key, server, wanted);
  }

  async #read(key: string, server: string, wanted: string | undefined): Promise<string | undefined> {
    const { accounts } = this.#parts.storage;
    const { changes } = accounts;
    const name = await nameOfAccount(this.#parts, server, wanted);
    if (accounts.changes === changes && this.#changes === changes) this.#known.set(key, name);
    return name;
  }
}

const NAMES_KEPT_MS = 1_000;

/** Stands for all of them: whether somebody looks on depends on nothing but the kind. */
const ANY_CALL: HubEvent = { kind: 'call', server: '', call: { callId: '', tool: '', state: 'using' } };

/** Our name for the account, and the server's name for us: `work (@bob)`. */
async function nameOfAccount(
  { storage, owner }: DecidingParts,
  server: string,
  wanted: string | undefined,
): Promise<string | undefined> {
  const all = await storage.accounts.listAccounts(owner, server);
  const found = all.find((each) => (wanted === undefined ? each.isDefault : each.account === wanted));
  return (
    found && (found.displayName === undefined ? found.account : `${found.account} (${found.displayName})`)
  );
}
