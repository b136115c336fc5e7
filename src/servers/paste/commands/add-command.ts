import { defined } from '../../../base/defined.ts';
import { wordSet } from '../../word-set.ts';
import { splitPair, headerPair, transportOfUrl } from '../entry.ts';
import { transportOf } from '../aliases.ts';
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
  if (value.indexOf('=') > 0) said.env.push(splitPair(value, '='));
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

const SWITCHES = wordSet(
  '--trust --client-secret --global -g --yes -y --project --user --local --force -f --disabled --verbose ' +
    '--debug --all --no-auth --stdio --http --sse --remote -a',
);

/** A flag without a value. */
export function isSwitch(flag: string): boolean {
  return SWITCHES.has(flag);
}

/** Flags of the client that are also written after the command. */
const ALSO_BEHIND = wordSet('--trust --env --scope --transport --header -s -H -e');

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
    if (word.startsWith('-') && word.length > 1 && (!started || isBehind(word, said)))
      index += takeFlag(said, words, index);
    else if (started) said.command.push(word);
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

/** Returns how many words the flag took besides itself. */
function takeFlag(said: Said, words: readonly string[], index: number): number {
  const word = words[index] ?? '';
  const inline = word.startsWith('--') && word.includes('=');
  const [flag, value] = inline ? splitPair(word, '=') : [word, words[index + 1] ?? ''];
  const take = Object.hasOwn(FLAGS, flag) ? FLAGS[flag] : undefined;
  if (!inline && SWITCHES.has(flag)) {
    if (/^--(?:stdio|http|sse)$/.test(flag)) said.transport = transportOf(flag.slice(2)) ?? null;
    return 0;
  }
  take?.(said, value);
  if (inline) return 0;
  if (take !== env) return 1;
  // `-e A=1 B=2`: the flag takes all that follow.
  let more = 1;
  for (; /^[A-Z_][A-Z0-9_]*=/.test(words[index + 1 + more] ?? ''); more += 1)
    env(said, words[index + 1 + more] ?? '');
  return more;
}

function isAddress(word: string): boolean {
  return (
    /^(?:https?|wss?):\/\/|^\[?<?https?:\/\/|^<[^<>]*(?:\burl\b[^<>]*|url)>$/i.test(word) ||
    /^\$\{?[A-Z_]*URL\}?/.test(word)
  );
}

function unlink(word: string): string {
  return /^\[[^\]]*\]\((https?:[^)]+)\)$/.exec(word)?.[1] ?? word;
}

function draftOf(said: Said): Draft | undefined {
  const base = {
    name: said.name,
    ...(said.env.length > 0 ? { env: Object.fromEntries(said.env) } : {}),
    ...(said.timeoutMs === undefined ? {} : { timeouts: { callMs: said.timeoutMs } }),
    extra: {},
  };
  const remote = said.transport === 'stdio' ? undefined : said.transport;
  // With a remote transport the word after the name is the URL, even without a scheme.
  if (remote && said.url === undefined && said.command.length === 1) said.url = said.command.shift() ?? '';
  if (said.url !== undefined && said.command.length === 0) {
    const headers = said.headers.length > 0 ? { headers: Object.fromEntries(said.headers) } : {};
    return { ...base, transport: remote ?? transportOfUrl(said.url), url: said.url, ...headers };
  }
  // `add NAME "npx -y x"`: the whole line as one word.
  const [first = ''] = said.command;
  const isLine = said.command.length === 1 && /^(?:[\w.@-]+|\/\S+)\s/.test(first);
  const [command, ...args] = isLine ? splitWords(first) : said.command;
  return command === undefined
    ? undefined
    : { ...base, transport: 'stdio', command, args, ...defined({ cwd: said.cwd }) };
}
