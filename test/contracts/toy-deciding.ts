import { canonicalJson } from '../../src/base/json.ts';
import { PlugError } from '../../src/base/errors.ts';
import type { Caller } from '../../src/api/caller.ts';
import type {
  Approval,
  ApprovalAnswer,
  ApprovalOutcome,
  AuditRecord,
  CallOptions,
  CallRequest,
  GrantView,
  Hub,
  HubEvent,
  PolicyDefaults,
  ToolView,
} from '../../src/hub/hub.ts';
import type { WithheldTool } from '../../src/catalog/tool.ts';

export interface ToyDecidingOptions {
  readonly tools?: readonly ToolView[];
  readonly withheld?: readonly WithheldTool[];
  /** Servers that failed, by their reason. */
  readonly failed?: Readonly<Record<string, string>>;
  readonly records?: readonly AuditRecord[];
  /** Large results by their id. */
  readonly results?: Readonly<Record<string, string>>;
  readonly ruleProblems?: readonly { line: number; column: number; message: string }[];
}

type On = <Args extends readonly unknown[], Out>(
  name: string,
  run: (...args: Args) => Out | Promise<Out>,
) => (...args: Args) => Promise<Out>;

export interface ToyDeciding {
  readonly apis: Pick<Hub, 'policy' | 'grants' | 'approvals' | 'audit' | 'results'>;
  readonly tools: Omit<Hub['tools'], 'call'>;
  answerAs(caller: Caller): Hub['approvals']['answer'];
  /** Passes a call, or asks about it; throws what a refusal says. Answers the arguments to run with. */
  decide(request: CallRequest, options: CallOptions, caller: Caller): Promise<Decided>;
}

export interface Decided {
  readonly args: CallRequest['args'];
  readonly allowedBy: string;
}

const PAGE_CHARS = 20;
export const NOBODY: Caller = { kind: 'library', id: 'unnamed' };

/** Grants, approvals, records and results in memory: as little policy as faces need to be tested. */
export function toyDeciding(given: ToyDecidingOptions, on: On, emit: (event: HubEvent) => void): ToyDeciding {
  const grants = new Map<string, GrantView>();
  const waiting = new Map<
    string,
    { approval: Approval; asker: Caller; settle: (o: ApprovalOutcome) => void }
  >();
  const overrides = new Map<string, Partial<ToolView> & { enabled?: boolean }>();
  const results = new Map(Object.entries(given.results ?? {}));
  let defaults: PolicyDefaults = {
    connect: 'ask',
    list: 'allow',
    call: { read: 'allow', write: 'ask', destructive: 'ask', unknown: 'ask' },
  };
  let count = 0;

  const tools = (): (ToolView & { enabled: boolean; confirm: 'allow' | 'ask' | 'deny' })[] =>
    (given.tools ?? []).map((tool) => {
      const known = { ...tool, enabled: true, ...overrides.get(tool.ref) };
      return { ...known, confirm: defaults.call[known.risk] };
    });
  const change = (ref: string, change: Partial<ToolView> & { enabled?: boolean }): void => {
    if (!(given.tools ?? []).some((tool) => tool.ref === ref)) throw notFound(`There is no tool “${ref}”.`);
    overrides.set(ref, { ...overrides.get(ref), ...change });
  };
  const ofServer = <T extends { readonly server: string }>(
    all: readonly T[],
    server?: string,
  ): readonly T[] => all.filter((one) => server === undefined || one.server === server);

  const settle = (id: string, answer: ApprovalAnswer, caller: Caller): ApprovalOutcome => {
    const open = waiting.get(id);
    if (!open) throw notFound(`The approval “${id}” is no longer open.`);
    if (open.approval.requester.kind !== 'person' && open.asker.id === caller.id) {
      throw new PlugError('denied', 'Whoever asks cannot answer.', { owner: 'you' });
    }
    if (answer.argsHash !== open.approval.argsHash) {
      throw new PlugError('denied', 'These are not the arguments that wait.', { owner: 'you' });
    }
    if (answer.args && 'refused' in answer.args) {
      throw new PlugError('bad_arguments', 'refused is not an argument.', { owner: 'you' });
    }
    if (answer.remember !== undefined) addGrant({ tool: `toy/${open.approval.tool}` }, `approval ${id}`);
    const outcome: ApprovalOutcome =
      answer.effect === 'allow'
        ? {
            kind: 'allowed',
            by: caller,
            args: answer.args ?? open.approval.args,
            edited: answer.args !== undefined,
          }
        : { kind: 'denied', by: caller, ...(answer.note === undefined ? {} : { note: answer.note }) };
    waiting.delete(id);
    open.settle(outcome);
    emit({ kind: 'approval-answer', server: 'toy', id, outcome: outcome.kind });
    return outcome;
  };

  const addGrant = (grant: Parameters<Hub['grants']['add']>[0], source = 'plug grants add'): GrantView => {
    const [server = '', tool] = grant.tool.split('/');
    count += 1;
    const where = Object.entries(grant.args ?? {}).map(([path, glob]) => `${path} is ${glob}`);
    const view: GrantView = {
      id: `grant_${count}`,
      principal: 'you',
      server,
      serverId: server,
      fingerprint: 'f',
      scope:
        tool === undefined
          ? { kind: 'reads' }
          : grant.args
            ? { kind: 'arguments', tool, hash: 'h', pattern: grant.args }
            : { kind: grant.once ? 'once' : 'tool', tool, hash: 'h' },
      ...(grant.until === undefined ? {} : { until: grant.until }),
      session: grant.session ?? false,
      source,
      createdAt: 1,
      says: `Calls of ${grant.tool}${where.length > 0 ? ` where ${where.join(' and ')}` : ''}`,
    };
    grants.set(view.id, view);
    return view;
  };

  const apis: ToyDeciding['apis'] = {
    policy: {
      explain: on('policy.explain', ({ tool }) => ({
        effect: 'ask' as const,
        by: { kind: 'default' as const, path: 'call.write' },
        reason: `${tool} writes.`,
        offers: ['once' as const],
      })),
      defaults: on('policy.defaults', () => defaults),
      setDefaults: on('policy.setDefaults', (to) => {
        defaults = { ...defaults, ...to, call: { ...defaults.call, ...to.call } };
        return defaults;
      }),
      rules: on('policy.rules', () => ({
        file: 'rules.yaml',
        exists: true,
        rules: [{ name: 'keep-home', says: 'What came from notes may not go to web.' }],
        problems: given.ruleProblems ?? [],
      })),
    },
    grants: {
      list: on('grants.list', ({ server } = {}) => ofServer([...grants.values()], server)),
      add: on('grants.add', (grant) => addGrant(grant)),
      revoke: on('grants.revoke', (id) => {
        if (!grants.delete(id)) throw notFound(`There is no grant “${id}”.`);
      }),
    },
    approvals: {
      list: on('approvals.list', () => [...waiting.values()].map(({ approval }) => approval)),
      get: on('approvals.get', (id) => waiting.get(id)?.approval ?? fail(`There is no approval “${id}”.`)),
      answer: on('approvals.answer', (id, answer) => settle(id, answer, NOBODY)),
      answerBatch: on('approvals.answerBatch', (batch, answer) =>
        [...waiting.values()]
          .filter(({ approval }) => approval.batch === batch)
          .map(({ approval: { id, argsHash } }) => settle(id, { ...answer, argsHash }, NOBODY)),
      ),
    },
    audit: {
      query: on('audit.query', ({ server, tool, outcome, since = 0, cursor = '0', limit = 2 } = {}) => {
        const found = ofServer(given.records ?? [], server).filter(
          (one) =>
            (tool === undefined || one.tool === tool) &&
            (outcome === undefined || one.outcome === outcome) &&
            one.at >= since,
        );
        const end = Number(cursor) + Math.min(limit, 2);
        const records = found.slice(Number(cursor), end);
        return { records, ...(end < found.length ? { cursor: String(end) } : {}) };
      }),
      summary: on('audit.summary', ({ since, until, parts }) => ({
        since,
        partMs: Math.ceil((until - since) / parts),
        rows: [],
      })),
      setRecorded: on('audit.setRecorded', () => undefined),
    },
    results: {
      list: on('results.list', () =>
        [...results].map(([id, text]) => ({
          id,
          server: 'toy',
          tool: 'big',
          callId: 'call_1',
          createdAt: 1,
          expiresAt: 2,
          bytes: text.length,
          pieces: 1,
        })),
      ),
      page: on('results.page', (id, page) => {
        const text = results.get(id) ?? fail(`There is no result “${id}”.`);
        const pages = Math.ceil(text.length / PAGE_CHARS);
        const from = (page - 1) * PAGE_CHARS;
        return { id, page, pages, bytes: text.length, text: text.slice(from, from + PAGE_CHARS) };
      }),
      grep: on('results.grep', (id, pattern) => ({
        id,
        matches: (results.get(id) ?? fail(`There is no result “${id}”.`))
          .split('\n')
          .map((text, index) => ({ line: index + 1, page: 1, text }))
          .filter(({ text }) => new RegExp(pattern).test(text)),
        truncated: false,
      })),
      path: on('results.path', (id, path) => ({ id, found: [{ path, value: { a: 1 } }], truncated: true })),
      remove: on('results.remove', (id) => {
        if (!results.delete(id)) throw notFound(`There is no result “${id}”.`);
      }),
    },
  };

  return {
    apis,
    tools: {
      list: on('tools.list', ({ server, search } = {}) => ({
        tools: ofServer(tools(), server).filter(
          (tool) => tool.enabled && (search === undefined || tool.name.includes(search)),
        ),
        withheld: ofServer(given.withheld ?? [], server),
        unavailable: [],
      })),
      task: on('tools.task', ({ method }) => ({ method })),
      audit: on('tools.audit', ({ server } = {}) => ({
        servers: [
          ...Object.entries(given.failed ?? {}).map(([id, reason]) => ({
            server: id,
            state: 'failed',
            reason,
            next: `plug logs ${id}`,
            tokens: 0,
            tools: [],
            withheld: [],
          })),
          ...[...new Set(tools().map((tool) => tool.server))]
            .filter((id) => server === undefined || id === server)
            .map((id) => ({
              server: id,
              state: 'asleep',
              reason: 'Nobody has needed it yet.',
              tokens: 1_234,
              tools: ofServer(tools(), id),
              withheld: ofServer(given.withheld ?? [], id),
            })),
        ],
      })),
      render: on('tools.render', ({ format }) => ({
        tools: [{ format }],
        names: {},
        omitted: [],
        tokens: 7,
      })),
      learnedOutputs: on('tools.learnedOutputs', () => []),
      setEnabled: on('tools.setEnabled', (ref, enabled) => change(ref, { enabled })),
      setRisk: on('tools.setRisk', (ref, risk) =>
        risk === undefined ? void overrides.set(ref, {}) : change(ref, { risk, riskFrom: 'override' }),
      ),
      approve: on('tools.approve', (ref) => change(ref, { pinned: true })),
    },
    answerAs: (caller) => on('approvals.answer', (id, answer) => settle(id, answer, caller)),
    decide: async (request, options, caller) => {
      const tool = request.tool.replace('toy/', '');
      const grant = [...grants.values()].find(({ scope }) => 'tool' in scope && scope.tool === tool);
      if (grant) return { args: request.args, allowedBy: `The grant ${grant.id} allows it.` };
      if (request.approval !== 'wait') throw approvalRequired(request.tool);
      count += 1;
      const approval = approvalOf(`appr_${count}`, tool, request, caller);
      const answered = Promise.withResolvers<ApprovalOutcome>();
      waiting.set(approval.id, { approval, asker: caller, settle: answered.resolve });
      options.signal?.addEventListener('abort', () => {
        waiting.delete(approval.id);
        answered.resolve({ kind: 'withdrawn' });
      });
      emit({ kind: 'approval-request', server: 'toy', approval });
      options.onApproval?.(approval);
      const outcome = await answered.promise;
      if (outcome.kind === 'allowed') return { args: outcome.args, allowedBy: 'You allowed this call.' };
      if (outcome.kind === 'withdrawn') throw new PlugError('cancelled', 'It was stopped.', { owner: 'you' });
      const note = outcome.kind === 'denied' && outcome.note !== undefined ? ` ${outcome.note}` : '';
      throw new PlugError('denied', `It was denied.${note}`, { owner: 'you', server: 'toy' });
    },
  };
}

function approvalOf(id: string, tool: string, request: CallRequest, caller: Caller): Approval {
  const args = request.args ?? {};
  return {
    id,
    batch: 'batch_1',
    createdAt: 1,
    expiresAt: 300_001,
    requester:
      request.requester === 'person'
        ? { kind: 'person', id: caller.id }
        : { kind: 'program', id: caller.id, name: 'Some Agent' },
    server: 'toy',
    account: 'ada@example.com',
    tool,
    risk: 'write',
    args,
    argsHash: canonicalJson(args),
    decision: {
      effect: 'ask',
      by: { kind: 'default', path: 'call.write' },
      reason: 'It writes, and writes ask.',
      offers: ['once', 'session', 'tool'],
    },
    offers: tool === 'wipe' ? ['once'] : ['once', 'session', 'tool', 'arguments'],
  };
}

function approvalRequired(tool: string): PlugError {
  return new PlugError('approval_required', `${tool} needs an approval.`, {
    owner: 'you',
    server: 'toy',
    next: `plug grants add ${tool}`,
    details: { grant: `plug grants add ${tool}` },
  });
}

function notFound(message: string): PlugError {
  return new PlugError('not_found', message, { owner: 'you' });
}

function fail(message: string): never {
  throw notFound(message);
}
