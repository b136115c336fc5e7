import { defined } from '../base/defined.ts';
import type { Remedy } from '../base/remedy.ts';
import { commandOf } from '../base/remedy-command.ts';
import { isObject } from '../base/json.ts';
import type { Endpoint, ServerDefinition } from './definition.ts';
import { findPlaceholders, type Placeholder } from './placeholders.ts';

/**
 * The one place that decides what a definition may read: one that the user didn't write gets no variable, file,
 * command output or other server's secret into what leaves this machine. `resolveEndpoint` asks for every placeholder.
 */
export function judgeReference(
  placeholder: Placeholder,
  place: TextPlace,
  definition: Owner,
): ReferenceJudgement {
  const isOwn = definition.source.author === 'user';
  const { kind, name } = placeholder;
  const isChosen = definition.source.chosen?.includes(placeholder.text) === true;
  if (isChosen && (kind === 'file' || kind === 'command')) return {};
  if (kind === 'vault') return judgeSecret(name, place, definition);
  if (isOwn || kind === 'unknown') return {};
  if (kind === 'input') return judgeInput(name, place, definition);
  if (kind === 'env') return judgeVariable(name, place, definition);
  const { where, leaves } = place;
  if (kind === 'command')
    return refused(place, 'asks a password manager', 'only a config file of yours may run commands');
  if (leaves)
    return refused(place, `names the file ${name}`, 'files are sent only by a config file of yours');
  return { says: `${where} gives the text of ${name} to this program.` };
}

export interface TextPlace {
  /** `env.API_KEY`, `args[2]`, `url`, `headers.Authorization`, `config.oauth.clientSecret`. */
  readonly where: string;
  readonly leaves: boolean;
}

export interface ReferenceJudgement {
  readonly refused?: { readonly reason: string; readonly remedy?: Remedy };
  /** Read as `${input:…}`: only what the user gave to this server. */
  readonly asInput?: { readonly reason: string; readonly remedy: Remedy };
  /** A sentence for the consent screens. */
  readonly says?: string;
}

type Owner = Pick<ServerDefinition, 'id' | 'source' | 'config'>;

export interface OutsideReference {
  readonly where: string;
  readonly placeholder: string;
  readonly says: string;
}

/** References to values that aren't the server's own, and to secrets in the vault (`kept`) under its name. */
export function outsideReferences(
  definition: Owner & Pick<ServerDefinition, 'endpoint'>,
  kept: ReadonlySet<string> = new Set(),
): readonly OutsideReference[] {
  return [...textsOf(definition.endpoint), ...signInTexts(definition)].flatMap(({ text, ...place }) =>
    findPlaceholders(text).flatMap((placeholder) => {
      const { where, leaves } = place;
      const judged = judgeReference(placeholder, place, definition);
      const secret = secretNameOf(placeholder, judged, definition);
      const says =
        secret !== undefined && kept.has(secret)
          ? `${where} ${leaves ? 'sends' : 'gives this program'} ${secret}, a secret that is in the vault already.`
          : judged.says;
      return says === undefined ? [] : [{ where, placeholder: placeholder.text, says }];
    }),
  );
}

/** The secret may be from a server of the same name in another project. */
function secretNameOf(
  { kind, name }: Placeholder,
  judged: ReferenceJudgement,
  { id, source, config }: Owner,
): string | undefined {
  if (source.author === 'user' || judged.refused) return undefined;
  const isField = kind === 'input' ? !Object.hasOwn(config, name) : judged.asInput !== undefined;
  return kind === 'vault' ? name : isField ? `${id}/${name}` : undefined;
}

interface PlacedText extends TextPlace {
  readonly text: string;
}

export function textsOf(endpoint: Endpoint): readonly PlacedText[] {
  const record = (texts: Readonly<Record<string, string>>, field: string, leaves: boolean): PlacedText[] =>
    Object.entries(texts).map(([name, text]) => ({ where: `${field}.${name}`, leaves, text }));
  if (endpoint.kind !== 'stdio')
    return [{ where: 'url', leaves: true, text: endpoint.url }, ...record(endpoint.headers, 'headers', true)];
  const { command, args, cwd, env } = endpoint;
  // A bridge forwards its arguments, so they are sent too.
  const isBridge = [command, ...args].some((word) => BRIDGE.test(word));
  return [
    { where: 'command', leaves: false, text: command },
    ...args.map((text, at) => ({ where: `args[${at}]`, leaves: isBridge || text.includes('://'), text })),
    ...(cwd === undefined ? [] : [{ where: 'cwd', leaves: false, text: cwd }]),
    ...record(env, 'env', isBridge),
  ];
}

const BRIDGE = /(?:^|[\s/\\])(?:mcp-remote|mcp-proxy|supergateway)(?:@[\w.-]+)?(?:\s|$)/;

/** Sign-in values go to the authorization server that the definition names. */
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
  if (owner.source.replaces || !FIELD.test(name))
    return refused(place, `names your variable ${name}`, 'variables are sent only by a config file of yours');
  const remedy = { do: 'set-secret', name: `${owner.id}/${name}` } as const;
  return {
    asInput: { reason: 'your variables are sent only by a config file of yours', remedy },
    says: `${where} names your variable ${name}, which is not sent. To send a value of your choice: ${commandOf(remedy)}`,
  };
}

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

/** A name's secrets belong to the server that had it first. */
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
  const effect = leaves ? 'It isn’t sent, and the server doesn’t start.' : 'The server does not start.';
  return { refused: { reason, ...defined({ remedy }) }, says: `${where} ${asks}. ${effect}` };
}

/** The last part of a secret's name. */
const FIELD = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
