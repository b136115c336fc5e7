import { defined } from '../../base/defined.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import type { Endpoint, ServerDefinition } from '../../servers/definition.ts';
import { asksForSecret } from '../../servers/plans/secret-fields.ts';
import { fillPlan, withChosen } from '../../servers/plans/fill.ts';
import { needsOf } from '../../servers/plans/needs.ts';
import { referenceIn } from '../../servers/plans/secret-references.ts';
import { withNeeds } from '../../servers/plans/with-needs.ts';
import { addServer } from '../add-server.ts';
import type { InstallOptions, InstallOutcome, InstallRequest, TryOutcome } from '../hub.ts';
import { lifecycleOf } from '../lifecycle.ts';
import { tryServer } from '../try-server.ts';
import type { Workspace } from '../workspace.ts';
import { freeIdFor } from './free-name.ts';
import { offerOf } from './offer.ts';
import type { PlanCore } from './open.ts';
import type { MadePlan } from './plan-pasted.ts';

export interface Install {
  readonly made: MadePlan;
  readonly request: Omit<InstallRequest, 'plan'>;
  readonly options: InstallOptions;
}

/** A plan is filled once, tried once and saved once; what a failed start asks for becomes a field of it. */
export async function install(core: PlanCore, workspace: Workspace, work: Install): Promise<InstallOutcome> {
  const { made, request, options } = work;
  const { test = true, replace = false } = request;
  const wanted = definitionOf(made, request);
  // A face hands back the name of the plan where its user chose no other.
  const isNamed = (request.id !== undefined && request.id !== made.plan.id) || replace;
  const id = isNamed ? wanted.definition.id : freeIdFor(workspace, wanted.definition, made.publisher);
  const isRenamed = id !== wanted.definition.id;
  const filled = isRenamed ? definitionOf(made, { ...request, id }) : wanted;
  const told = isRenamed ? ` It is named ${id}: ${wanted.definition.id} is another server.` : '';
  const lifecycle = lifecycleOf(core, workspace);
  const how = { ...options, test, replace };
  const outcome = await withFields(
    core,
    made,
    addServer(core, workspace, lifecycle, { filled, options: how }),
  );
  const secrets = filled.secrets.map(({ name }) => name);
  return { ...outcome, summary: `${outcome.summary}${told}`, secrets };
}

/** As an installation would, with nothing left in vault or database. */
export async function tryPlan(core: PlanCore, workspace: Workspace, work: Install): Promise<TryOutcome> {
  const { made, request, options } = work;
  const filled = definitionOf(made, request);
  const trial = tryServer(core, workspace, { filled, options }, async ({ summary, tools, signIn }) => ({
    summary,
    tools,
    ...defined({ signIn }),
  }));
  return withFields(core, made, trial);
}

async function withFields<T>(core: PlanCore, made: MadePlan, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const failure = toPlugError(error);
    const needs = needsOf(failure.details);
    if (needs.length === 0) throw error;
    const { code, message, owner, server, remedy, details } = failure;
    const offer = offerOf(core, { ...made, plan: withNeeds(made.plan, needs) });
    throw new PlugError(code, message, {
      owner,
      remedy,
      cause: error,
      ...defined({ server }),
      details: { ...details, offer },
    });
  }
}

function definitionOf(
  { plan, given, kept, settings }: MadePlan,
  { id = plan.id, values = {}, env = {}, headers = {} }: Install['request'],
): ReturnType<typeof fillPlan> {
  const own = Object.entries(given).map(([field, secret]) => [field, secret.reveal()] as const);
  const [byEnv, moreEnv] = sorted(plan, 'env', env);
  const [byHeader, moreHeaders] = sorted(plan, 'header', headers);
  const all = { ...Object.fromEntries(own), ...byEnv, ...byHeader, ...values };
  // The plan said what is known of its version, and the user agreed to that plan.
  const filled = fillPlan(plan, all, { id, allowUnpinned: true });
  const secrets = [...filled.secrets];
  const chosen = new Set<string>();
  const more = (given: Texts): Texts =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        const reference = referenceIn(value);
        if (reference !== undefined) {
          chosen.add(reference);
          return [name, reference];
        }
        if (!asksForSecret(name)) return [name, value];
        const [, scheme = '', key = value] = /^((?:bearer|basic|token)\s+)(\S.*)$/i.exec(value) ?? [];
        const kept = `${id}/${name.replaceAll(/[^\w.@-]+/g, '_')}`;
        secrets.push({ name: kept, value: new Secret(key) });
        return [name, `${scheme}\${vault:${kept}}`];
      }),
    );
  const endpoint = withMore(
    keeping(filled.definition.endpoint, kept),
    { env: moreEnv, headers: moreHeaders },
    more,
  );
  const source = withChosen(filled.definition.source, chosen);
  const definition: ServerDefinition = { ...filled.definition, ...settings, endpoint, source };
  return { definition, secrets };
}

type Texts = Readonly<Record<string, string>>;

/** A variable or header that the plan has a field for is the value of that field. */
function sorted({ form }: MadePlan['plan'], where: 'env' | 'header', given: Texts): readonly [Texts, Texts] {
  const values: Record<string, string> = {};
  const more: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const id = `${where}:${name}`;
    const same = (other: string): boolean =>
      where === 'env' ? other === id : other.toLowerCase() === id.toLowerCase();
    const field = form.find((each) => same(each.id));
    if (field) values[field.id] = value;
    else more[name] = value;
  }
  return [values, more];
}

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
  if (kept.length === 0) return endpoint;
  const restored = (text: string): string =>
    kept.reduce((sum, reference) => sum.replaceAll(`$${reference}`, () => reference), text);
  const all = (texts: Texts): Texts =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, restored(text)]));
  if (endpoint.kind !== 'stdio')
    return { ...endpoint, url: restored(endpoint.url), headers: all(endpoint.headers) };
  return {
    ...endpoint,
    command: restored(endpoint.command),
    args: endpoint.args.map(restored),
    ...(endpoint.cwd === undefined ? {} : { cwd: restored(endpoint.cwd) }),
    env: all(endpoint.env),
  };
}

function misplaced(message: string): PlugError {
  return new PlugError('usage', message, { owner: 'you' });
}
