import type { Completion } from './line-editor.ts';
import { MCP_WORDS, SLASH_WORDS } from './mcp.ts';

export interface Names {
  readonly servers: readonly string[];
  readonly tools: readonly string[];
  readonly models: readonly string[];
}

export function completeLine(line: string, names: Names): Completion {
  const [, mention] = /(?:^|\s)@([\w.-]*)$/.exec(line) ?? [];
  if (mention !== undefined)
    return fitting(
      names.servers.map((id) => `@${id} `),
      `@${mention}`,
    );
  if (!line.startsWith('/')) return [[], line];
  const words = line.split(/\s+/);
  const end = words.at(-1) ?? '';
  return fitting(choicesFor(words, names), end);
}

function choicesFor(words: readonly string[], names: Names): readonly string[] {
  const [command = '', second = '', third = ''] = words;
  if (words.length === 1) return SLASH_WORDS.map(({ word }) => `${word} `);
  if (command === '/model') return words.length === 2 ? names.models : [];
  if (command === '/servers') return words.length === 2 ? lists(second, names) : [];
  if (command !== '/mcp') return [];
  if (words.length === 2) return MCP_WORDS.map(({ word }) => `${word} `);
  if (!TAKES_SERVER.has(second)) return [];
  if (words.length === 3) return names.servers.map((id) => `${id} `);
  const takesTool = words.length === 4 && (second === 'allow' || second === 'revoke');
  return takesTool
    ? names.tools.filter((ref) => ref.startsWith(`${third}/`)).map((ref) => ref.slice(third.length + 1))
    : [];
}

const TAKES_SERVER: ReadonlySet<string> = new Set([
  'tools',
  'refresh',
  'allow',
  'revoke',
  'remove',
  'status',
  'doctor',
]);

function lists(typed: string, { servers }: Names): readonly string[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  return [...(before === '' ? ['all'] : []), ...servers].map((id) => before + id);
}

/** A name that could drive the terminal is not offered. */
function fitting(choices: readonly string[], end: string): Completion {
  return [choices.filter((choice) => choice.startsWith(end) && /^[\w@/.,:-]+ ?$/.test(choice)), end];
}
