import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { takeKeys, type PlaintextKey } from '../../servers/clients/plaintext-keys.ts';
import type { Endpoint, ServerDefinition } from '../../servers/definition.ts';
import { definitionFrom } from '../../servers/paste/definition-from.ts';
import type { PastedServer } from '../../servers/paste/paste.ts';
import { findPlaceholders } from '../../servers/placeholders.ts';
import type { PlanChecks } from '../../servers/plans/checks.ts';
import { planPasted } from '../../servers/plans/pasted-plan.ts';
import type { FormField, InstallPlan } from '../../servers/plans/plan.ts';

/** A plan that was made, with what came with it and must not be shown. */
export interface MadePlan {
  readonly plan: InstallPlan;
  /** Keys that stood in the paste, by the field that asks for them. */
  readonly given: Readonly<Record<string, Secret>>;
  /** References to variables of this machine that stay references: `${HOME}`. */
  readonly kept: readonly string[];
  /** What a plan has no place for: timeouts, tool filter, fields of other clients. */
  readonly settings: Partial<
    Pick<
      ServerDefinition,
      'timeouts' | 'tools' | 'readOnly' | 'keepAlive' | 'sharing' | 'enabled' | 'package' | 'icons' | 'extra'
    >
  >;
  readonly publisher?: string;
  readonly docs?: string;
}

/** Readable keys of the paste become filled-in fields, so that no plan, definition or screen holds them. */
export function planFromPaste(
  server: PastedServer,
  given: {
    /** `typed`: by the user, word by word, so that every reference is meant. */
    readonly origin: 'paste' | 'link' | 'typed';
    readonly checks: PlanChecks;
    readonly folder: string;
    /** Of the file that was read, if not the user's own folder. */
    readonly at?: string | undefined;
  },
): MadePlan {
  const { origin, checks, folder } = given;
  const read = definitionFrom(server, { source: { kind: 'manual' }, folder: given.at ?? folder });
  const { definition, keys } = takeKeys(read);
  const keeps = origin === 'typed' || (origin === 'paste' && definition.endpoint.kind === 'stdio');
  const own = origin === 'typed' ? new Set(keys.map(({ name }) => name)) : undefined;
  const asked = new Asked(definition.endpoint, { needs: server.needs, keeps, folder, own });
  // Values that the entry gives for its own inputs are answers, unless the user has others.
  for (const [input, value] of Object.entries(definition.config))
    if (typeof value === 'string') asked.fallbacks.set(input, value);
  checkProgram(server, asked);
  const planned = planPasted(
    { name: server.name, ...asked.server },
    {
      ...checks,
      origin: origin === 'link' ? 'link' : 'paste',
    },
  );
  if (planned.kind === 'refused') {
    throw new PlugError('denied', `“${definition.name}” is not added: ${planned.why}.`, { owner: 'you' });
  }
  const { timeouts, tools, readOnly, keepAlive, sharing, enabled, package: said } = definition;
  const { package: found } = planned.plan;
  // A checksum that the entry carries holds for the version that it names.
  const isSaid = said?.name === found?.name && said?.version === found?.version;
  const integrity = found?.integrity ?? (isSaid ? said?.integrity : undefined);
  const pack = found ? { package: { ...found, ...defined({ integrity }) } } : {};
  const extra = withoutKeys(read.extra, keys);
  const form = planned.plan.form.map((field) => described(field, { server, asked, keys }));
  // A link's keys are its author's: the user gives their own.
  const values = origin === 'link' ? [] : keys.flatMap((key) => valueOf(key, form));
  return {
    plan: { ...planned.plan, ...pack, form, id: definition.id, title: definition.name },
    given: Object.fromEntries(values),
    kept: [...asked.kept],
    settings: {
      timeouts,
      tools,
      readOnly,
      keepAlive,
      sharing,
      enabled,
      extra,
      ...(found || !said ? {} : { package: said }),
    },
  };
}

/** A program or folder that is only an example cannot be asked for like a key: it is part of what is shown. */
function checkProgram({ name, command, cwd }: PastedServer, { server }: Asked): void {
  const isExample = (text: string | undefined): boolean => text?.includes('${input:') === true;
  if (!isExample(server.command) && !isExample(server.cwd)) return;
  const what = isExample(server.command) ? 'program' : 'folder';
  const written = what === 'program' ? command : cwd;
  const who = name === null ? 'This server' : `“${name}”`;
  const remedy = `Put the real path of the ${what} into the text, then add it again.`;
  const why = `${who} names an example in place of its ${what}: ${written}.`;
  throw new PlugError('missing_input', why, { owner: 'you', remedy });
}

interface AskedOptions {
  readonly needs: readonly string[];
  readonly keeps: boolean;
  readonly folder: string;
  /** Names of the keys that stood here; undefined if every secret is to be asked for. */
  readonly own: ReadonlySet<string> | undefined;
}

/** The pasted texts with everything that is to be asked for marked in one way. */
class Asked {
  readonly needs = new Set<string>();
  readonly kept = new Set<string>();
  readonly fallbacks: Map<string, string>;
  readonly server: Omit<Parameters<typeof planPasted>[0], 'name'>;
  readonly #given: AskedOptions;

  constructor(endpoint: Endpoint, given: AskedOptions) {
    this.#given = given;
    // Editors fill this in with the folder that is open in them.
    this.fallbacks = new Map([['workspaceFolder', given.folder]]);
    const all = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, this.#mark(text)]));
    const texts =
      endpoint.kind === 'stdio'
        ? {
            command: this.#mark(endpoint.command),
            args: endpoint.args.map((arg) => this.#mark(arg)),
            env: all(endpoint.env),
            ...(endpoint.cwd === undefined ? {} : { cwd: this.#mark(endpoint.cwd) }),
          }
        : { url: this.#mark(endpoint.url), headers: all(endpoint.headers) };
    // `password` may be sample text: a file is taken at its word, a person is asked.
    const env = endpoint.kind === 'stdio' ? endpoint.env : {};
    const maybe = given.needs.filter((name) => Object.hasOwn(env, name));
    this.server = { transport: endpoint.kind, ...texts, needs: [...new Set([...this.needs, ...maybe])] };
  }

  #mark(text: string): string {
    let marked = text;
    for (const { kind, name, fallback, text: written } of findPlaceholders(text)) {
      if (kind === 'unknown') continue;
      const { own } = this.#given;
      // A reference to something else that its user wrote down stays one.
      if (own && (kind === 'file' || kind === 'command' || (kind === 'vault' && !own.has(name)))) {
        this.kept.add(written);
        continue;
      }
      if (kind === 'file') continue;
      // Typed by its user, it is the folder of whoever calls; in a paste, the one that is open now.
      const isAsked = this.#given.needs.includes(name) || (name === 'workspaceFolder' && !own);
      if (kind === 'env' && this.#given.keeps && !isAsked) {
        const plain = `\${${name}${fallback === undefined ? '' : `:-${fallback}`}}`;
        this.kept.add(plain);
        marked = marked.replaceAll(written, () => plain);
        continue;
      }
      const field = kind === 'vault' ? fieldOf(name) : name;
      this.needs.add(field);
      if (fallback !== undefined) this.fallbacks.set(field, fallback);
      marked = marked.replaceAll(written, () => `\${input:${field}}`);
    }
    return marked;
  }
}

function described(
  field: FormField,
  from: { readonly server: PastedServer; readonly asked: Asked; readonly keys: readonly PlaintextKey[] },
): FormField {
  const { server, asked, keys } = from;
  const input = server.inputs?.find(({ id }) => id === field.label);
  const isKey = keys.some(({ name }) => fieldOf(name) === field.label);
  const preset = input?.default ?? asked.fallbacks.get(field.label);
  return {
    ...field,
    ...(isKey || input?.password ? { kind: 'secret' as const } : {}),
    ...defined({ description: input?.description, default: preset }),
  };
}

function valueOf({ name, where, value }: PlaintextKey, form: readonly FormField[]): [string, Secret][] {
  const field = form.find(({ label }) => label === fieldOf(name));
  if (!field) return [];
  // In an address it stood encoded; the plan encodes it again.
  return [[field.id, where === 'url' ? new Secret(decoded(value.reveal())) : value]];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fieldOf(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** Fields of other clients are kept, unless one of them held a key. */
function withoutKeys(extra: PastedServer['extra'], keys: readonly PlaintextKey[]): ServerDefinition['extra'] {
  const held = new Set(keys.map(({ where }) => /^extra\.([^.[]+)/.exec(where)?.[1]));
  return Object.fromEntries(Object.entries(extra).filter(([field]) => !held.has(field)));
}
