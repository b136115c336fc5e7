import type { operations, Area } from './operations/table.ts';
import type { Principal, Space, TeamRole } from './principal.ts';

/** Whether somebody may use an operation on the rows of this space. What is not in the table, nobody may. */
export function mayInTeam({ team }: Pick<Principal, 'team'>, operation: string): boolean {
  if (!team) return true;
  const access = Object.hasOwn(ACCESS, operation) ? ACCESS[operation as OperationId] : 'never';
  return ALLOWED[access](team.role, team.space);
}

/**
 * `use`: what people do with their own, and admins with the team's. `look`: the same, and auditors see the
 * team's. `records`: calls with their arguments and results; those of others only auditors see.
 * `never`: it would touch the machine of the hub, or is not made for many people yet.
 */
export type Access = 'use' | 'look' | 'records' | 'never';

const ALLOWED: Readonly<Record<Access, (role: TeamRole, space: Space) => boolean>> = {
  use: (role, space) => role !== 'auditor' && (space === 'own' || (space === 'team' && isAdmin(role))),
  look: (role, space) => space === 'own' || (space === 'team' && (isAdmin(role) || role === 'auditor')),
  records: (role, space) => role === 'auditor' || space === 'own',
  never: () => false,
};

function isAdmin(role: TeamRole): boolean {
  return role === 'owner' || role === 'admin';
}

type IdOf<Name extends Area> = `${Name}.${Extract<keyof (typeof operations)[Name], string>}`;

export type OperationId = { readonly [Name in Area]: IdOf<Name> }[Area] | ListenerOperationId;

/** Those of the listener, which are no methods of the hub. */
type ListenerOperationId =
  | 'health'
  | 'openapi'
  | 'status'
  | 'watch'
  | 'shutdown'
  | 'page.link'
  | `hosts.${'requests' | 'answer' | 'detach'}`;

/** The compiler wants a row for each operation: a new one can't be forgotten. */
export const ACCESS: Readonly<Record<OperationId, Access>> = {
  'servers.list': 'look',
  'servers.add': 'use',
  'servers.apply': 'use',
  'servers.reload': 'use',
  'servers.restartFailed': 'use',
  'servers.stopAll': 'use',
  'servers.ensureStarted': 'use',
  'servers.waitUntilReady': 'use',
  'servers.get': 'look',
  'servers.definition': 'use',
  'servers.remove': 'use',
  'servers.enable': 'use',
  'servers.disable': 'use',
  'servers.setReadOnly': 'use',
  'servers.setApps': 'use',
  'servers.credentials': 'use',
  'servers.icon': 'look',
  'servers.trust': 'use',
  'servers.install': 'never',
  'servers.untrust': 'use',
  'servers.start': 'use',
  'servers.stop': 'use',
  'servers.restart': 'use',
  'servers.reconnect': 'use',
  'servers.logs': 'use',
  'servers.traffic': 'use',
  'servers.recordTraffic': 'use',
  'servers.events': 'look',
  'tools.list': 'look',
  'tools.call': 'use',
  'tools.learnedOutputs': 'use',
  'tools.learnedQueries': 'use',
  'tools.clearLearnedQueries': 'use',
  'tools.search': 'use',
  'tools.audit': 'look',
  'tools.render': 'use',
  'tools.setEnabled': 'use',
  'tools.setRisk': 'use',
  'tools.approve': 'use',
  'tools.task': 'use',
  'resources.list': 'look',
  'resources.read': 'use',
  'resources.subscribe': 'use',
  'resources.unsubscribe': 'use',
  'resources.extension': 'use',
  'prompts.list': 'look',
  'prompts.get': 'use',
  'prompts.complete': 'use',
  'prompts.setLogLevel': 'use',
  'profiles.list': 'look',
  'profiles.save': 'use',
  'profiles.remove': 'use',
  // Hosts of people have API keys instead.
  'hosts.list': 'never',
  'hosts.add': 'never',
  'hosts.revoke': 'never',
  'hosts.attach': 'use',
  'hosts.requests': 'use',
  'hosts.answer': 'use',
  'hosts.detach': 'use',
  'accounts.list': 'look',
  'accounts.signIn': 'use',
  'accounts.answer': 'use',
  'accounts.setKeys': 'use',
  'accounts.signOut': 'use',
  'accounts.setDefault': 'use',
  'secrets.list': 'use',
  'secrets.set': 'use',
  'secrets.remove': 'use',
  'secrets.rotate': 'use',
  'secrets.unlock': 'never',
  'secrets.hide': 'use',
  // Files of other programs on the hub's machine.
  'imports.scan': 'never',
  'imports.run': 'never',
  'imports.checklist': 'never',
  'registries.list': 'look',
  'registries.featured': 'look',
  'registries.save': 'never',
  'registries.remove': 'never',
  'registries.search': 'use',
  'registries.sync': 'use',
  'plans.recognize': 'use',
  'plans.readImage': 'never',
  // In a team only of remote servers: see `remote-only.ts`.
  'plans.make': 'use',
  'plans.install': 'use',
  'plans.try': 'use',
  // Bundles are programs.
  'plans.unpack': 'never',
  'policy.explain': 'look',
  'policy.defaults': 'look',
  'policy.setDefaults': 'use',
  'policy.rules': 'look',
  'grants.list': 'look',
  'grants.add': 'use',
  'grants.revoke': 'use',
  'approvals.list': 'use',
  'approvals.get': 'use',
  'approvals.answer': 'use',
  'approvals.answerBatch': 'use',
  'audit.query': 'records',
  'audit.summary': 'records',
  'audit.verify': 'records',
  // A record that its subject can switch off proves nothing.
  'audit.setRecorded': 'never',
  'results.list': 'records',
  'results.ofCall': 'records',
  'results.page': 'records',
  'results.grep': 'records',
  'results.path': 'records',
  'results.remove': 'use',
  'results.clear': 'use',
  // Models are reached at addresses of the hub's network.
  'models.list': 'never',
  'models.save': 'never',
  'models.remove': 'never',
  'models.setDefault': 'never',
  'models.offered': 'never',
  'models.found': 'never',
  'models.open': 'never',
  'chat.turn': 'never',
  'chat.follow': 'never',
  'chat.stop': 'never',
  'chat.suggest': 'never',
  'configuring.turn': 'never',
  'settings.get': 'look',
  // It also says how long records are kept.
  'settings.change': 'never',
  'doctor.run': 'never',
  'doctor.fix': 'never',
  'backups.make': 'never',
  'backups.check': 'never',
  'backups.restore': 'never',
  'clients.list': 'never',
  'clients.connect': 'never',
  'clients.disconnect': 'never',
  'changes.list': 'look',
  'changes.undo': 'use',
  'changes.clear': 'use',
  'setup.plan': 'never',
  'setup.run': 'never',
  'updates.list': 'never',
  'updates.plan': 'never',
  'updates.apply': 'never',
  health: 'look',
  openapi: 'look',
  status: 'look',
  watch: 'use',
  shutdown: 'never',
  'page.link': 'never',
};
