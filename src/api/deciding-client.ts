import type { Hub } from '../hub/hub.ts';
import type { AskOptions } from './exchange.ts';
import { inProcessOnly } from './in-process-only.ts';
import type { OperationInput, OperationName, OperationOutput } from './operations.ts';

export type Run = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  options?: AskOptions,
) => Promise<OperationOutput<Name>>;

/** The parts of the Hub that decide what may run and tell what did, over HTTP. */
export function decidingOver(
  run: Run,
): Pick<Hub, 'tools' | 'policy' | 'grants' | 'approvals' | 'audit' | 'results'> {
  return {
    tools: {
      list: (options = {}) => run('tools.list', options),
      audit: (options = {}) => run('tools.audit', options),
      render: (options) => run('tools.render', options),
      call: (call, options) => run('tools.call', call, options),
      learnedOutputs: (options = {}) => run('tools.learnedOutputs', options),
      task: () => inProcessOnly('tools.task'),
      setEnabled: (ref, enabled) => run('tools.setEnabled', { ref, enabled }),
      setRisk: (ref, risk) => run('tools.setRisk', { ref, ...(risk === undefined ? {} : { risk }) }),
      approve: (ref, options = {}) => run('tools.approve', { ref, ...options }),
    },
    policy: {
      explain: (request) => run('policy.explain', request),
      defaults: () => run('policy.defaults', {}),
      setDefaults: (change) => run('policy.setDefaults', change),
      rules: () => run('policy.rules', {}),
    },
    grants: {
      list: (query = {}) => run('grants.list', query),
      add: (grant) => run('grants.add', grant),
      revoke: (id) => run('grants.revoke', { id }),
    },
    approvals: {
      list: () => run('approvals.list', {}),
      get: (id) => run('approvals.get', { id }),
      answer: (id, answer) => run('approvals.answer', { id, ...answer }),
      answerBatch: (batch, answer) => run('approvals.answerBatch', { batch, ...answer }),
    },
    audit: {
      query: (query = {}) => run('audit.query', query),
      summary: (span) => run('audit.summary', span),
      setRecorded: (server, recorded) => run('audit.setRecorded', { server, recorded }),
    },
    results: {
      list: () => run('results.list', {}),
      page: (id, page) => run('results.page', { id, page }),
      grep: (id, pattern) => run('results.grep', { id, pattern }),
      path: (id, path) => run('results.path', { id, path }),
      remove: (id) => run('results.remove', { id }),
    },
  };
}
