import type { Hub } from '../hub/hub.ts';
import { defineServer } from '../servers/definition.ts';
import type { OperationInput, OperationName, OperationOutput } from './operations.ts';

export interface HandleOptions {
  readonly signal: AbortSignal;
  /** Given only when the caller listens: asking a server for progress costs it work. */
  readonly onProgress?: (progress: object) => void;
  /** Likewise: a call begins to wait for a person. */
  readonly onApproval?: (approval: object) => void;
}

/** Operations that belong to the listener rather than to the Hub. */
export type OwnName =
  | 'health'
  | 'openapi'
  | 'status'
  | 'watch'
  | 'shutdown'
  | 'page.link'
  | 'hosts.attach'
  | 'hosts.requests'
  | 'hosts.answer'
  | 'hosts.detach';

export type HubOperationName = Exclude<OperationName, OwnName>;

export type Handler<Name extends OperationName> = (
  hub: Hub,
  input: OperationInput<Name>,
  options: HandleOptions,
) => Promise<OperationOutput<Name>>;

/** Each operation of the Hub, one line: what comes in over HTTP is what the method takes. */
export const handlers: { readonly [Name in HubOperationName]: Handler<Name> } = {
  'servers.list': (hub) => hub.servers.list(),
  'servers.add': (hub, { definition, ...given }, { signal }) =>
    hub.servers.add(defineServer(definition), { ...given, signal }),
  'servers.apply': (hub, { definitions }) =>
    hub.servers.apply(definitions.map((definition) => defineServer(definition))),
  'servers.reload': (hub) => hub.servers.reload(),
  'servers.restartFailed': (hub) => hub.servers.restartFailed(),
  'servers.stopAll': (hub) => hub.servers.stopAll(),
  'servers.ensureStarted': (hub, { ids }) => hub.servers.ensureStarted(ids),
  'servers.waitUntilReady': (hub, input, options) => hub.servers.waitUntilReady({ ...input, ...options }),
  'servers.get': (hub, { id }) => hub.servers.get(id),
  'servers.definition': (hub, { id }) => hub.servers.definition(id),
  'servers.remove': (hub, { id }) => hub.servers.remove(id),
  'servers.enable': (hub, { id }) => hub.servers.enable(id),
  'servers.disable': (hub, { id }) => hub.servers.disable(id),
  'servers.setReadOnly': (hub, { id, readOnly }) => hub.servers.setReadOnly(id, readOnly),
  'servers.trust': (hub, { id, ...given }) => hub.servers.trust(id, given),
  'servers.untrust': (hub, { id }) => hub.servers.untrust(id),
  'servers.start': (hub, { id }, { signal }) => hub.servers.start(id, { signal }),
  'servers.stop': (hub, { id }) => hub.servers.stop(id),
  'servers.restart': (hub, { id }, { signal }) => hub.servers.restart(id, { signal }),
  'servers.reconnect': (hub, { id }, { signal }) => hub.servers.reconnect(id, { signal }),
  'servers.logs': (hub, { id, ...query }) => hub.servers.logs(id, query),
  'servers.events': (hub, query) => hub.servers.events(query),
  'tools.list': (hub, query) => hub.tools.list(query),
  'tools.call': (hub, call, options) => hub.tools.call(call, options),
  'tools.learnedOutputs': (hub, query) => hub.tools.learnedOutputs(query),
  'tools.audit': (hub, query) => hub.tools.audit(query),
  'tools.render': (hub, query) => hub.tools.render(query),
  'tools.setEnabled': (hub, { ref, enabled }) => hub.tools.setEnabled(ref, enabled),
  'tools.setRisk': (hub, { ref, risk }) => hub.tools.setRisk(ref, risk),
  'tools.approve': (hub, { ref, ...given }) => hub.tools.approve(ref, given),
  'resources.list': (hub, query) => hub.resources.list(query),
  'resources.read': (hub, request, options) => hub.resources.read(request, options),
  'resources.subscribe': (hub, request) => hub.resources.subscribe(request),
  'resources.unsubscribe': (hub, request) => hub.resources.unsubscribe(request),
  'prompts.list': (hub, query) => hub.prompts.list(query),
  'prompts.get': (hub, request, options) => hub.prompts.get(request, options),
  'prompts.complete': (hub, request, options) => hub.prompts.complete(request, options),
  'prompts.setLogLevel': (hub, request) => hub.prompts.setLogLevel(request),
  'accounts.list': (hub, query) => hub.accounts.list(query),
  'accounts.signIn': (hub, request, options) => hub.accounts.signIn(request, options),
  'accounts.answer': (hub, request) => hub.accounts.answer(request),
  'accounts.signOut': (hub, request) => hub.accounts.signOut(request),
  'accounts.setDefault': (hub, request) => hub.accounts.setDefault(request),
  'secrets.list': (hub) => hub.secrets.list(),
  'secrets.set': (hub, { name, value }) => hub.secrets.set(name, value),
  'secrets.remove': (hub, { name }) => hub.secrets.remove(name),
  'secrets.rotate': (hub, request) => hub.secrets.rotate(request),
  'secrets.unlock': (hub, { passphrase }) => hub.secrets.unlock(passphrase),
  'imports.scan': (hub, query) => hub.imports.scan(query),
  'imports.run': (hub, request) => hub.imports.run(request),
  'registries.search': (hub, query, { signal }) => hub.registries.search(query, { signal }),
  'registries.sync': (hub, request, { signal }) => hub.registries.sync(request, { signal }),
  'plans.make': (hub, request, { signal }) => hub.plans.make(request, { signal }),
  'plans.unpack': (hub, request, { signal }) => hub.plans.unpack(request, { signal }),
  'plans.install': (hub, request, options) => hub.plans.install(request, options),
  'plans.try': (hub, request, options) => hub.plans.try(request, options),
  'plans.recognise': (hub, request) => hub.plans.recognise(request),
  'plans.readImage': (hub, request, { signal }) => hub.plans.readImage(request, { signal }),
  'servers.setApps': (hub, { id, shown }) => hub.servers.setApps(id, shown),
  'servers.credentials': (hub, { id }) => hub.servers.credentials(id),
  'servers.icon': (hub, { id }) => hub.servers.icon(id),
  'registries.list': (hub) => hub.registries.list(),
  'registries.save': (hub, registry) => hub.registries.save(registry),
  'registries.remove': (hub, { name }) => hub.registries.remove(name),
  'audit.summary': (hub, span) => hub.audit.summary(span),
  'configuring.turn': (hub, request, options) => hub.configuring.turn(request, options),
  'settings.get': (hub) => hub.settings.get(),
  'settings.change': (hub, change) => hub.settings.change(change),
  'profiles.list': (hub) => hub.profiles.list(),
  'profiles.save': (hub, profile) => hub.profiles.save(profile),
  'profiles.remove': (hub, { name }) => hub.profiles.remove(name),
  'policy.explain': (hub, request) => hub.policy.explain(request),
  'policy.defaults': (hub) => hub.policy.defaults(),
  'policy.setDefaults': (hub, change) => hub.policy.setDefaults(change),
  'policy.rules': (hub) => hub.policy.rules(),
  'grants.list': (hub, query) => hub.grants.list(query),
  'grants.add': (hub, grant) => hub.grants.add(grant),
  'grants.revoke': (hub, { id }) => hub.grants.revoke(id),
  'approvals.list': (hub) => hub.approvals.list(),
  'approvals.get': (hub, { id }) => hub.approvals.get(id),
  'approvals.answer': (hub, { id, ...answer }) => hub.approvals.answer(id, answer),
  'approvals.answerBatch': (hub, { batch, ...answer }) => hub.approvals.answerBatch(batch, answer),
  'audit.query': (hub, query) => hub.audit.query(query),
  'audit.setRecorded': (hub, { server, recorded }) => hub.audit.setRecorded(server, recorded),
  'results.list': (hub) => hub.results.list(),
  'results.page': (hub, { id, page }) => hub.results.page(id, page),
  'results.grep': (hub, { id, pattern }) => hub.results.grep(id, pattern),
  'results.path': (hub, { id, path }) => hub.results.path(id, path),
  'results.remove': (hub, { id }) => hub.results.remove(id),
  'models.list': (hub) => hub.models.list(),
  'models.save': (hub, model) => hub.models.save(model),
  'models.remove': (hub, { name }) => hub.models.remove(name),
  'models.setDefault': (hub, { name }) => hub.models.setDefault(name),
  'models.offered': (hub, request) => hub.models.offered(request),
  'chat.turn': (hub, request, options) => hub.chat.turn(request, options),
  'chat.suggest': (hub, request) => hub.chat.suggest(request),
  'doctor.run': (hub, request, options) => hub.doctor.run(request, options),
  'doctor.fix': (hub, request) => hub.doctor.fix(request),
  'backups.make': (hub, request) => hub.backups.make(request),
  'backups.check': (hub, request) => hub.backups.check(request),
  'backups.restore': (hub, request) => hub.backups.restore(request),
};

export function isHubOperation(name: OperationName): name is HubOperationName {
  return Object.hasOwn(handlers, name);
}
