import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { type Endpoint, type PackageRef, type ServerDefinition, defineServer } from '../definition.ts';
import { problemOfUrlTemplate } from '../server-url.ts';
import { type FieldValue, type GivenValue, readValues } from './values.ts';
import {
  type InstallPlan,
  type PlanArgument,
  type PlanPackage,
  type PlanPart,
  type PlanText,
  type PlanValue,
  specOf,
} from './plan.ts';

export interface FilledPlan {
  readonly definition: ServerDefinition;
  readonly secrets: readonly { readonly name: string; readonly value: Secret }[];
}

export interface FillOptions {
  readonly id?: string;
  readonly allowUnpinned?: boolean;
}

export function fillPlan(
  plan: InstallPlan,
  values: Readonly<Record<string, FieldValue>>,
  options: FillOptions = {},
): FilledPlan {
  const id = options.id ?? plan.id;
  const given = readValues(plan, values);
  checkPinned(plan, options.allowUnpinned === true);
  const writer = new Writer(id, given, plan.package && specOf(plan.package));
  const endpoint = endpointOf(plan, writer);
  const { package: pack } = plan;
  const definition = defineServer({
    id,
    name: plan.title,
    endpoint,
    auth: authOf(plan, given),
    source: plan.source,
    ...(pack === undefined ? {} : { package: refOf(pack) }),
  });
  return { definition, secrets: writer.secrets() };
}

function endpointOf({ target, title }: InstallPlan, writer: Writer): Endpoint {
  if (target.kind === 'bundle') {
    throw new PlugError('usage', `The bundle of “${title}” has to be downloaded and unpacked first.`, {
      owner: 'plugboard',
    });
  }
  if (target.kind === 'command') {
    const env = writer.record(target.env);
    const args = writer.args(target.args, new Set(Object.keys(env)));
    const cwd = target.cwd === undefined ? {} : { cwd: writer.literal(target.cwd) };
    return { kind: 'stdio', command: writer.literal(target.command), args, env, ...cwd };
  }
  const url = writer.url(target.url, target.query);
  const problem = problemOfUrlTemplate(url);
  if (problem === undefined) return { kind: target.transport, url, headers: writer.headers(target.headers) };
  throw new PlugError('bad_config', `With these values the address cannot be used: ${problem}.`, {
    owner: 'you',
  });
}

/** The approval is for one version. */
function checkPinned({ package: pack, title }: InstallPlan, allowed: boolean): void {
  if (pack === undefined || allowed || pack.registry === 'oci') return;
  if (pack.pinned === 'exact' || pack.pinned === 'content') return;
  throw new PlugError(
    'bad_config',
    `Which version of ${pack.name} is meant by “${title}” is not known yet.`,
    {
      owner: 'you',
      remedy: `Name a version, as in ${pack.name}${pack.registry === 'pypi' ? '==' : '@'}1.2.3, or go online.`,
      details: { package: pack.name, version: pack.version ?? null },
    },
  );
}

function authOf({ auth }: InstallPlan, given: ReadonlyMap<string, GivenValue>): ServerDefinition['auth'] {
  const offered = auth.fields.some((id) => given.has(id));
  // A key given where sign-in is possible is the user's choice.
  if (auth.kind === 'oauth' && offered && auth.fields.every((id) => id.startsWith('header:'))) return 'key';
  if (auth.kind === 'key' && !offered)
    return auth.fields.some((id) => id.startsWith('header:')) ? 'unknown' : 'none';
  return auth.kind;
}

function refOf({ registry, name, version, runtimeHint, integrity }: PlanPackage): PackageRef {
  return { registry, name, version: version ?? '', ...defined({ runtimeHint, integrity }) };
}

class Writer {
  readonly #server: string;
  readonly #given: ReadonlyMap<string, GivenValue>;
  readonly #package: string | undefined;
  readonly #secrets = new Map<string, Secret>();

  constructor(server: string, given: ReadonlyMap<string, GivenValue>, spec: string | undefined) {
    this.#server = server;
    this.#given = given;
    this.#package = spec;
  }

  secrets(): readonly { readonly name: string; readonly value: Secret }[] {
    return [...this.#secrets].map(([name, value]) => ({ name, value }));
  }

  /** Literal text, even if it looks like a placeholder. */
  literal(text: string): string {
    return text.replaceAll('${', () => '$${');
  }

  args(planned: readonly PlanArgument[], env: ReadonlySet<string>): readonly string[] {
    return planned.flatMap((argument) => this.#argument(argument, env));
  }

  record(values: readonly PlanValue[]): Readonly<Record<string, string>> {
    return Object.fromEntries(
      values.filter((value) => this.#complete(value)).map(({ name, text }) => [name, this.#text(text)]),
    );
  }

  headers(values: readonly PlanValue[]): Readonly<Record<string, string>> {
    return Object.fromEntries(
      values
        .filter((value) => this.#complete(value))
        .map(({ name, text }) => [name, this.#scheme(name, text) + this.#text(text)]),
    );
  }

  /** Values are percent-encoded, so that none can change the rest of the URL. */
  url(text: PlanText, query: readonly PlanValue[]): string {
    const whole = text.map((part, index) => this.#inAddress(part, index === 0)).join('');
    const pairs = query
      .filter((value) => this.#complete(value))
      .map(
        ({ name, text: value }) =>
          `${encodeURIComponent(name)}=${value.map((part) => this.#inAddress(part)).join('')}`,
      );
    if (pairs.length === 0) return whole;
    return `${whole}${whole.includes('?') ? '&' : '?'}${pairs.join('&')}`;
  }

  #argument({ flag, text, style, whenEnv }: PlanArgument, env: ReadonlySet<string>): readonly string[] {
    if (whenEnv !== undefined && !env.has(whenEnv)) return [];
    if (text === undefined) return flag === undefined ? [] : [this.literal(flag)];
    if (!this.#complete({ text })) return [];
    const [only] = text;
    const many =
      text.length === 1 && typeof only === 'object' && 'field' in only
        ? this.#given.get(only.field)
        : undefined;
    if (flag !== undefined && many?.field.kind === 'boolean')
      return many.texts[0] === 'true' ? [this.literal(flag)] : [];
    // Several values make one argument each.
    const written =
      many && many.texts.length > 1 ? many.texts.map((each) => this.literal(each)) : [this.#text(text)];
    return written.flatMap((value) => {
      if (flag === undefined) return [value];
      return style === 'equals' ? [`${this.literal(flag)}=${value}`] : [this.literal(flag), value];
    });
  }

  #complete({ text }: { readonly text: PlanText }): boolean {
    return text.every((part) => typeof part === 'string' || 'package' in part || this.#given.has(part.field));
  }

  #text(text: PlanText): string {
    return text.map((part) => this.#part(part)).join('');
  }

  #part(part: PlanPart): string {
    if (typeof part === 'string') return this.literal(part);
    if ('package' in part) return this.#package ?? '';
    const given = this.#given.get(part.field);
    if (given === undefined) return '';
    return given.field.kind === 'secret' ? this.#keep(given, '') : this.literal(given.texts.join(','));
  }

  #inAddress(part: PlanPart, first = false): string {
    if (typeof part === 'string') return this.literal(part);
    const given = 'field' in part ? this.#given.get(part.field) : undefined;
    if (given === undefined) return '';
    if (given.field.kind === 'secret') return this.#keep(given, '.url');
    const value = given.texts.join(',');
    // A URL that begins with a value is a whole URL, or a host after the scheme.
    return first ? this.literal(value) : encodeURIComponent(value).replaceAll('%3A', ':');
  }

  /** In a URL a secret is encoded, so it is kept in that form as well. */
  #keep({ field, texts }: GivenValue, form: '' | '.url'): string {
    const [text = ''] = texts;
    const name = `${this.#server}/${field.label.replaceAll(/[^\w.@-]+/g, '_').replace(/^[-.]+/, '')}${form}`;
    this.#secrets.set(name, new Secret(form === '' ? text : encodeURIComponent(text)));
    return `\${vault:${name}}`;
  }

  /** People paste the token alone where `Bearer …` is meant. */
  #scheme(name: string, text: PlanText): string {
    const [only] = text;
    if (name.toLowerCase() !== 'authorization' || text.length !== 1 || typeof only !== 'object') return '';
    const given = 'field' in only ? this.#given.get(only.field) : undefined;
    const { description = '', placeholder = '' } = given?.field ?? {};
    const words = `${description} ${placeholder}`.trim();
    const alone = given?.texts[0] !== undefined && !/\s/.test(given.texts[0]);
    return alone && (words === '' || /bearer/i.test(words)) ? 'Bearer ' : '';
  }
}
