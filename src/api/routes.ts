import { limits } from '../base/limits.ts';
import type { OperationName } from './operations.ts';

/** How an operation of the Hub travels: one line each, data only, so that every face can read it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `:name` takes the input field of that name; the rest goes into the query or the body. */
  readonly path: `/${string}`;
  /** `progress`: may stream progress before its result. `events`: never ends by itself. */
  readonly stream?: 'progress' | 'events';
  /** Of its body, where it is more than others may have. */
  readonly bodyBytesMax?: number;
}

export const routes: Readonly<Record<OperationName, Route>> = {
  health: { method: 'GET', path: '/health' },
  openapi: { method: 'GET', path: '/v1/openapi.json' },
  status: { method: 'GET', path: '/v1/status' },
  watch: { method: 'GET', path: '/v1/events', stream: 'events' },
  shutdown: { method: 'POST', path: '/v1/shutdown' },

  'servers.list': { method: 'GET', path: '/v1/servers' },
  'servers.add': { method: 'POST', path: '/v1/servers', stream: 'progress' },
  'servers.apply': { method: 'PUT', path: '/v1/servers' },
  'servers.reload': { method: 'POST', path: '/v1/servers/reload' },
  'servers.restartFailed': { method: 'POST', path: '/v1/servers/restart-failed' },
  'servers.stopAll': { method: 'POST', path: '/v1/servers/stop-all' },
  'servers.ensureStarted': { method: 'POST', path: '/v1/servers/ensure-started' },
  'servers.waitUntilReady': { method: 'POST', path: '/v1/servers/wait', stream: 'progress' },
  'servers.get': { method: 'GET', path: '/v1/servers/:id' },
  'servers.definition': { method: 'GET', path: '/v1/servers/:id/definition' },
  'servers.remove': { method: 'DELETE', path: '/v1/servers/:id' },
  'servers.enable': { method: 'POST', path: '/v1/servers/:id/enable' },
  'servers.disable': { method: 'POST', path: '/v1/servers/:id/disable' },
  'servers.setReadOnly': { method: 'POST', path: '/v1/servers/:id/read-only' },
  'servers.trust': { method: 'POST', path: '/v1/servers/:id/trust' },
  'servers.untrust': { method: 'POST', path: '/v1/servers/:id/untrust' },
  'servers.start': { method: 'POST', path: '/v1/servers/:id/start', stream: 'progress' },
  'servers.stop': { method: 'POST', path: '/v1/servers/:id/stop' },
  'servers.restart': { method: 'POST', path: '/v1/servers/:id/restart', stream: 'progress' },
  'servers.reconnect': { method: 'POST', path: '/v1/servers/:id/reconnect', stream: 'progress' },
  'servers.logs': { method: 'GET', path: '/v1/servers/:id/logs' },
  'servers.events': { method: 'GET', path: '/v1/history' },

  'tools.list': { method: 'GET', path: '/v1/tools' },
  'tools.call': { method: 'POST', path: '/v1/calls', stream: 'progress' },
  'tools.learnedOutputs': { method: 'GET', path: '/v1/tools/learned-outputs' },
  'tools.audit': { method: 'GET', path: '/v1/tools/audit' },
  'tools.render': { method: 'GET', path: '/v1/tools/rendered' },
  'tools.setEnabled': { method: 'PUT', path: '/v1/tools/enabled' },
  'tools.setRisk': { method: 'PUT', path: '/v1/tools/risk' },
  'tools.approve': { method: 'POST', path: '/v1/tools/approve' },

  'policy.explain': { method: 'POST', path: '/v1/policy/explain' },
  'policy.defaults': { method: 'GET', path: '/v1/policy/defaults' },
  'policy.setDefaults': { method: 'PUT', path: '/v1/policy/defaults' },
  'policy.rules': { method: 'GET', path: '/v1/policy/rules' },

  'grants.list': { method: 'GET', path: '/v1/grants' },
  'grants.add': { method: 'POST', path: '/v1/grants' },
  'grants.revoke': { method: 'DELETE', path: '/v1/grants/:id' },

  'approvals.list': { method: 'GET', path: '/v1/approvals' },
  'approvals.get': { method: 'GET', path: '/v1/approvals/:id' },
  'approvals.answer': { method: 'POST', path: '/v1/approvals/:id/answer' },
  'approvals.answerBatch': { method: 'POST', path: '/v1/approval-batches/:batch/answer' },

  'audit.query': { method: 'GET', path: '/v1/audit' },
  'audit.setRecorded': { method: 'PUT', path: '/v1/audit/recorded' },

  'results.list': { method: 'GET', path: '/v1/results' },
  'results.page': { method: 'GET', path: '/v1/results/:id/pages/:page' },
  // A pattern or a path may be longer than an address.
  'results.grep': { method: 'POST', path: '/v1/results/:id/grep' },
  'results.path': { method: 'POST', path: '/v1/results/:id/path' },
  'results.remove': { method: 'DELETE', path: '/v1/results/:id' },

  'resources.list': { method: 'GET', path: '/v1/resources' },
  'resources.read': { method: 'POST', path: '/v1/resources/read', stream: 'progress' },
  'resources.subscribe': { method: 'POST', path: '/v1/resources/subscribe' },
  'resources.unsubscribe': { method: 'POST', path: '/v1/resources/unsubscribe' },

  'prompts.list': { method: 'GET', path: '/v1/prompts' },
  'prompts.get': { method: 'POST', path: '/v1/prompts/get', stream: 'progress' },
  'prompts.complete': { method: 'POST', path: '/v1/completions', stream: 'progress' },
  'prompts.setLogLevel': { method: 'POST', path: '/v1/log-level' },

  'profiles.list': { method: 'GET', path: '/v1/profiles' },
  'profiles.save': { method: 'PUT', path: '/v1/profiles/:name' },
  'profiles.remove': { method: 'DELETE', path: '/v1/profiles/:name' },

  'accounts.list': { method: 'GET', path: '/v1/accounts' },
  'accounts.signIn': { method: 'POST', path: '/v1/accounts/sign-in', stream: 'progress' },
  'accounts.answer': { method: 'POST', path: '/v1/accounts/answer' },
  'accounts.signOut': { method: 'POST', path: '/v1/accounts/sign-out' },
  'accounts.setDefault': { method: 'POST', path: '/v1/accounts/default' },

  'secrets.list': { method: 'GET', path: '/v1/secrets' },
  'secrets.set': { method: 'PUT', path: '/v1/secrets' },
  'secrets.remove': { method: 'POST', path: '/v1/secrets/remove' },
  'secrets.rotate': { method: 'POST', path: '/v1/secrets/rotate' },
  'secrets.unlock': { method: 'POST', path: '/v1/secrets/unlock' },

  'imports.scan': { method: 'POST', path: '/v1/imports/scan' },
  'imports.run': { method: 'POST', path: '/v1/imports' },

  'registries.search': { method: 'POST', path: '/v1/registries/search', stream: 'progress' },
  'registries.sync': { method: 'POST', path: '/v1/registries/sync', stream: 'progress' },

  'plans.make': { method: 'POST', path: '/v1/plans', stream: 'progress' },
  'plans.unpack': { method: 'POST', path: '/v1/plans/:plan/unpack', stream: 'progress' },
  'plans.install': { method: 'POST', path: '/v1/plans/:plan/install', stream: 'progress' },

  'models.list': { method: 'GET', path: '/v1/models' },
  'models.save': { method: 'PUT', path: '/v1/models/:name' },
  'models.remove': { method: 'DELETE', path: '/v1/models/:name' },
  'models.setDefault': { method: 'POST', path: '/v1/models/:name/default' },
  'models.offered': { method: 'POST', path: '/v1/models/offered' },

  'chat.turn': { method: 'POST', path: '/v1/chat', stream: 'progress' },
  'chat.suggest': { method: 'POST', path: '/v1/chat/suggest' },

  'doctor.run': { method: 'POST', path: '/v1/doctor', stream: 'progress' },
  'doctor.fix': { method: 'POST', path: '/v1/doctor/fix' },

  'backups.make': { method: 'POST', path: '/v1/backups' },
  'backups.check': { method: 'POST', path: '/v1/backups/check' },
  'backups.restore': { method: 'POST', path: '/v1/backups/restore' },

  'page.link': { method: 'POST', path: '/v1/page/link' },
  'servers.setApps': { method: 'POST', path: '/v1/servers/:id/apps' },
  'servers.credentials': { method: 'GET', path: '/v1/servers/:id/credentials' },
  'servers.icon': { method: 'GET', path: '/v1/servers/:id/icon' },
  'registries.list': { method: 'GET', path: '/v1/registries' },
  'registries.save': { method: 'PUT', path: '/v1/registries/:name' },
  'registries.remove': { method: 'DELETE', path: '/v1/registries/:name' },
  'plans.recognise': { method: 'POST', path: '/v1/plans/recognise' },
  'plans.readImage': {
    method: 'POST',
    path: '/v1/plans/read-image',
    stream: 'progress',
    bodyBytesMax: limits.apiImageBodyBytesMax,
  },
  'plans.try': { method: 'POST', path: '/v1/plans/:plan/try', stream: 'progress' },
  'audit.summary': { method: 'GET', path: '/v1/audit/summary' },
  'configuring.turn': { method: 'POST', path: '/v1/configuring', stream: 'progress' },
  'settings.get': { method: 'GET', path: '/v1/settings' },
  'settings.change': { method: 'PUT', path: '/v1/settings' },

  'hosts.attach': { method: 'POST', path: '/v1/hosts' },
  'hosts.requests': { method: 'GET', path: '/v1/hosts/:id/requests', stream: 'events' },
  'hosts.answer': { method: 'POST', path: '/v1/hosts/:id/answers/:requestId' },
  'hosts.detach': { method: 'DELETE', path: '/v1/hosts/:id' },
};

// The keys of `routes` are operation names; Object.keys only forgets it.
export const operationNames: readonly OperationName[] = Object.keys(routes) as OperationName[];

/** Does the input of this route travel in the query rather than in a body? */
export function usesQuery(route: Route): boolean {
  return route.method === 'GET' || route.method === 'DELETE';
}
