import { join } from 'node:path';
import type { Cleanup } from '../../base/cleanup.ts';
import type { JsonObject } from '../../base/json.ts';
import { AuditLog } from '../../calls/audit/audit-log.ts';
import type { Calls } from '../../calls/call.ts';
import { maskSecrets } from '../../calls/external-text/mask-secrets.ts';
import { openTelemetry, type CallTelemetry } from '../../calls/telemetry/telemetry.ts';
import { Results } from '../../calls/results/results.ts';
import type { Entry } from '../../catalog/catalog.ts';
import { LearnedOutputs } from '../../catalog/learned/learned-outputs.ts';
import type { PooledServer } from '../../connections/pool.ts';
import { Approvals } from '../../policy/approvals/approvals.ts';
import { callQuestion } from '../../policy/call-question.ts';
import type { CallQuestion } from '../../policy/decision.ts';
import { Grants } from '../../policy/grants.ts';
import { DataOrigins } from '../../policy/origins/data-origins.ts';
import type { PolicySnapshot } from '../../policy/policy.ts';
import { RulesFile } from '../../policy/rules/rules-file.ts';
import { TrustBook } from '../../policy/trust-book.ts';
import type { Core } from '../core.ts';
import { KnownTools } from './known-tools.ts';
import { readTextFile } from './read-text-file.ts';

/** What the core has put together before. */
export type DecidingParts = Pick<
  Core,
  | 'options'
  | 'owner'
  | 'clock'
  | 'ids'
  | 'limits'
  | 'logger'
  | 'storage'
  | 'redactor'
  | 'pool'
  | 'tasks'
  | 'events'
  | 'settings'
> & { readonly half: Cleanup };

/** Catalog, policy and the one path of a call. */
export interface Deciding {
  readonly known: KnownTools;
  readonly calls: Pick<Calls, 'call'>;
  readonly grants: Grants;
  readonly approvals: Approvals;
  readonly rules: RulesFile;
  readonly results: Results;
  readonly audit: AuditLog;
  /** Ids of servers whose calls are not recorded. */
  readonly unrecorded: Set<string>;
  readonly policy: () => PolicySnapshot;
  readonly origins: DataOrigins;
  /** What results look like of tools that do not say so. */
  readonly learned: LearnedOutputs;
  /** Masks secrets of ours in what a server answered, or refuses it. */
  readonly clean: (server: PooledServer, what: string, answer: JsonObject) => JsonObject;
  /** The question that a call of this tool would put, were it made now. */
  readonly question: (server: PooledServer, entry: Entry, args: JsonObject) => CallQuestion;
}

export async function openDeciding(parts: DecidingParts): Promise<Deciding> {
  const { options, owner, clock, ids, limits, logger, storage, redactor, half, tasks, settings } = parts;
  const kept = { store: storage.policy, owner, clock, ids, limits };
  const [grants, trust, rules] = await Promise.all([
    Grants.load(kept),
    TrustBook.load(kept),
    RulesFile.open({ folder: options.paths.config, clock, ids }),
  ]);
  half.defer(() => rules.close());
  rules.onChange(() => parts.events.send({ kind: 'tools-change' }));
  const known = await KnownTools.load(parts, trust);
  const telemetry = await openTelemetry({
    env: options.env,
    serviceVersion: options.version,
    limits,
    logger,
  });
  if (telemetry) half.defer(() => telemetry.close());
  const approvals = openApprovals(parts, telemetry);
  half.defer(() => approvals.close());
  const results = new Results({
    store: storage.results,
    owner,
    clock,
    ids,
    limits,
    logger,
    keepMs: () => settings.resultKeepMs,
  });
  tasks.run('remove old results', async () => void (await results.prune()));
  const unrecorded = new Set<string>();
  const isRecorded = (server: string): boolean => !unrecorded.has(server);
  const audit = await AuditLog.open({
    store: storage.audit,
    owner,
    ...(storage.kind === 'memory' ? {} : { folder: join(options.paths.data, 'audit') }),
    clock,
    ids,
    limits,
    logger,
    tasks,
    redact: (value) => redactor.redactValue(value),
    isRecorded,
    keepMs: () => settings.callKeepMs,
  });
  half.defer(() => audit.close());
  const policy = (): PolicySnapshot => {
    const { defaults, rules: set } = rules.inForce;
    return { defaults, rules: set, grants: grants.index };
  };
  const origins = openOrigins(parts, rules);
  const clean = cleanerOf(parts, rules);
  const learned = new LearnedOutputs({ store: storage.learned, owner, clock, tasks, isRecorded });
  half.defer(() => learned.close());
  const seen = { known, results, audit, unrecorded, origins, learned };
  const rest = { ...seen, grants, approvals, rules, policy, clean };
  const calls = deferredCalls(async () => {
    const [{ openCalls }] = await Promise.all([import('./open-calls.ts'), learned.load()]);
    return openCalls(parts, rest, { trust, telemetry });
  });
  return { ...rest, calls, question: questionOf(parts, trust) };
}

function openApprovals(
  { options, clock, ids, limits, redactor, events, tasks }: DecidingParts,
  telemetry: CallTelemetry | undefined,
): Approvals {
  const { approve } = options;
  const approvals: Approvals = new Approvals({
    clock,
    ids,
    limits,
    mask: (args) => redactor.redactValue(args),
    readText: (path, { bytesMax }) => readTextFile(path, bytesMax),
    onRequest: (approval, server) => {
      telemetry?.approvalsWaiting(1);
      events.send({ kind: 'approval-request', server, approval });
      // Whoever embeds the hub may have said who answers.
      if (!approve) return;
      tasks.run('ask the program that opened the hub', async () => {
        const answer = await approve(approval);
        const by = { kind: 'library', id: 'approve' } as const;
        await approvals.answer(approval.id, { argsHash: approval.argsHash, ...answer }, by);
      });
    },
    onAnswer: ({ id }, outcome, server) => {
      telemetry?.approvalsWaiting(-1);
      const by = 'by' in outcome ? { by: outcome.by.kind } : {};
      events.send({ kind: 'approval-answer', server, id, outcome: outcome.kind, ...by });
    },
  });
  return approvals;
}

/** Remembers what servers said, while there is a rule that cares. */
function openOrigins({ limits }: DecidingParts, rules: RulesFile): DataOrigins {
  const origins = new DataOrigins({ limits });
  const watchData = (): void => {
    const { dataDeny, dataAsk } = rules.inForce.rules;
    origins.enabled = dataDeny.length + dataAsk.length > 0;
  };
  watchData();
  rules.onChange(watchData);
  return origins;
}

function cleanerOf({ redactor }: DecidingParts, rules: RulesFile): Deciding['clean'] {
  return ({ definition: { id } }, what, answer) =>
    maskSecrets(answer, {
      server: id,
      tool: what,
      mode: rules.inForce.secretsInResults,
      redactForeign: redactor.redactForeign,
    });
}

/**
 * The path of a call is loaded by the first one: a hub that only lists, which most do for most of
 * their time, holds none of it.
 */
function deferredCalls(open: () => Promise<Calls>): Deciding['calls'] {
  let calls: Calls | undefined;
  let opening: Promise<Calls> | undefined;
  return {
    call: (call, find) => {
      if (calls) return calls.call(call, find);
      opening ??= open();
      return opening.then((opened) => (calls = opened).call(call, find));
    },
  };
}

function questionOf({ clock, owner }: DecidingParts, trust: TrustBook): Deciding['question'] {
  return ({ key, fingerprint, definition: { id } }, entry, args) =>
    callQuestion({
      principal: owner,
      requester: { kind: 'person', id: owner },
      now: clock.now(),
      server: { id, key, fingerprint, trust: trust.trustOf(key, fingerprint) },
      entry,
      args,
      origins: [],
    });
}
