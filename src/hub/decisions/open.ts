import { join } from 'node:path';
import type { Cleanup } from '../../base/cleanup.ts';
import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { AuditLog, type AuditLogOptions } from '../../calls/audit/audit-log.ts';
import type { Calls } from '../../calls/call.ts';
import { KnownTools } from '../../calls/known-tools.ts';
import { RecentResults } from '../../calls/results/recent-results.ts';
import { Results } from '../../calls/results/results.ts';
import { TaskAccounts, UsedAccounts } from '../../calls/used-accounts.ts';
import { openTelemetry, type CallTelemetry } from '../../calls/telemetry/telemetry.ts';
import type { CatalogTool } from '../../catalog/catalog.ts';
import { LearnedOutputs } from '../../catalog/learned/learned-outputs.ts';
import { LearnedQueries } from '../../catalog/learned/learned-queries.ts';
import { CatalogSearch } from '../../catalog/search.ts';
import { searchLimits } from '../../catalog/search/limits.ts';
import { ThreadWeigher } from '../../catalog/search/weigh-in-thread.ts';
import type { PooledServer } from '../../connections/pool.ts';
import { Approvals } from '../../policy/approvals/approvals.ts';
import { callQuestion } from '../../policy/call-question.ts';
import { approversOf, type CallQuestion } from '../../policy/decision.ts';
import { Grants } from '../../policy/grants.ts';
import { HostTokens } from '../../policy/host-tokens.ts';
import { DataOrigins } from '../../policy/origins/data-origins.ts';
import { PolicyInForce } from '../../policy/policy-in-force.ts';
import { RulesFile } from '../../policy/rules/rules-file.ts';
import { rulesFolder, storedRules, type RulesPlace } from '../../policy/rules/rules-place.ts';
import { TrustBook } from '../../policy/trust-book.ts';
import { SharedRules } from '../../policy/rules/shared-rules.ts';
import type { Base, Core } from '../core.ts';
import { open } from 'node:fs/promises';

export interface Recording {
  readonly audit: AuditLog;
  /** Ids of servers of whose calls neither arguments nor messages are recorded. */
  readonly unrecorded: Set<string>;
}

type DecisionsParts = Base &
  Pick<Core, 'pool' | 'events' | 'settings' | 'signIn'> &
  Recording & { readonly opened: Cleanup };

export interface Decisions extends Recording, Policies {
  readonly known: KnownTools;
  readonly calls: Pick<Calls, 'call'>;
  readonly approvals: Approvals;
  readonly results: Results;
  readonly recent: RecentResults;
  readonly origins: DataOrigins;
  /** What results look like of tools that do not say so. */
  readonly learned: LearnedOutputs;
  /** Which searches led to which tools. */
  readonly queries: LearnedQueries;
  readonly search: CatalogSearch;
  readonly accounts: UsedAccounts;
  /** As whom tasks were begun. */
  readonly taskAccounts: TaskAccounts;
  /** The question that a call of this tool would put, were it made now, as the default account. */
  readonly question: (
    server: PooledServer,
    entry: CatalogTool,
    made: { readonly principal: string; readonly args: JsonObject },
  ) => Promise<CallQuestion>;
}

interface Policies {
  readonly grants: Grants;
  readonly trust: TrustBook;
  readonly hostTokens: HostTokens;
  readonly rules: RulesFile;
  readonly policy: PolicyInForce;
}

/** Opened before anything that can call, and closed after it: what ends with the hub is recorded, too. */
export async function openRecording(
  parts: Omit<DecisionsParts, keyof Recording | 'pool' | 'events' | 'signIn'>,
): Promise<Recording> {
  const { storage, redactor, settings, opened } = parts;
  const unrecorded = new Set<string>();
  const audit = await AuditLog.open({
    ...parts,
    store: storage.audit,
    ...journalOf(parts),
    redact: (value) => redactor.redactValue(value),
    isRecorded: (server) => !unrecorded.has(server),
    keepMs: () => settings.callKeepMs,
  });
  opened.defer(() => audit.close());
  return { audit, unrecorded };
}

/** On the disk of one user's machine; in the database where another process may take over. */
function journalOf({
  options: { paths, tenancy },
  storage,
}: Base): Pick<AuditLogOptions, 'folder' | 'shared'> {
  if (tenancy?.holder !== undefined) {
    return { shared: { calls: storage.callJournal, holder: tenancy.holder } };
  }
  return storage.kind === 'memory' ? {} : { folder: join(paths.data, 'audit') };
}

export async function openDecisions(parts: DecisionsParts): Promise<Decisions> {
  const { storage, opened, audit, unrecorded } = parts;
  const policies = await openPolicies(parts);
  const known = await KnownTools.load({ ...parts, store: storage.tools, trust: policies.trust });
  opened.defer(() => known.close());
  const telemetry = await openCallTelemetry(parts);
  const approvals = openApprovals(parts, telemetry);
  const results = openResults(parts);
  const isRecorded = (server: string): boolean => !unrecorded.has(server);
  const recent = new RecentResults({ limits: parts.limits, isRecorded });
  const origins = openOrigins(parts, policies.policy);
  const { learned, queries } = openLearned(parts);
  const { tasks, clock } = parts;
  const search = new CatalogSearch({
    bySteps: (step) =>
      tasks.run('read tools for the search', async (signal) => {
        while (await step()) await clock.sleep(0, signal);
      }),
    thread: {
      toolsMin: searchLimits.readInThreadMin,
      open: () => new ThreadWeigher(),
      failed: (error) =>
        parts.logger.warn('the thread that reads tools failed: the rest is read in steps', {
          error: messageOf(error),
        }),
    },
  });
  opened.defer(() => search.close());
  const accounts = new UsedAccounts({ ...parts, store: storage.accounts });
  const taskAccounts = new TaskAccounts();
  const seen = {
    audit,
    unrecorded,
    known,
    approvals,
    results,
    recent,
    origins,
    learned,
    accounts,
    taskAccounts,
  };
  const found = { queries, search };
  const calls = deferredCalls(async () => {
    const [{ Calls }] = await Promise.all([import('../../calls/call.ts'), learned.load()]);
    const { quota } = parts.options.tenancy ?? {};
    return new Calls({ ...parts, ...policies, ...seen, telemetry, quota });
  });
  const question = questionOf(parts, policies.trust, accounts);
  return { ...policies, ...seen, ...found, calls, question };
}

async function openPolicies(parts: DecisionsParts): Promise<Policies> {
  const { options, storage, opened, tasks, settings, events } = parts;
  const kept = { ...parts, store: storage.policy };
  const later = (work: () => Promise<void>): void => tasks.run('note when a host came', work);
  const { sharedRules } = options.tenancy ?? {};
  const [grants, trust, hostTokens, rules, shared] = await Promise.all([
    Grants.load(kept),
    TrustBook.load(kept),
    HostTokens.load({ ...kept, later }),
    RulesFile.open(rulesPlaceOf(parts)),
    sharedRules ? SharedRules.open(sharedRules) : undefined,
  ]);
  opened.defer(() => rules.close());
  opened.defer(() => hostTokens.close());
  rules.onChange(() => events.send({ kind: 'tools-change' }));
  return { grants, trust, hostTokens, rules, policy: new PolicyInForce({ rules, shared, grants, settings }) };
}

function rulesPlaceOf({ options: { paths, tenancy }, storage, owner, clock, ids }: Base): RulesPlace {
  return tenancy ? storedRules(storage.settings, owner) : rulesFolder({ folder: paths.config, clock, ids });
}

async function openCallTelemetry(parts: DecisionsParts): Promise<CallTelemetry | undefined> {
  const { options, limits, logger, opened } = parts;
  const { env, version: serviceVersion } = options;
  const telemetry = await openTelemetry({ env, serviceVersion, limits, logger });
  if (telemetry) opened.defer(() => telemetry.close());
  return telemetry;
}

function openApprovals(
  { options, clock, ids, limits, redactor, events, tasks, settings, opened }: DecisionsParts,
  telemetry: CallTelemetry | undefined,
): Approvals {
  const { approve, tenancy: { others } = {} } = options;
  const approvals: Approvals = new Approvals({
    clock,
    ids,
    limits,
    mask: (args) => redactor.redactValue(args),
    readText: (path, { bytesMax }) => readTextFile(path, bytesMax),
    onRequest: (approval, server, principal) => {
      if (approversOf(approval.decision)) others?.waits(approval, principal);
      telemetry?.approvalsWaiting(1);
      events.send({ kind: 'approval-request', server, approval });
      // A program that embeds the hub may answer itself.
      if (!approve) return;
      tasks.run('ask the program that opened the hub', async () => {
        const answer = await approve(approval);
        const by = { kind: 'library', id: 'approve' } as const;
        await approvals.answer(approval.id, { argsHash: approval.argsHash, ...answer }, by);
      });
    },
    onAnswer: ({ id, decision }, outcome, server) => {
      if (approversOf(decision)) others?.ended(id);
      telemetry?.approvalsWaiting(-1);
      const by = 'by' in outcome ? { by: outcome.by.kind } : {};
      events.send({ kind: 'approval-answer', server, id, outcome: outcome.kind, ...by });
    },
  });
  opened.defer(() => approvals.close());
  settings.onReadOnly((on) => {
    if (on) approvals.bar({ by: 'switch' });
    events.send({ kind: 'tools-change' });
  });
  return approvals;
}

function openResults(parts: DecisionsParts): Results {
  const { options, storage, settings, tasks, clock, limits, opened } = parts;
  const results = new Results({ ...parts, store: storage.results, keepMs: () => settings.resultKeepMs });
  const prune = (): void => tasks.run('remove old results', async () => void (await results.prune()));
  if (!options.tenancy) prune();
  else opened.defer(clock.after(limits.pruneOfOwnerDelayMs, prune));
  return results;
}

function openOrigins({ limits }: DecisionsParts, policy: PolicyInForce): DataOrigins {
  const origins = new DataOrigins({ limits });
  const watchData = (): void => {
    const { dataDeny, dataAsk } = policy.rules.rules;
    origins.enabled = dataDeny.length + dataAsk.length > 0;
  };
  watchData();
  policy.onChange(watchData);
  return origins;
}

function openLearned(parts: DecisionsParts): Pick<Decisions, 'learned' | 'queries'> {
  const { storage, unrecorded, opened } = parts;
  const isRecorded = (server: string): boolean => !unrecorded.has(server);
  const options = { ...parts, store: storage.learned, isRecorded };
  const learned = new LearnedOutputs(options);
  opened.defer(() => learned.close());
  const queries = new LearnedQueries(options);
  opened.defer(() => queries.close());
  return { learned, queries };
}

/** The call path is loaded by the first call: a hub that only lists holds none of it. */
function deferredCalls(open: () => Promise<Calls>): Decisions['calls'] {
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

function questionOf(
  { clock }: DecisionsParts,
  trust: TrustBook,
  accounts: UsedAccounts,
): Decisions['question'] {
  return async (server, entry, { principal, args }) => {
    const { key, fingerprint, definition } = server;
    return callQuestion({
      principal,
      requester: { kind: 'person', id: principal },
      now: clock.now(),
      server: { id: definition.id, key, fingerprint, trust: trust.trustOf(key, fingerprint) },
      account: await accounts.of(server),
      entry,
      args,
      origins: [],
    });
  };
}

async function readTextFile(path: string, bytesMax: number): Promise<string | undefined> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size > bytesMax) return undefined;
  const bytes = await file.readFile();
  return bytes.includes(0) ? undefined : bytes.toString('utf8');
}
