import type { Endpoint } from '../definition.ts';
import { wordSet } from '../word-set.ts';

type Kind = Endpoint['kind'];

/** Lower case, letters only. Words that aren't listed, such as “remote”, don't name a transport. */
const WORDS: Readonly<Record<Kind, ReadonlySet<string>>> = {
  stdio: wordSet('stdio local command process'),
  http: wordSet('http https streamablehttp streamable httpstream httpstreamable'),
  sse: wordSet('sse httpsse'),
  ws: wordSet('ws websocket'),
};

const KINDS: readonly Kind[] = ['stdio', 'http', 'sse', 'ws'];

export function transportOf(word: unknown): Kind | undefined {
  const plain = plainWord(word);
  return KINDS.find((kind) => WORDS[kind].has(plain));
}

/** “remote” and “url” only say that there is an address. */
export function isNeutralType(word: unknown): boolean {
  return ['remote', 'url'].includes(plainWord(word));
}

/** Run inside their host: there is nothing to connect to. */
export function isBuiltInType(word: unknown): boolean {
  return BUILT_IN.has(plainWord(word));
}

const BUILT_IN = wordSet('builtin platform frontend inlinepython');

function plainWord(word: unknown): string {
  return typeof word === 'string' ? word.toLowerCase().replaceAll(/[^a-z]/g, '') : '';
}

/** `/sse` at the end of the path is the old transport. */
export function transportOfUrl(url: string): Exclude<Kind, 'stdio'> {
  if (/^wss?:/i.test(url)) return 'ws';
  return /\/sse\/?(?:[?#]|$)/i.test(url) ? 'sse' : 'http';
}
