import { plainId } from '../definition.ts';

/** `io.github.github/github-mcp-server` becomes `github`. */
export function suggestId(name: string): string {
  const parts = name.toLowerCase().replace(/^@/, '').split('/');
  const last = parts.at(-1) ?? '';
  const publisher = (parts[0] ?? '').split('.').findLast((label) => label !== 'mcp') ?? '';
  return (
    withoutUsualWords(last) ?? withoutUsualWords(publisher) ?? plainId(last) ?? plainId(name) ?? 'server'
  );
}

function withoutUsualWords(text: string): string | undefined {
  const words = (plainId(text) ?? '')
    .split(/[-_]+/)
    .filter((word) => !['mcp', 'server', 'official', 'remote'].includes(word));
  return plainId(words.join('-'));
}
