import { plainId } from '../definition.ts';
import { featuredServers } from '../featured-table.ts';

/**
 * A short name for a package, an image or a registry entry: `mcp-server-git` and `git-mcp` are `git`; a name that says
 * nothing takes its maker's: `@playwright/mcp` is `playwright`, `io.github.github/github-mcp-server` is `github`.
 */
export function suggestId(name: string): string {
  const known = featuredServers.find((server) => server.package?.name === withoutVersion(name));
  if (known) return known.id;
  const parts = withoutVersion(name).toLowerCase().replace(/^@/, '').split('/');
  const [last = '', owner = ''] = [parts.at(-1), parts.at(-2)];
  const maker = withoutUsualWords(makerIn(owner));
  const own = withoutUsualWords(last);
  if (own !== undefined && maker !== undefined && VAGUE.has(own)) return plainId(`${maker}-${own}`) ?? own;
  return own ?? maker ?? plainId(last) ?? plainId(name) ?? 'server';
}

/** The first free one of `github`, `github-acme` with its maker, `github-2`, … */
export function freeId(wanted: string, isTaken: (id: string) => boolean, maker?: string): string {
  if (!isTaken(wanted)) return wanted;
  const own =
    maker === undefined ? undefined : withoutUsualWords(makerIn(maker.toLowerCase().replace(/^@/, '')));
  const withMaker = own === undefined || wanted.includes(own) ? undefined : plainId(`${wanted}-${own}`);
  if (withMaker !== undefined && !isTaken(withMaker)) return withMaker;
  for (let count = 2; ; count += 1) {
    const id = `${wanted.slice(0, 60)}-${count}`;
    if (!isTaken(id)) return id;
  }
}

/** Of `com.acme.mcp` it is `acme`, of `perplexity-ai` and `notionhq` the name people say. */
function makerIn(owner: string): string {
  const label = owner.split('.').findLast((part) => part !== 'mcp') ?? '';
  return label.replace(/(?<=\w{3})(?:-(?:ai|hq|io|inc|labs|org|dev|team)|hq)$/, '');
}

/** `name@1.2`, `name==1.2`, `image:tag`, `image@sha256:…`. */
function withoutVersion(name: string): string {
  return name.replace(/(?<=.)(?:@|==|:)[^/]*$/, '');
}

/** They say nothing without a maker. */
const VAGUE = new Set(['dev', 'tools', 'ai', 'api', 'app', 'cli', 'core', 'docs', 'cloud']);

const USUAL = new Set(['mcp', 'server', 'servers', 'official', 'remote', 'stdio', 'mcpserver']);

function withoutUsualWords(text: string): string | undefined {
  const words = (plainId(text) ?? '').split(/[-_]+/).filter((word) => !USUAL.has(word));
  return plainId(words.join('-'));
}
