/** Words that clients' formats share: a name that differs from one of them only by look-alikes is meant to be it. */
const WORDS = [
  'mcpServers',
  'mcp_servers',
  'context_servers',
  'servers',
  'command',
  'args',
  'env',
  'envFile',
  'cwd',
  'url',
  'httpUrl',
  'serverUrl',
  'headers',
  'type',
  'transport',
  'stdio',
  'http',
  'sse',
  'streamable',
  'disabled',
  'enabled',
  'timeout',
  'inputs',
  'Authorization',
  'npx',
  'uvx',
  'bunx',
  'pnpm',
  'node',
  'python',
  'python3',
  'docker',
  'mcp',
] as const;

/** The outline of a word: letters that OCR mistakes for each other become one. */
export function skeletonOf(word: string): string {
  return word
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .toLowerCase()
    .replaceAll(/[1i|!]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('5', 's')
    .replaceAll('8', 'b')
    .replaceAll('9', 'g')
    .replaceAll('2', 'z');
}

export const KNOWN_WORDS: ReadonlyMap<string, string> = new Map(
  WORDS.map((word) => [skeletonOf(word), word]),
);
