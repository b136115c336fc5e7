import { isServerId } from '../definition.ts';

/** A short id for a registry's name: `io.github.github/github-mcp-server` is `github`. */
export function suggestId(name: string): string {
  const parts = name.toLowerCase().replace(/^@/, '').split('/');
  const base = plain(parts.at(-1) ?? '');
  const publisher = (parts[0] ?? '').split('.').findLast((label) => label !== 'mcp') ?? '';
  for (const candidate of [base, plain(publisher), slug(parts.at(-1) ?? ''), slug(name)]) {
    if (isServerId(candidate)) return candidate;
  }
  return 'server';
}

/** Without the words that every second name holds. */
function plain(text: string): string {
  const words = slug(text)
    .split(/[-_]+/)
    .filter((word) => !['mcp', 'server', 'official', 'remote'].includes(word));
  return words.join('-').replace(/^[._-]+|[._-]+$/g, '');
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 64)
    .replace(/[._-]+$/, '');
}
