import { PlugError } from '../../base/errors.ts';
import type { ServerDefinition, Source } from '../definition.ts';
import { idFrom } from '../entry/names.ts';
import { unwrap } from '../entry/unwrap.ts';
import { normalize, type Normalized } from '../entry/normalize.ts';
import { commandPackage } from '../plans/command-package.ts';
import { suggestId } from '../plans/id.ts';
import type { PastedServer } from './paste.ts';

export interface DefinitionOptions {
  readonly id?: string;
  readonly source: Source;
  /** Where relative paths start: the folder of the file, or the user's. */
  readonly folder?: string;
  /** What `${workspaceFolder}` stands for. */
  readonly workspace?: string;
}

export function definitionFrom(pasted: PastedServer, options: DefinitionOptions): ServerDefinition {
  return normalizePasted(pasted, options).definition;
}

/** As an entry of a file is read: pastes, links and files on the command line mean the same. */
export function normalizePasted(
  pasted: PastedServer,
  { id, source, folder, workspace }: DefinitionOptions,
): Normalized {
  if (pasted.declined !== undefined) throw new PlugError('usage', pasted.declined, { owner: 'you' });
  if (pasted.command === undefined && pasted.url === undefined) throw onlyPublished(pasted);
  const isListed = pasted.ref !== undefined && pasted.ref.id.split('/').at(-1) === pasted.name;
  const name = isListed ? nameOf(pasted) : (pasted.name ?? nameOf(pasted));
  return normalize(pasted, {
    id: id ?? idFrom(name),
    name,
    source,
    folder,
    workspace,
    strict: false,
    escapes: true,
  });
}

function onlyPublished({ ref }: PastedServer): PlugError {
  const where = ref ? `${ref.kind} ${ref.id}` : 'this paste';
  const message = `${where} says where the server is published, not how to start or reach it.`;
  return new PlugError('bad_config', message, {
    owner: 'you',
    remedy: ref
      ? { do: 'add-server', name: ref.id }
      : { do: 'say', text: 'Paste its config, its command or its address.' },
  });
}

/** For a server without a name of its own: of its package, its address or its program. */
function nameOf({ url, command = '', args = [], env = {}, ref }: PastedServer): string {
  if (ref) return suggestId(ref.id);
  if (url !== undefined) return nameOfUrl(url);
  const { endpoint } = unwrap({ kind: 'stdio', command, args, env });
  if (endpoint.kind !== 'stdio') return nameOfUrl(endpoint.url);
  return nameOfCommand(endpoint.command, endpoint.args);
}

function nameOfCommand(command: string, args: readonly string[]): string {
  const pack = commandPackage(command, args);
  // What Smithery's program runs is the server.
  const run = pack?.package.name === '@smithery/cli' ? args.indexOf('run') : -1;
  if (run >= 0) return suggestId(args.slice(run + 1).find((arg) => !arg.startsWith('-')) ?? 'smithery');
  if (pack) return suggestId(pack.package.name);
  const isName = (arg: string): boolean =>
    !arg.startsWith('-') && /[a-z]/i.test(arg) && !/^(?:run|exec|dlx|tool|x)$/.test(arg);
  return nameOfProgram(args.find(isName) ?? command);
}

function nameOfUrl(url: string): string {
  const host = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url)?.[1] ?? 'server';
  const labels = /^[\d.]+$/.test(host) ? [host] : host.split('.');
  const parts = (labels.length > 1 ? labels.slice(0, -1) : labels).filter((part) => !GENERIC.test(part));
  return parts.at(-1) ?? host;
}

const GENERIC = /^(?:www|mcp|api|server|app|com|co)$/i;

/** `/home/ann/acme-mcp/build/index.js` is `acme`. */
function nameOfProgram(path: string): string {
  const parts = path.split(/[/\\]/).map((part) => part.replace(/\.(?:[cm]?[jt]s|py|exe|jar|dll)$/, ''));
  const said = parts.findLast((part) => part !== '' && !FOLDERS.test(part) && /[a-z]/i.test(part));
  return said === undefined ? 'server' : suggestId(path.startsWith('@') ? path : said);
}

const FOLDERS = /^(?:index|main|server|mcp|app|cli|build|dist|src|bin|lib|out|\.{1,2}|[A-Za-z]:)$/i;
