import { readdir, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { toPlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import { findCommand } from '../../connections/processes/find-command.ts';
import { startFolder } from '../../connections/working-folder.ts';
import type { Endpoint } from '../../servers/definition.ts';
import type { DoctorRow } from '../hub.ts';
import { howToInstall } from './installers.ts';
import { doctorLimits } from './limits.ts';
import type { Patient } from './patient.ts';
import { recordedAt } from './recorded.ts';
import { fail, pass, warn } from './rows.ts';
import type { FoundPath } from './search-path.ts';

type Local = Extract<Endpoint, { kind: 'stdio' }>;

/** Whether the folder, the program and the script are there, and where each was looked for. */
export async function lookAtCommand(patient: Patient): Promise<readonly DoctorRow[]> {
  const resolved = await patient.resolved();
  if (resolved.kind !== 'ok' || resolved.endpoint.kind !== 'stdio') return [];
  const { endpoint } = resolved;
  const { visit, pooled } = patient;
  const cwd = startFolder(endpoint.cwd, undefined, pooled.folder);
  if (!(await isFolder(cwd))) {
    const next = `mkdir -p ${cwd}, or correct “cwd”`;
    return [fail('command', `The folder ${cwd} that it starts in is not there.`, { ...BAD, next })];
  }
  const found = await visit.path();
  const path = endpoint.env['PATH'] ?? found.path;
  const { home, platform } = visit;
  const where = { command: endpoint.command, cwd, path, home, platform };
  try {
    const file = await findCommand({ ...where, pathExt: visit.core.options.env['PATHEXT'] });
    const lost = await missingScript(endpoint, cwd);
    if (lost !== undefined) {
      const next = `Correct the path in “args”, or bring the file back: ls -l ${lost}`;
      return [
        fail('command', `The file ${lost} that ${endpoint.command} shall run is not there.`, {
          ...BAD,
          next,
        }),
      ];
    }
    return [recordedAt(patient, 'command') ?? pass('command', `${endpoint.command} is ${file}.`)];
  } catch (error) {
    return [await notFound(patient, endpoint, { found, error })];
  }
}

const BAD = { cause: 'bad_config', owner: 'you' } as const;

async function notFound(
  { id, server: { definition } }: Patient,
  { command, env }: Local,
  { found, error }: { readonly found: FoundPath; readonly error: unknown },
): Promise<DoctorRow> {
  const { code: cause, owner, message, next, details } = toPlugError(error);
  if (command.includes('/') || cause !== 'missing_command')
    return fail('command', message, { cause, owner, next });
  const elsewhere = typeof details?.['elsewhere'] === 'string' ? details['elsewhere'] : undefined;
  const folders = found.path.split(':');
  const looked = env['PATH'] === undefined ? lookedIn(found) : ['looked in the PATH that its “env” gives'];
  const install = howToInstall(command);
  // A word that is a known command is no mistake, and of two letters anything is near.
  const mistyped = elsewhere === undefined && install === undefined && command.length > 2;
  const near = mistyped ? suggest(command, await namesIn(folders)) : [];
  // What stands in a file of the user's is theirs to change.
  const ours = definition.source.kind !== 'file' && definition.extra['follow'] === undefined;
  const fix =
    elsewhere !== undefined && ours
      ? { id: `pin-runtime:${id}`, says: `set its command to ${elsewhere}` }
      : undefined;
  const advice = elsewhere === undefined ? (install ?? next) : next;
  const what =
    elsewhere === undefined
      ? `The command ${command} was not found. ${didYouMean(near)}`.trim()
      : `The command ${command} is not on the PATH, but there is one at ${elsewhere}.`;
  const more = {
    cause,
    owner,
    next: near.length > 0 ? `Correct “command”: ${near[0]}` : advice,
    fix,
    details: looked,
  };
  if (found.complete) return fail('command', what, more);
  const unasked = 'Your login shell may know it; only a start, or --live, asks it.';
  return warn('command', what, { ...more, details: [...looked, unasked] });
}

function lookedIn({ path, own, complete }: FoundPath): readonly string[] {
  const added = path.split(':').filter((folder) => folder !== '' && !own.includes(folder));
  const from = complete ? 'of the login shell or well-known' : 'well-known';
  return [
    `looked in ${own.length > 0 ? own.join(':') : 'nothing'} (PATH of the hub)`,
    ...(added.length > 0 ? [`and in ${added.join(':')} (${from})`] : []),
  ];
}

/** Programs whose first argument is often a script. */
const RUNNERS = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|php|bash|sh|zsh)(?:\.exe)?$/;

/** The script that a runner is told to run, when it is a file that is not there. */
async function missingScript({ command, args }: Local, cwd: string): Promise<string | undefined> {
  const first = args[0];
  if (first === undefined || !RUNNERS.test(basename(command))) return undefined;
  // Only what can be nothing but a file: an option, a word or a placeholder is left to the runner.
  if (!/^(?:\.{0,2}\/|~\/)/.test(first) && !/^[\w./-]+\.(?:[cm]?[jt]s|py|rb|php|sh)$/.test(first))
    return undefined;
  const file = resolve(cwd, first);
  const there = await stat(file).then(
    () => true,
    () => false,
  );
  // Node finds a folder's index, and a file without its ending.
  return there || first.startsWith('~/') || !/\.\w+$/.test(first) ? undefined : file;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function namesIn(folders: readonly string[]): Promise<readonly string[]> {
  const lists = await Promise.all(folders.map((folder) => readdir(folder).catch((): string[] => [])));
  const names = lists.flatMap((list) => list.slice(0, doctorLimits.namesPerFolderMax));
  return [...new Set(names)];
}
