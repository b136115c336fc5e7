import { splitWords } from '../paste/words.ts';
import type { LocalEndpoint, RemoteEndpoint } from '../definition.ts';
import { withScheme } from './fields.ts';
import { transportOf, transportOfUrl } from './kinds.ts';
import { headerPair, splitPair } from './pairs.ts';

export interface Unwrapped {
  readonly endpoint: LocalEndpoint | RemoteEndpoint;
  readonly notes: readonly string[];
  /** Tools that the wrapper would have hidden. */
  readonly deny?: readonly string[];
}

/**
 * Removes `cmd /c` and the bridges mcp-remote, supergateway and mcp-proxy: what they wrap is reached directly.
 * Works on texts as written, because a bridge fills in its own variables. A flag without an equivalent keeps it.
 */
export function unwrap(endpoint: LocalEndpoint): Unwrapped {
  const plain = withoutShell(endpoint);
  const bridge = bridgeIn(plain);
  if (!bridge) return { endpoint: plain, notes: [] };
  const { name, words } = bridge;
  const read = BRIDGES[name](words.map((word) => withVariables(word, plain.env)));
  if (read.kind === 'kept') return { endpoint: plain, notes: [`${name} is kept: ${read.why}.`] };
  if (read.kind === 'command') {
    const [command = '', ...args] = read.words;
    const inner = unwrap({ ...plain, command, args, env: { ...plain.env, ...read.env } });
    return {
      ...inner,
      notes: [`${name} is not needed: what it starts is started directly.`, ...inner.notes],
    };
  }
  const used = words.join(' ');
  const left = Object.keys(plain.env).filter(
    (variable) => !used.includes(variable) && variable !== read.token && !HARMLESS.test(variable),
  );
  if (left.length > 0) return { endpoint: plain, notes: [`${name} is kept: it gets ${left.join(', ')}.`] };
  const token = read.token === undefined ? undefined : plain.env[read.token];
  const headers = { ...read.headers, ...(token === undefined ? {} : { Authorization: withScheme(token) }) };
  return {
    endpoint: { kind: read.transport ?? transportOfUrl(read.url), url: read.url, headers },
    notes: [`${name} is not needed: the address is contacted directly.`],
    ...(read.deny === undefined || read.deny.length === 0 ? {} : { deny: read.deny }),
  };
}

/** Variables that only concern the bridge itself. */
const HARMLESS = /^(?:MCP_REMOTE_CONFIG_DIR|DEBUG|LOG_LEVEL|NODE_NO_WARNINGS)$/;

function withoutShell(endpoint: LocalEndpoint): LocalEndpoint {
  const [flag, first, ...args] = endpoint.args;
  if (!/^cmd(\.exe)?$/i.test(endpoint.command) || !/^\/[ck]$/i.test(flag ?? '') || first === undefined)
    return endpoint;
  const [command = first, ...rest] = /\s/.test(first) && args.length === 0 ? splitWords(first) : [first];
  return { ...endpoint, command, args: [...rest, ...args] };
}

type BridgeName = 'mcp-remote' | 'supergateway' | 'mcp-proxy';

type BridgeReading =
  | {
      readonly kind: 'address';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly transport?: RemoteEndpoint['kind'] | undefined;
      readonly deny?: readonly string[];
      /** The variable that holds a key. */
      readonly token?: string;
    }
  | {
      readonly kind: 'command';
      readonly words: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'kept'; readonly why: string };

const RUNNERS = /^(?:npx|bunx|pnpx|uvx|pipx|pnpm|yarn|npm|bun|uv)$/;

function bridgeIn({
  command,
  args,
}: LocalEndpoint): { name: BridgeName; words: readonly string[] } | undefined {
  const program = programName(command);
  const direct = bridgeNamed(program);
  if (direct) return { name: direct, words: args };
  if (!RUNNERS.test(program)) return undefined;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (/^(?:-p|--package|--from|--python)$/.test(word)) at += 1;
    else if (!word.startsWith('-') && !/^(?:dlx|exec|x|run|tool)$/.test(word)) {
      const name = bridgeNamed(word.replace(/(?<=.)(?:@|==)[^/]*$/, ''));
      return name && { name, words: args.slice(at + 1) };
    }
  }
  return undefined;
}

function programName(command: string): string {
  return (command.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat)$/i, '').toLowerCase();
}

function bridgeNamed(word: string): BridgeName | undefined {
  return (['mcp-remote', 'supergateway', 'mcp-proxy'] as const).find((name) => name === word);
}

const ADDRESS = /^(?:https?|wss?):\/\/|^\$\{/i;

const BRIDGES: Readonly<Record<BridgeName, (words: readonly string[]) => BridgeReading>> = {
  'mcp-remote': readMcpRemote,
  supergateway: readSupergateway,
  'mcp-proxy': readMcpProxy,
};

/** `mcp-remote URL [PORT] [--header K:V] [--transport …] [--ignore-tool GLOB]`. */
function readMcpRemote(words: readonly string[]): BridgeReading {
  const [url = '', ...flags] = words;
  if (!ADDRESS.test(url)) return { kind: 'kept', why: 'it names no address' };
  const headers: Record<string, string> = {};
  const deny: string[] = [];
  let transport: RemoteEndpoint['kind'] | undefined;
  for (const { flag, value } of flagsIn(flags, MCP_REMOTE_VALUES)) {
    if (flag === '--header') Object.assign(headers, Object.fromEntries([headerOf(value)]));
    else if (flag === '--transport') transport = value.startsWith('sse') ? 'sse' : 'http';
    else if (flag === '--ignore-tool') deny.push(value);
    else if (!/^--(?:allow-http|debug|silent|host|auth-timeout)$|^\d+$/.test(flag)) return keptFor(flag);
  }
  return { kind: 'address', url, headers, deny, transport };
}

const MCP_REMOTE_VALUES = /^--(?:header|transport|ignore-tool|host|auth-timeout|resource|static-oauth-.*)$/;

/** `--sse URL`, `--streamableHttp URL`, or, the other way round, `--stdio "COMMAND"`. */
function readSupergateway(words: readonly string[]): BridgeReading {
  const headers: Record<string, string> = {};
  let inner: string | undefined;
  let address: { url: string; transport: 'sse' | 'http' } | undefined;
  for (const { flag, value } of flagsIn(words, SUPERGATEWAY_VALUES)) {
    if (flag === '--stdio') inner = value;
    else if (flag === '--sse') address = { url: value, transport: 'sse' };
    else if (flag === '--streamableHttp') address = { url: value, transport: 'http' };
    else if (flag === '--header') Object.assign(headers, Object.fromEntries([headerOf(value)]));
    else if (flag === '--oauth2Bearer') headers['Authorization'] = `Bearer ${value}`;
    else if (!SUPERGATEWAY_OWN.test(flag)) return keptFor(flag);
  }
  if (address && ADDRESS.test(address.url)) return { kind: 'address', headers, ...address };
  return inner === undefined
    ? { kind: 'kept', why: 'it names no address' }
    : { kind: 'command', words: splitWords(inner) };
}

/** How it serves others, which nobody needs here. */
const SUPERGATEWAY_OWN =
  /^--(?:port|baseUrl|ssePath|messagePath|streamableHttpPath|outputTransport|logLevel|cors|healthEndpoint|stateful|sessionTimeout|protocolVersion)$/;
const SUPERGATEWAY_VALUES =
  /^--(?:stdio|sse|streamableHttp|header|oauth2Bearer|port|baseUrl|ssePath|messagePath|streamableHttpPath|outputTransport|logLevel|healthEndpoint|sessionTimeout|protocolVersion)$/;

/** `mcp-proxy [--headers K V] [--transport …] URL`, or, the other way round, `mcp-proxy [--port …] COMMAND ARGS`. */
function readMcpProxy(words: readonly string[]): BridgeReading {
  const headers: Record<string, string> = {};
  const env: Record<string, string> = {};
  let transport: RemoteEndpoint['kind'] | undefined;
  let url: string | undefined;
  let unknown: BridgeReading | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const [flag, given] = splitFlag(words[at] ?? '');
    const [first = '', second = ''] = words.slice(at + 1);
    if (/^(?:-H|--headers)$/.test(flag) && given === undefined) {
      headers[first] = second;
      at += 2;
    } else if (/^(?:-e|--env)$/.test(flag) && given === undefined) {
      env[first] = second;
      at += 2;
    } else if (flag === '--transport') {
      const kind = transportOf(given ?? first);
      transport = kind === 'stdio' ? undefined : kind;
      at += given === undefined ? 1 : 0;
    } else if (flag === '--') return unknown ?? { kind: 'command', words: words.slice(at + 1), env };
    else if (MCP_PROXY_SERVES.test(flag)) at += given === undefined ? 1 : 0;
    else if (flag.startsWith('-'))
      unknown ??= /^--(?:debug|pass-environment|stateless|no-stateless|shell)$/.test(flag)
        ? undefined
        : keptFor(flag);
    else if (ADDRESS.test(flag) || ADDRESS.test(words[at] ?? '')) url = words[at];
    else if (url === undefined) return unknown ?? { kind: 'command', words: words.slice(at), env };
  }
  if (url === undefined) return { kind: 'kept', why: 'it names no address' };
  // It speaks the old transport unless told otherwise.
  return (
    unknown ?? { kind: 'address', url, headers, transport: transport ?? 'sse', token: 'API_ACCESS_TOKEN' }
  );
}

const MCP_PROXY_SERVES =
  /^--(?:port|host|sse-port|sse-host|allow-origin|log-level|endpoint|server|sseEndpoint|streamEndpoint)$/;

function keptFor(flag: string): BridgeReading {
  // A stray word may be a key.
  const shown = flag.startsWith('-') ? flag : 'one of its arguments';
  return { kind: 'kept', why: `nothing here replaces ${shown}` };
}

function splitFlag(word: string): readonly [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** Flags with their values: `--flag value` and `--flag=value`. */
function flagsIn(words: readonly string[], values: RegExp) {
  const found: { flag: string; value: string }[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [flag, given] = splitFlag(words[at] ?? '');
    const takes = given === undefined && (values.test(flag) || (flag === '-H' && values.test('--header')));
    const value = given ?? (takes ? (words[at + 1] ?? '') : '');
    found.push({ flag: flag === '-H' ? '--header' : flag, value });
    if (takes) at += 1;
  }
  return found;
}

/** `Name: value`; the value keeps its own colons and equals signs. */
function headerOf(line: string): [string, string] {
  if (!line.includes(':')) return headerPair(line);
  const [name, value] = splitPair(line, ':');
  return [name.trim(), value.trim()];
}

/** The bridge fills in its own environment: `Bearer ${TOKEN}` with TOKEN in `env`. */
function withVariables(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$?\$\{(?:env:)?([A-Za-z_]\w*)\}|\$([A-Z_][A-Z0-9_]*)|%([A-Z_][A-Z0-9_]{2,})%/g,
    (whole, braced: string | undefined, bare: string | undefined, windows: string | undefined) => {
      const name = braced ?? bare ?? windows ?? '';
      return Object.hasOwn(env, name) ? (env[name] ?? '') : whole;
    },
  );
}
