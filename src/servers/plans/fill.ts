import { escapeLiteral } from '../placeholders.ts';
import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import {
  type Endpoint,
  type PackageRef,
  type ServerDefinition,
  type Source,
  defineServer,
} from '../definition.ts';
import { problemOfUrlTemplate } from '../server-url.ts';
import { referenceIn } from './secret-references.ts';
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

/** Missing or wrong values are reported. */
export function fillPlan(
  plan: InstallPlan,
  values: Readonly<Record<string, FieldValue>>,
  options: FillOptions = {},
): FilledPlan {
  const id = options.id ?? plan.id;
  const given = readValues(plan, values);
  checkPinned(plan, options.allowUnpinned === true);
  const { package: pack, title, source } = plan;
  // Whoever names it themselves finds it again by that name.
  const name = id === plan.id ? title : id;
  const writer = new Writer(id, given, pack && specOf(pack));
  const endpoint = endpointOf(plan, writer);
  const auth = authOf(plan, given);
  const definition = defineServer({
    id,
    name,
    endpoint,
    auth,
    source: withChosen(source, writer.chosen),
    ...defined({ package: pack && refOf(pack) }),
  });
  return { definition, secrets: [...writer.secrets].map(([secret, value]) => ({ name: secret, value })) };
}

export function withChosen(source: Source, chosen: Iterable<string>): Source {
  const all = [...new Set([...(source.chosen ?? []), ...chosen])];
  return all.length === 0 ? source : { ...source, chosen: all };
}

function endpointOf({ target, title }: InstallPlan, writer: Writer): Endpoint {
  if (target.kind === 'bundle') {
    const message = `The bundle of “${title}” has to be downloaded and unpacked first.`;
    throw new PlugError('usage', message, { owner: 'plugboard' });
  }
  if (target.kind === 'command') {
    const env = writer.record(target.env);
    const args = target.args.flatMap((argument) => writer.argument(argument, env));
    const cwd = target.cwd === undefined ? {} : { cwd: escapeLiteral(target.cwd) };
    return { kind: 'stdio', command: escapeLiteral(target.command), args, env, ...cwd };
  }
  const url = writer.url(target.url, target.query);
  const problem = problemOfUrlTemplate(url);
  if (problem === undefined)
    return { kind: target.transport, url, headers: writer.record(target.headers, true) };
  throw new PlugError('bad_config', `With these values the address cannot be used: ${problem}.`, {
    owner: 'you',
  });
}

/** The approval is for one version. */
function checkPinned({ package: pack, title }: InstallPlan, allowed: boolean): void {
  if (pack === undefined || allowed || pack.registry === 'oci') return;
  if (pack.pinned === 'exact' || pack.pinned === 'content') return;
  const { name, registry, version = null } = pack;
  throw new PlugError('bad_config', `Which version of ${name} is meant by “${title}” is not known yet.`, {
    owner: 'you',
    remedy: `Name a version, as in ${name}${registry === 'pypi' ? '==' : '@'}1.2.3, or go online.`,
    details: { package: name, version },
  });
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
  readonly secrets = new Map<string, Secret>();
  /** Where the user keeps keys besides the vault. */
  readonly chosen = new Set<string>();

  constructor(server: string, given: ReadonlyMap<string, GivenValue>, spec: string | undefined) {
    this.#server = server;
    this.#given = given;
    this.#package = spec;
  }

  record(values: readonly PlanValue[], areHeaders = false): Readonly<Record<string, string>> {
    return Object.fromEntries(
      values
        .filter(({ text }) => this.#complete(text))
        .map(({ name, text }) => [name, areHeaders ? this.#header(name, text) : this.#text(text)]),
    );
  }

  /** Values are percent-encoded, so that none can change the rest of the URL. */
  url(text: PlanText, query: readonly PlanValue[]): string {
    const whole = text.map((part, index) => this.#inAddress(part, index === 0)).join('');
    const pairs = query
      .filter((value) => this.#complete(value.text))
      .map((value) => {
        const parts = value.text.map((part) => this.#inAddress(part));
        return `${encodeURIComponent(value.name)}=${parts.join('')}`;
      });
    if (pairs.length === 0) return whole;
    return `${whole}${whole.includes('?') ? '&' : '?'}${pairs.join('&')}`;
  }

  argument(
    { flag, text, style, whenEnv }: PlanArgument,
    env: Readonly<Record<string, string>>,
  ): readonly string[] {
    if (whenEnv !== undefined && !Object.hasOwn(env, whenEnv)) return [];
    const option = flag === undefined ? [] : [escapeLiteral(flag)];
    if (text === undefined) return option;
    if (!this.#complete(text)) return [];
    const many = this.#onlyField(text);
    if (flag !== undefined && many?.field.kind === 'boolean') return many.texts[0] === 'true' ? option : [];
    // Several values make one argument each.
    const values = many && many.texts.length > 1 ? many.texts.map(escapeLiteral) : [this.#text(text)];
    const isJoined = flag !== undefined && style === 'equals';
    return values.flatMap((value) => (isJoined ? [`${option[0]}=${value}`] : [...option, value]));
  }

  #onlyField(text: PlanText): GivenValue | undefined {
    const [only] = text;
    return text.length === 1 && typeof only === 'object' && 'field' in only
      ? this.#given.get(only.field)
      : undefined;
  }

  #complete(text: PlanText): boolean {
    return text.every((part) => typeof part === 'string' || 'package' in part || this.#given.has(part.field));
  }

  #text(text: PlanText): string {
    return text.map((part) => this.#part(part)).join('');
  }

  #part(part: PlanPart): string {
    if (typeof part === 'string') return escapeLiteral(part);
    if ('package' in part) return this.#package ?? '';
    const given = this.#given.get(part.field);
    if (given === undefined) return '';
    return given.field.kind === 'secret' ? this.#keep(given, '') : escapeLiteral(given.texts.join(','));
  }

  #inAddress(part: PlanPart, first = false): string {
    if (typeof part === 'string') return escapeLiteral(part);
    const given = 'field' in part ? this.#given.get(part.field) : undefined;
    if (given === undefined) return '';
    if (given.field.kind === 'secret') return this.#keep(given, '.url');
    const value = given.texts.join(',');
    // A URL that begins with a value is a whole URL, or a host after the scheme.
    return first ? escapeLiteral(value) : encodeURIComponent(value).replaceAll('%3A', ':');
  }

  /** In a URL a secret is encoded, so it is kept in that form as well. */
  #keep({ field, texts: [text = ''] }: GivenValue, form: '' | '.url'): string {
    const reference = referenceIn(text);
    if (reference !== undefined) {
      this.chosen.add(reference);
      return reference;
    }
    const name = `${this.#server}/${field.label.replaceAll(/[^\w.@-]+/g, '_').replace(/^[-.]+/, '')}${form}`;
    this.secrets.set(name, new Secret(form === '' ? text : encodeURIComponent(text)));
    return `\${vault:${name}}`;
  }

  /** People paste the token alone where `Bearer …` is meant, and the whole header where the key is. */
  #header(name: string, text: PlanText): string {
    const given = name.toLowerCase() === 'authorization' ? this.#onlyField(text) : undefined;
    const [typed = ''] = given?.texts ?? [];
    if (given === undefined || given.field.kind !== 'secret') return this.#text(text);
    const [, scheme, key] = /^((?:bearer|basic|token)\s+)(\S.*)$/i.exec(typed) ?? [];
    if (scheme !== undefined && key !== undefined) return scheme + this.#keep({ ...given, texts: [key] }, '');
    const { description = '', placeholder = '' } = given.field;
    const words = `${description} ${placeholder}`.trim();
    const isBearer =
      (!/\s/.test(typed) || referenceIn(typed) !== undefined) && (words === '' || /bearer/i.test(words));
    return (isBearer ? 'Bearer ' : '') + this.#text(text);
  }
}
