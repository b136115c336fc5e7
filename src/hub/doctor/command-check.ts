import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { toPlugError } from '../../base/errors.ts';
import { exactShellWord } from '../../base/shell-words.ts';
import { sentence } from '../../base/sentence.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import { findCommand } from '../../connections/processes/find-command.ts';
import { startFolder } from '../../connections/working-folder.ts';
import type { Endpoint } from '../../servers/definition.ts';
import type { DoctorRow } from '../hub.ts';
import { editServer } from '../../connections/causes/edit-server.ts';
import { howToInstall } from '../../connections/causes/installers.ts';
import type { CheckedServer, Examination, FoundPath } from './checked-server.ts';
import { recordedAt } from './recorded.ts';
import { BAD_CONFIG, doctorLimits, fail, pass, type Rows, warn } from './rows.ts';
import { blocked } from '../workspace.ts';

type Local = Extract<Endpoint, { kind: 'stdio' }>;

export async function lookAtCommand(checked: CheckedServer): Promise<Rows> {
  const resolved = await checked.resolved();
  if (resolved.kind !== 'ok' || resolved.endpoint.kind !== 'stdio') return [];
  const { endpoint } = resolved;
  const { examination, pooled } = checked;
  const cwd = startFolder(endpoint.cwd, undefined, pooled.folder);
  if (!(await isFolder(cwd))) {
    const remedy = { do: 'run', line: `mkdir -p ${exactShellWord(cwd) ?? cwd}` } as const;
    const says = `The folder ${cwd} that it starts in isn't there. Create it, or correct “cwd”.`;
    return fail('command', says, { ...BAD_CONFIG, remedy });
  }
  const found = await examination.path();
  const path = endpoint.env['PATH'] ?? found.path;
  try {
    const file = await findCommand({ ...placesOf(examination), command: endpoint.command, cwd, path });
    const lost = await missingScript(endpoint, cwd);
    if (lost !== undefined) {
      const remedy = editServer({ server: checked.id, file: pooled.definition.source.file }, 'args');
      const says = `The file ${lost} that ${endpoint.command} should run isn't there.`;
      return fail('command', says, { ...BAD_CONFIG, remedy });
    }
    const recorded = recordedAt(checked, 'command');
    return (
      recorded ?? (await packagedRow(checked, endpoint)) ?? pass('command', `${endpoint.command} is ${file}.`)
    );
  } catch (error) {
    return await notFound(checked, endpoint, { found, error });
  }
}

/** What a packaged server is started by. */
async function packagedRow(
  { id, examination: { core }, pooled: { definition } }: CheckedServer,
  endpoint: Local,
): Promise<DoctorRow | undefined> {
  const start = await core.packaged.explain(definition, endpoint);
  if (start === undefined) return undefined;
  if (start.kind === 'not-yet') {
    return pass('command', `${endpoint.command} starts it until its package is installed.`);
  }
  const why =
    start.kind === 'runner' ? start.why : start.launched.kind === 'runner' ? start.launched.why : undefined;
  if (why !== undefined) {
    return pass('command', `${endpoint.command} starts it: ${sentence(why)}`, {
      remedy: { do: 'install-package', server: id },
    });
  }
  if (start.kind !== 'installed' || start.launched.kind !== 'ok') return undefined;
  const { installed, launched } = start;
  const says = `${installed.name} ${installed.version} is installed and started by its own program.`;
  return pass('command', says, { details: [launched.file] });
}

async function notFound(
  { id, server: { definition } }: CheckedServer,
  { command, env }: Local,
  { found, error }: { readonly found: FoundPath; readonly error: unknown },
): Promise<DoctorRow> {
  const { code: cause, owner, message, remedy, details } = toPlugError(error);
  if (command.includes('/') || cause !== 'missing_command')
    return fail('command', message, { cause, owner, remedy });
  const elsewhere = typeof details?.['elsewhere'] === 'string' ? details['elsewhere'] : undefined;
  const looked = env['PATH'] === undefined ? lookedIn(found) : ['looked in the PATH that its “env” gives'];
  const install = howToInstall(command);
  // A word that is a known command is no mistake, and of two letters anything is near.
  const mistyped = elsewhere === undefined && install === undefined && command.length > 2;
  const near = mistyped ? suggest(command, await namesIn(found.path.split(':'))) : [];
  // We don't change the user's own files.
  const ours = definition.source.kind !== 'file' && definition.follow === undefined;
  const fix =
    elsewhere !== undefined && ours
      ? { id: `pin-runtime:${id}`, says: `set its command to ${elsewhere}` }
      : undefined;
  const [right] = near;
  const edit = editServer({ server: id, file: definition.source.file }, 'command');
  const advice = right === undefined ? (install ?? remedy) : { ...edit, to: right };
  const what =
    elsewhere === undefined
      ? `The command ${command} was not found. ${didYouMean(near)}`.trim()
      : `The command ${command} is not on the PATH, but there is one at ${elsewhere}.`;
  const more = { cause, owner, remedy: elsewhere === undefined ? advice : remedy, fix, details: looked };
  if (found.complete) return fail('command', what, more);
  const unasked = 'Your login shell may have it on its PATH. Only a start, or --live, checks that.';
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

async function missingScript({ command, args }: Local, cwd: string): Promise<string | undefined> {
  const first = args[0];
  if (first === undefined || !RUNNERS.test(basename(command))) return undefined;
  // Only what can be nothing but a file: an option, a word or a placeholder is left to the runner.
  if (!/^(?:\.{0,2}\/|~\/)/.test(first) && !/^[\w./-]+\.(?:[cm]?[jt]s|py|rb|php|sh)$/.test(first))
    return undefined;
  const file = resolve(cwd, first);
  const there = await stat(file).catch(() => undefined);
  // Node finds a folder's index, and a file without its ending.
  return there || first.startsWith('~/') || !/\.\w+$/.test(first) ? undefined : file;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/** Where a command is looked for beyond the PATH, and under which endings. */
function placesOf({ core, home, platform }: Examination) {
  return { home, platform, pathExt: core.options.env['PATHEXT'] };
}

async function namesIn(folders: readonly string[]): Promise<readonly string[]> {
  const lists = await Promise.all(folders.map((folder) => readdir(folder).catch((): string[] => [])));
  const names = lists.flatMap((list) => list.slice(0, doctorLimits.namesPerFolderMax));
  return [...new Set(names)];
}

const RUNTIMES = ['npx', 'uvx', 'docker'] as const;

/** Where the usual runtimes are. One that no server needs is not missed. */
export async function lookForRuntimes(examination: Examination): Promise<Rows> {
  const { path, own, complete } = await examination.path();
  const where = { ...placesOf(examination), cwd: examination.home, path };
  const found = await Promise.all(
    RUNTIMES.map(async (command) => await findCommand({ ...where, command }).catch(() => undefined)),
  );
  const words = RUNTIMES.map((command, index) => {
    const file = found[index];
    if (file === undefined) return `${command} is not there`;
    return `${command} is ${file}${own.includes(dirname(file)) ? '' : ', which isn’t on the hub’s PATH'}`;
  });
  const missed = RUNTIMES.filter(
    (command, index) => found[index] === undefined && isNeeded(examination, command),
  );
  if (missed.length === 0) return pass('runtimes', `${words.join('; ')}.`);
  const unsure = complete
    ? []
    : ['Your login shell may have more on its PATH. Only a start, or --live, checks that.'];
  return warn('runtimes', `${words.join('; ')}. A server needs ${missed.join(' and ')}.`, {
    cause: 'missing_command',
    owner: 'you',
    remedy: howToInstall(missed[0] ?? ''),
    details: [`looked in ${path}`, ...unsure],
  });
}

function isNeeded({ workspace }: Examination, command: string): boolean {
  return workspace.servers.some((server) => {
    const { endpoint } = server.definition;
    return !blocked(server) && endpoint.kind === 'stdio' && endpoint.command === command;
  });
}
