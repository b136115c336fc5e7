import { transportOfUrl } from '../entry.ts';
import type { PastedRef } from '../paste.ts';
import { splitWords } from '../words.ts';
import type { Draft, Rank } from '../view.ts';
import { readAddCommand } from './add-command.ts';
import { programOf, readRunCommand } from './run-command.ts';

export interface CommandReading {
  readonly drafts: readonly Draft[];
  readonly rank: Rank;
  readonly format: string;
}

type Words = readonly string[];

/** `npx add-mcp X`, `npx @smithery/cli install X`. */
export function readInstaller(words: Words): CommandReading | undefined {
  const at = words.findIndex(
    (word, index) =>
      index > 0 &&
      index < 4 &&
      /^(?:add-mcp|install-mcp|mcp-add|mcp-install|@smithery\/cli|smithery)(?:@[\w.-]+)?$/.test(word),
  );
  const direct = /^(?:smithery|add-mcp|install-mcp)$/.test(words[0] ?? '') ? 0 : -1;
  const program =
    direct === 0
      ? 0
      : at > 0 && /^(?:npx|bunx|pnpx|pnpm|yarn|npm)$/.test(programOf(words[0] ?? ''))
        ? at
        : -1;
  if (program < 0) return undefined;
  const behind = words.slice(program + 1);
  if (/smithery/.test(words[program] ?? '')) {
    const verb = behind.findIndex((word) => /^(?:install|add|run|connect)$/.test(word));
    return verb < 0 ? undefined : readSmithery(behind.slice(verb + 1));
  }
  const target = behind.find(
    (word, index) => !word.startsWith('-') && !/^(?:--?[a-z-]+)$/.test(behind[index - 1] ?? ''),
  );
  if (target === undefined) return undefined;
  const draft = /^https?:\/\//i.test(target)
    ? readAddCommand(behind)
    : /\s/.test(target)
      ? readRunCommand(splitWords(target), {})
      : npmDraft(target, behind);
  return draft && { drafts: [draft], rank: 'config', format: 'add-mcp' };
}

function npmDraft(target: string, words: Words): Draft {
  const given = words.find((_, index) => /^(?:--name|-n)$/.test(words[index - 1] ?? ''));
  return { name: given ?? null, transport: 'stdio', command: 'npx', args: ['-y', target], extra: {} };
}

export function readSmithery(words: Words): CommandReading | undefined {
  const id = words.find((word, index) => !word.startsWith('-') && !words[index - 1]?.startsWith('--'));
  if (id === undefined) return undefined;
  if (/^https?:\/\//.test(id))
    return {
      drafts: [{ name: null, transport: transportOfUrl(id), url: id, extra: {} }],
      rank: 'config',
      format: 'smithery',
    };
  return refReading({ kind: 'smithery', id }, 'smithery');
}

function refReading(
  ref: PastedRef,
  format: string,
  name: string | null = ref.id.split('/').at(-1) ?? ref.id,
): CommandReading {
  return { drafts: [{ name, transport: null, ref, extra: {} }], rank: 'link', format };
}

/** `docker mcp server enable NAME`. */
export function readCatalog(words: Words): CommandReading | undefined {
  if (words[0] !== 'docker' || words[1] !== 'mcp') return undefined;
  const at = words.findIndex((word) => word === 'enable' || word === 'add');
  const names =
    at < 0 || words[2] !== 'server' ? [] : words.slice(at + 1).filter((word) => !word.startsWith('-'));
  if (names.length === 0) return undefined;
  const drafts = names.map((id): Draft => ({
    name: id,
    transport: null,
    ref: { kind: 'docker-catalog', id },
    extra: {},
  }));
  return { drafts, rank: 'link', format: 'docker mcp' };
}

/** `git clone URL` and `gemini extensions install URL`. */
export function readRepository(words: Words): CommandReading | undefined {
  const clones = words[0] === 'git' && words[1] === 'clone';
  const installs = words.includes('extensions') && words.includes('install');
  if (!clones && !installs) return undefined;
  const id = words
    .map(
      (word) =>
        /^(?:git\+)?(?:https?:\/\/github\.com\/|git@github\.com:)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
          word,
        )?.[1],
    )
    .find((found) => found !== undefined);
  return id === undefined
    ? undefined
    : refReading({ kind: 'github', id }, clones ? 'git clone' : 'an extension link');
}
