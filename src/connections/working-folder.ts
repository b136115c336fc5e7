import { isAbsolute, resolve } from 'node:path';
import type { ServerDefinition } from '../servers/definition.ts';

/** Placeholders that stand for the host's working folder. */
const FOLDER_NAMES: ReadonlySet<string> = new Set(['workspaceFolder', 'workspaceRoot', 'cwd', 'PWD']);

export function isFolderName(name: string): boolean {
  return FOLDER_NAMES.has(name);
}

const matters = new WeakMap<ServerDefinition, boolean>();

/** Whether a server depends on the folder: then each folder of a host gets its own. */
export function cwdMatters(definition: ServerDefinition): boolean {
  const known = matters.get(definition);
  if (known !== undefined) return known;
  const found = looksAround(definition);
  matters.set(definition, found);
  return found;
}

function looksAround({ endpoint, source }: ServerDefinition): boolean {
  // A project's own servers work in the project.
  if (endpoint.kind !== 'stdio' || source.scope === 'project') return false;
  const { cwd, args, env } = endpoint;
  if ([endpoint.command, cwd ?? '', ...args, ...Object.values(env)].some(namesFolder)) return true;
  // A folder in a file is relative to that file.
  if (cwd !== undefined) return !isAbsolute(cwd) && !cwd.startsWith('~') && source.file === undefined;
  return args.some((arg) => RELATIVE.test(arg) && !SCRIPT.test(arg));
}

function namesFolder(text: string): boolean {
  return [...text.matchAll(PLACEHOLDER)].some(([, name = '']) => FOLDER_NAMES.has(name));
}

const PLACEHOLDER = /\$\{(?:env:)?([A-Za-z]+)(?::-[^}]*)?\}/g;

/** `.`, `..`, `./x` and `../x`, alone or as the value of an option. */
const RELATIVE = /^(?:--?[\w-]+=)?\.{1,2}(?:[\\/].*)?$/;

/** A script is run; it is not a folder to work in. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|sh|php|pl|jar|exe|dll|wasm)$/i;

/** Its own folder, else its host's, else where it is defined. */
export function startFolder(own: string | undefined, hosts: string | undefined, folder: string): string {
  return resolve(hosts ?? folder, own ?? '');
}
