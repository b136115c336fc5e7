import type { JsonObject } from '../../base/json.ts';
import type { Endpoint } from '../definition.ts';
import { KEPT_FIELDS, type KeptBecause } from './table.ts';

const ENDPOINT_FIELDS = new Set(['args', 'env', 'cwd', 'headers']);

/** What an entry says and Plugboard does not do. */
export function notesOnKept(extra: JsonObject, { kind }: Endpoint): readonly string[] {
  const fields = Object.keys(extra).filter((field) => field !== 'inputs');
  const misplaced = fields.filter((field) => ENDPOINT_FIELDS.has(field));
  const because = (reason: KeptBecause | undefined): readonly string[] =>
    fields.filter((field) => !ENDPOINT_FIELDS.has(field) && KEPT_FIELDS.get(field)?.because === reason);
  const [working, approval, other] = [because('working'), because('approval'), because('other')];
  const unknown = because(undefined);
  const sort = kind === 'stdio' ? 'a local' : 'a remote';
  return [
    ...sentence(working, 'kept, but not acted on: give here what the server needs of it.'),
    ...sentence(approval, 'kept, without effect: which calls ask first is decided by your rules here.'),
    ...sentence(other, 'kept, without effect here.'),
    ...sentence(unknown, 'not known; kept, without effect.'),
    ...sentence(misplaced, `without effect on ${sort} server; kept.`),
  ];
}

function sentence(names: readonly string[], what: string): readonly string[] {
  if (names.length === 0) return [];
  return [`${names.map((name) => `“${name}”`).join(', ')} ${names.length === 1 ? 'is' : 'are'} ${what}`];
}

/** Variables that change what code runs. */
const DANGEROUS =
  /^(?:PATH|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|NODE_OPTIONS|PYTHONPATH|PYTHONSTARTUP|PERL5OPT|RUBYOPT|BASH_ENV|ENV|PROMPT_COMMAND|GIT_SSH_COMMAND|npm_config_\w+)$/i;

export function dangerousNames(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(env).filter((name) => DANGEROUS.test(name));
}
