import type { Remedy } from '../base/remedy.ts';
import { commandOf } from '../base/remedy-command.ts';
import { isObject } from '../base/json.ts';
import type { Endpoint, ServerDefinition } from './definition.ts';
import { findPlaceholders, type Placeholder } from './placeholders.ts';

/**
 * Who may ask for what. A definition that the user did not write themselves (a project's file, a
 * paste, a link, a registry's document) gets nothing of this machine into what leaves it: no
 * variable, no file, no answer of a command, and no secret but those that are kept for that very
 * server. This is the only place that decides it; `resolveEndpoint` asks it for every placeholder.
 */
export function judgeReference(
  placeholder: Placeholder,
  place: TextPlace,
  definition: Owner,
): ReferenceJudgement {
  const isOwn = definition.source.author === 'user';
  const { kind, name } = placeholder;
  if (kind === 'vault') return judgeSecret(name, place, definition);
  if (isOwn || kind === 'unknown') return {};
  if (kind === 'input') return judgeInput(name, place, definition);
  if (kind === 'env') return judgeVariable(name, place, definition);
  const { where, leaves } = place;
  if (kind === 'command') {
    return refused(place, 'asks a password manager', 'only a config file of yours may run commands');
  }
  if (leaves)
    return refused(place, `names the file ${name}`, 'files are sent only by a config file of yours');
  return { says: `${where} gives the text of ${name} to this program.` };
}

/** Where a text stands, and whether it is sent to the server's host. */
export interface TextPlace {
  /** `env.API_KEY`, `args[2]`, `url`, `headers.Authorization`, `config.oauth.clientSecret`. */
  readonly where: string;
  readonly leaves: boolean;
}

export interface ReferenceJudgement {
  /** Why there is no value. */
  readonly refused?: { readonly reason: string; readonly remedy?: Remedy };
  /** Read as `${input:…}`: the value is what the user gave to this server, and nothing else. */
  readonly asInput?: { readonly reason: string; readonly remedy: Remedy };
  /** A sentence for the screens on which the user agrees. */
  readonly says?: string;
}

type Owner = Pick<ServerDefinition, 'id' | 'source' | 'config'>;

/** A reference to something that is not the server's own. */
export interface OutsideReference {
  readonly where: string;
  readonly placeholder: string;
  /** One sentence: what it asks for, and what will be done about it. */
  readonly says: string;
}

/**
 * Every reference of a definition to what is not its own, and to secrets that were kept under its
 * name before it came (`kept`: names in the vault). No value is looked up.
 */
export function outsideReferences(
  definition: Owner & Pick<ServerDefinition, 'endpoint'>,
  kept: ReadonlySet<string> = new Set(),
): readonly OutsideReference[] {
  return [...textsOf(definition.endpoint), ...signInTexts(definition)].flatMap(({ text, ...place }) =>
    findPlaceholders(text).flatMap((placeholder) => {
      const judged = judgeReference(placeholder, place, definition);
      const says = alreadyKept(placeholder, place, { judged, definition, kept }) ?? judged.says;
      return says === undefined ? [] : [{ where: place.where, placeholder: placeholder.text, says }];
    }),
  );
}

/** A project elsewhere may have had a server of the same name, and the user gave that one a secret. */
function alreadyKept(
  { kind, name }: Placeholder,
  { where, leaves }: TextPlace,
  about: {
    readonly judged: ReferenceJudgement;
    readonly definition: Owner;
    readonly kept: ReadonlySet<string>;
  },
): string | undefined {
  const { judged, definition, kept } = about;
  if (definition.source.author === 'user' || judged.refused) return undefined;
  const isField = kind === 'input' ? !Object.hasOwn(definition.config, name) : judged.asInput !== undefined;
  const secret = kind === 'vault' ? name : isField ? `${definition.id}/${name}` : undefined;
  if (secret === undefined || !kept.has(secret)) return undefined;
  return `${where} ${leaves ? 'sends' : 'gives this program'} ${secret}, a secret that is in the vault already.`;
}

interface PlacedText extends TextPlace {
  readonly text: string;
}

/** Every text of an endpoint that may hold placeholders. */
export function textsOf(endpoint: Endpoint): readonly PlacedText[] {
  const record = (texts: Readonly<Record<string, string>>, field: string, leaves: boolean): PlacedText[] =>
    Object.entries(texts).map(([name, text]) => ({ where: `${field}.${name}`, leaves, text }));
  if (endpoint.kind !== 'stdio') {
    return [{ where: 'url', leaves: true, text: endpoint.url }, ...record(endpoint.headers, 'headers', true)];
  }
  const { command, args, cwd, env } = endpoint;
  // A bridge sends on what it is given, so that its arguments are headers under another name.
  const isBridge = [command, ...args].some((word) => BRIDGE.test(word));
  return [
    { where: 'command', leaves: false, text: command },
    ...args.map((text, at) => ({ where: `args[${at}]`, leaves: isBridge || text.includes('://'), text })),
    ...(cwd === undefined ? [] : [{ where: 'cwd', leaves: false, text: cwd }]),
    ...record(env, 'env', isBridge),
  ];
}

const BRIDGE = /(?:^|[\s/\\])(?:mcp-remote|mcp-proxy|supergateway)(?:@[\w.-]+)?(?:\s|$)/;

/** What a program signs in with goes to the authorization server that the definition names. */
function signInTexts({ config }: Owner): readonly PlacedText[] {
  const texts = (value: unknown, where: string): readonly PlacedText[] => {
    if (typeof value === 'string') return [{ where, leaves: true, text: value }];
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([name, inner]) => texts(inner, `${where}.${name}`));
  };
  return Object.hasOwn(config, 'oauth') ? texts(config['oauth'], 'config.oauth') : [];
}

function judgeVariable(name: string, place: TextPlace, owner: Owner): ReferenceJudgement {
  const { where, leaves } = place;
  if (!leaves)
    return GIVEN_ANYWAY.test(name) ? {} : { says: `${where} gives your variable ${name} to this program.` };
  if (owner.source.replaces || !FIELD.test(name)) {
    return refused(place, `names your variable ${name}`, 'variables are sent only by a config file of yours');
  }
  const remedy = { do: 'set-secret', name: `${owner.id}/${name}` } as const;
  return {
    asInput: { reason: 'your variables are sent only by a config file of yours', remedy },
    says: `${where} names your variable ${name}, which is not sent. To send a value of your choice: ${commandOf(remedy)}`,
  };
}

/** Every local server gets these anyway: folders, the locale, the terminal. */
const GIVEN_ANYWAY =
  /^(?:HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|PATH|PWD|XDG_\w+|workspaceFolder|userHome)$/;

function judgeSecret(name: string, place: TextPlace, owner: Owner): ReferenceJudgement {
  const { id, source } = owner;
  const isKeptForIt = name.startsWith(`${id}/`);
  const whose = name.includes('/') ? 'a secret of another server' : 'a secret of yours';
  if (source.author === 'user') {
    const isAnothers = name.includes('/') && !isKeptForIt;
    return isAnothers ? { says: `${place.where} uses ${name}, ${whose}.` } : {};
  }
  if (!isKeptForIt) {
    return refused(place, `asks for ${name}, ${whose}`, `${name} is ${whose}`, {
      do: 'say',
      text: `Keep one for ${id} in the vault, under a name such as ${id}/KEY, and write \${vault:${id}/KEY}.`,
    });
  }
  return source.replaces ? refusedTwin(name, place, owner) : {};
}

function judgeInput(name: string, place: TextPlace, owner: Owner): ReferenceJudgement {
  if (!owner.source.replaces || Object.hasOwn(owner.config, name)) return {};
  return refusedTwin(`${owner.id}/${name}`, place, owner);
}

/** The secrets of a name were given to the server that had it first. */
function refusedTwin(name: string, place: TextPlace, { id, source }: Owner): ReferenceJudgement {
  const file = source.file === undefined ? '' : ` in ${source.file}`;
  return refused(
    place,
    `asks for ${name}, a secret of another server: your own ${id}`,
    `${name} belongs to your own server ${id}`,
    { do: 'say', text: `Give the entry${file} another name, then trust it again.` },
  );
}

function refused(
  { where, leaves }: TextPlace,
  asks: string,
  reason: string,
  remedy?: Remedy,
): ReferenceJudgement {
  const effect = leaves ? 'It is not sent, and the server does not start.' : 'The server does not start.';
  return {
    refused: { reason, ...(remedy === undefined ? {} : { remedy }) },
    says: `${where} ${asks}. ${effect}`,
  };
}

/** What can be the last part of a secret's name. */
const FIELD = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
