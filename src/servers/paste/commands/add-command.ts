import { transportOf } from '../aliases.ts';
import { headerPair, transportOfUrl } from '../entry.ts';
import { splitWords } from '../words.ts';
import type { Draft } from '../view.ts';

interface Said {
  name: string | null;
  url?: string;
  transport?: Draft['transport'];
  command: string[];
  env: [string, string][];
  headers: [string, string][];
  cwd?: string;
  flagged?: boolean;
  timeoutMs?: number;
}

type Take = (said: Said, value: string) => void;

const env: Take = (said, value) => {
  // Only the first = splits: base64 keys end in one.
  const split = value.indexOf('=');
  if (split > 0) said.env.push([value.slice(0, split), value.slice(split + 1)]);
};
const header: Take = (said, value) => void said.headers.push(headerPair(value));
const transport: Take = (said, value) => {
  said.transport = transportOf(value) ?? said.transport ?? null;
};
const nothing: Take = () => undefined;

/** Flags with a value. Unknown flags take one too, unless they are switches. */
const FLAGS: Readonly<Record<string, Take>> = {
  '--env': env,
  '-e': env,
  '--environment': env,
  '--header': header,
  '-H': header,
  '--transport': transport,
  '-t': transport,
  '--type': transport,
  '--url': (said, value) => void (said.url = value),
  '-u': (said, value) => void (said.url = value),
  '--name': (said, value) => void (said.name = value),
  '-n': (said, value) => void (said.name = value),
  '--bearer-token-env-var': (said, value) => void said.headers.push(['Authorization', `Bearer \${${value}}`]),
  '--command': (said, value) => {
    said.command.unshift(...splitWords(value));
    said.flagged = true;
  },
  // Either a list with commas or a command line.
  '--args': (said, value) =>
    void said.command.push(...(/\s/.test(value) ? splitWords(value) : value.split(','))),
  '--arg': (said, value) => void said.command.push(value),
  '--cwd': (said, value) => void (said.cwd = value),
  '--timeout': (said, value) => {
    if (Number(value) > 0) said.timeoutMs = Number(value) < 1_000 ? Number(value) * 1_000 : Number(value);
  },
  '--scope': nothing,
  '-s': nothing,
};

const SWITCHES: ReadonlySet<string> = new Set([
  '--trust',
  '--client-secret',
  '--global',
  '-g',
  '--yes',
  '-y',
  '--project',
  '--user',
  '--local',
  '--force',
  '-f',
  '--disabled',
  '--verbose',
  '--debug',
  '--all',
  '--no-auth',
  '--stdio',
  '--http',
  '--sse',
  '--remote',
  '-a',
]);

/** Flags of the client that are also written after the command. */
const ALSO_BEHIND: ReadonlySet<string> = new Set([
  '--trust',
  '--env',
  '--scope',
  '--transport',
  '--header',
  '-s',
  '-H',
  '-e',
]);

/** The words after `… mcp add`; undefined without a command or URL. */
export function readAddCommand(words: readonly string[]): Draft | undefined {
  const said: Said = { name: null, command: [], env: [], headers: [] };
  let named = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const started = said.command.length > 0 && said.flagged !== true;
    if (word === '--') {
      said.command.push(...words.slice(index + 1));
      break;
    }
    if (word.startsWith('-') && word.length > 1 && (!started || isBehind(word, said))) {
      index += takeFlag(said, words, index);
    } else if (started) said.command.push(word);
    else if (said.url === undefined && isAddress(word)) said.url = unlink(word);
    else if (!named && said.name === null) {
      said.name = word;
      named = true;
    } else if (said.url === undefined) said.command.push(word);
  }
  return draftOf(said);
}

function isBehind(word: string, { command }: Said): boolean {
  // In `docker run -e KEY` the flag is docker's.
  if (/^(?:docker|podman)$/.test(command[0] ?? '')) return word === '--scope' || word === '--transport';
  return ALSO_BEHIND.has(word);
}

function takeFlag(said: Said, words: readonly string[], index: number): number {
  const word = words[index] ?? '';
  const split = word.startsWith('--') ? word.indexOf('=') : -1;
  const flag = split < 0 ? word : word.slice(0, split);
  const take = Object.hasOwn(FLAGS, flag) ? FLAGS[flag] : undefined;
  if (split >= 0) {
    take?.(said, word.slice(split + 1));
    return 0;
  }
  if (SWITCHES.has(flag)) {
    if (/^--(?:stdio|http|sse)$/.test(flag)) said.transport = transportOf(flag.slice(2)) ?? null;
    return 0;
  }
  take?.(said, words[index + 1] ?? '');
  if (take !== env) return 1;
  // `-e A=1 B=2`: the flag takes all that follow.
  let more = 1;
  while (/^[A-Z_][A-Z0-9_]*=/.test(words[index + 1 + more] ?? '')) {
    env(said, words[index + 1 + more] ?? '');
    more += 1;
  }
  return more;
}

function isAddress(word: string): boolean {
  return (
    /^(?:https?|wss?):\/\//i.test(word) ||
    /^\[?<?https?:\/\//i.test(word) ||
    /^<[^<>]*\burl\b[^<>]*>$|^<[^<>]*url>$/i.test(word) ||
    /^\$\{?[A-Z_]*URL\}?/.test(word)
  );
}

function unlink(word: string): string {
  return /^\[[^\]]*\]\((https?:[^)]+)\)$/.exec(word)?.[1] ?? word;
}

function draftOf(said: Said): Draft | undefined {
  const variables = said.env.length > 0 ? { env: Object.fromEntries(said.env) } : {};
  const base = {
    name: said.name,
    ...variables,
    ...(said.timeoutMs === undefined ? {} : { timeouts: { callMs: said.timeoutMs } }),
    extra: {},
  };
  const far = said.transport !== undefined && said.transport !== null && said.transport !== 'stdio';
  // With a remote transport the word after the name is the URL, even without a scheme.
  if (far && said.url === undefined && said.command.length === 1) said.url = said.command.shift() ?? '';
  if (said.url !== undefined && said.command.length === 0) {
    const headers = said.headers.length > 0 ? { headers: Object.fromEntries(said.headers) } : {};
    const remote = said.transport === 'stdio' ? undefined : said.transport;
    return { ...base, transport: remote ?? transportOfUrl(said.url), url: said.url, ...headers };
  }
  // `add NAME "npx -y x"`: the whole line as one word.
  const line = said.command.length === 1 ? splitWords(said.command[0] ?? '') : said.command;
  const [command, ...args] = /^(?:[\w.@-]+|\/\S+)\s/.test(said.command[0] ?? '') ? line : said.command;
  if (command === undefined) return undefined;
  return { ...base, transport: 'stdio', command, args, ...(said.cwd === undefined ? {} : { cwd: said.cwd }) };
}
