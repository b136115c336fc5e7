import type * as hub from '../hub/hub.ts';
import type { Risk } from '../catalog/risk.ts';

/** Input and output of the operations that decide what may run and tell what did. */
export interface DecidingOperations {
  'tools.learnedOutputs': Operation<{ readonly server?: string }, readonly hub.LearnedOutput[]>;
  'tools.audit': Operation<{ readonly server?: string }, hub.ToolAudit>;
  'tools.render': Operation<Parameters<hub.ToolsApi['render']>[0], hub.RenderedTools>;
  'tools.setEnabled': Operation<{ readonly ref: string; readonly enabled: boolean }, void>;
  /** Without a risk the override is taken back. */
  'tools.setRisk': Operation<{ readonly ref: string; readonly risk?: Risk }, void>;
  'tools.approve': Operation<{ readonly ref: string; readonly hash?: string }, void>;

  'policy.explain': Operation<Parameters<hub.PolicyApi['explain']>[0], hub.Decision>;
  'policy.defaults': Operation<Nothing, hub.PolicyDefaults>;
  'policy.setDefaults': Operation<hub.DefaultsChange, hub.PolicyDefaults>;
  'policy.rules': Operation<Nothing, hub.RulesView>;

  'grants.list': Operation<{ readonly server?: string }, readonly hub.GrantView[]>;
  'grants.add': Operation<hub.NewGrant, hub.GrantView>;
  'grants.revoke': Operation<One, void>;

  'approvals.list': Operation<Nothing, readonly hub.Approval[]>;
  'approvals.get': Operation<One, hub.Approval>;
  'approvals.answer': Operation<One & hub.ApprovalAnswer, hub.ApprovalOutcome>;
  'approvals.answerBatch': Operation<
    { readonly batch: string } & hub.BatchAnswer,
    readonly hub.ApprovalOutcome[]
  >;

  'audit.query': Operation<Partial<hub.AuditQuery>, hub.AuditPage>;
  'audit.setRecorded': Operation<{ readonly server: string; readonly recorded: boolean }, void>;

  'results.list': Operation<Nothing, readonly hub.StoredResult[]>;
  'results.page': Operation<One & { readonly page: number }, hub.ResultPage>;
  'results.grep': Operation<One & { readonly pattern: string }, hub.ResultMatches>;
  'results.path': Operation<One & { readonly path: string }, hub.ResultPathFound>;
  'results.remove': Operation<One, void>;
}

interface Operation<In, Out> {
  readonly input: In;
  readonly output: Out;
}

type Nothing = Readonly<Record<string, never>>;

interface One {
  readonly id: string;
}
