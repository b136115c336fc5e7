import { PlugError, toPlugError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import type { Endpoint, ServerDefinition } from '../../servers/definition.ts';
import { asksForSecret } from '../../servers/plans/secret-fields.ts';
import { fillPlan } from '../../servers/plans/fill.ts';
import type { AddOutcome, InstallOptions, InstallOutcome, InstallRequest } from '../hub.ts';
import type { Core } from '../core.ts';
import type { MadePlan } from './plan-pasted.ts';
import { checkRemoteOnly } from '../remote-only.ts';
import { addServer, checkFree, keepSecrets, type NewServer } from '../add-server.ts';
import { lifecycleOf } from '../lifecycle.ts';
import type { Workspace } from '../workspace.ts';

export interface Install {
  readonly made: MadePlan;
  readonly request: Omit<InstallRequest, 'plan'>;
  readonly options: InstallOptions;
}

/** Keys go into the vault, the definition refers to them, and it is saved once it has worked. */
export async function install(core: Core, workspace: Workspace, work: Install): Promise<InstallOutcome> {
  const { made, request, options } = work;
  const { test = true, replace = false } = request;
  const { definition, secrets } = definitionOf(made, request);
  checkRemoteOnly(core, definition);
  checkFree(workspace, definition.id, replace);
  const { undo } = await keepSecrets(core, secrets);
  // One that runs with the old keys would pass the trial of the new ones.
  if (secrets.length > 0 && workspace.knows(definition.id)) {
    await core.pool.stop(definition.id, 'It gets other keys.', 'USER');
  }
  const lifecycle = lifecycleOf(core, workspace);
  const add = (how: NewServer['options']): Promise<AddOutcome> =>
    addServer(core, workspace, lifecycle, { definition, options: { ...options, replace, ...how } });
  const names = secrets.map(({ name }) => name);
  try {
    return { ...(await add({ test })), secrets: names };
  } catch (error) {
    const failure = toPlugError(error);
    if (failure.code !== 'sign_in_needed') {
      await undo();
      throw error;
    }
    // It is there and it answers: what is missing is only its user's own sign-in.
    const saved = await add({ test: false });
    const summary = `Saved ${definition.id}. It works, and waits for you to sign in.`;
    return { ...saved, summary, secrets: names, signIn: true };
  }
}

export function definitionOf(
  { plan, given, kept, settings }: MadePlan,
  { id = plan.id, values = {}, env = {}, headers = {} }: Install['request'],
): ReturnType<typeof fillPlan> {
  const own = Object.entries(given).map(([field, secret]) => [field, secret.reveal()] as const);
  const all = { ...Object.fromEntries(own), ...values };
  // The plan said what is known of its version, and the user agreed to that plan.
  const filled = fillPlan(plan, all, { id, allowUnpinned: true });
  const secrets = [...filled.secrets];
  const more = (given: Texts): Texts =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        if (!asksForSecret(name)) return [name, value];
        const [, scheme = '', key = value] = /^((?:bearer|basic|token)\s+)(\S.*)$/i.exec(value) ?? [];
        const kept = `${id}/${name.replaceAll(/[^\w.@-]+/g, '_')}`;
        secrets.push({ name: kept, value: new Secret(key) });
        return [name, `${scheme}\${vault:${kept}}`];
      }),
    );
  const endpoint = withMore(keeping(filled.definition.endpoint, kept), { env, headers }, more);
  const definition: ServerDefinition = { ...filled.definition, ...settings, endpoint };
  return { definition, secrets };
}

type Texts = Readonly<Record<string, string>>;

function withMore(
  endpoint: Endpoint,
  { env, headers }: { readonly env: Texts; readonly headers: Texts },
  more: (given: Texts) => Texts,
): Endpoint {
  if (endpoint.kind === 'stdio') {
    if (Object.keys(headers).length > 0) throw misplaced('--header is for servers with an address.');
    return { ...endpoint, env: { ...endpoint.env, ...more(env) } };
  }
  if (Object.keys(env).length > 0) throw misplaced('--env is for servers that run a command.');
  return { ...endpoint, headers: { ...endpoint.headers, ...more(headers) } };
}

/** A plan writes every text as it stands; references that were meant as such become ones again. */
function keeping(endpoint: Endpoint, kept: readonly string[]): Endpoint {
  if (endpoint.kind !== 'stdio' || kept.length === 0) return endpoint;
  const restored = (text: string): string =>
    kept.reduce((sum, reference) => sum.replaceAll(`$${reference}`, () => reference), text);
  return {
    ...endpoint,
    command: restored(endpoint.command),
    args: endpoint.args.map(restored),
    ...(endpoint.cwd === undefined ? {} : { cwd: restored(endpoint.cwd) }),
    env: Object.fromEntries(Object.entries(endpoint.env).map(([name, text]) => [name, restored(text)])),
  };
}

function misplaced(message: string): PlugError {
  return new PlugError('usage', message, { owner: 'you' });
}
