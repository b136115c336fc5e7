import { Calls } from '../../calls/call.ts';
import { explainFailure, explainToolError } from '../../calls/failures/explain.ts';
import { CallRecorder } from '../../calls/recorder.ts';
import type { CallTelemetry } from '../../calls/telemetry/telemetry.ts';
import type { TrustBook } from '../../policy/trust-book.ts';
import { isLocal } from '../../servers/definition.ts';
import type { Deciding, DecidingParts } from './open.ts';

/** The one path of a call, put together. */
export function openCalls(
  parts: DecidingParts,
  deciding: Omit<Deciding, 'calls' | 'question'>,
  { trust, telemetry }: { readonly trust: TrustBook; readonly telemetry: CallTelemetry | undefined },
): Calls {
  const { clock, ids, limits, pool, events } = parts;
  const { known, grants, approvals, results, audit, policy, origins, clean } = deciding;
  return new Calls({
    pool,
    clock,
    ids,
    limits,
    catalog: known.catalog,
    catalogServer: (server) => known.seen(server),
    parseName: (name) => known.parseName(name),
    accountName: ({ definition: { id, endpoint } }, account) =>
      isLocal(endpoint) ? undefined : nameOfAccount(parts, id, account),
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
      onDisplay: ({ key }, call) => {
        if (events.readers > 0) events.send({ kind: 'call', server: key, call });
      },
    }),
    clean,
    keep: (result) => results.keep(result),
    remember: ({ principal }, { definition: { id } }, tool, result) => {
      if (origins.enabled) origins.remember({ principal, server: id, tool, result });
    },
    hint: ({ definition: { id, endpoint } }, tool, result) =>
      explainToolError(result, { server: id, tool, remote: !isLocal(endpoint) }),
    explain: (error, { definition: { id, endpoint } }, tool) =>
      explainFailure(error, { server: id, tool, remote: !isLocal(endpoint) }),
  });
}

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
