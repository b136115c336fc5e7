import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import {
  connectClient,
  disconnectClient,
  type ConnectOptions,
  type ConnectOutcome,
} from '../../editors/connect.ts';
import { clientNamed } from '../../servers/clients/clients.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { shortHome } from '../render/path.ts';
import { textChange } from '../render/text-change.ts';
import { confirm, type Session } from '../session.ts';

export interface ConnectArgs {
  readonly client: string;
  readonly scope: 'user' | 'project';
  readonly yes: boolean;
  readonly dryRun: boolean;
}

const GATEWAY = { command: 'plug', args: ['gateway'] };

/** `plug connect`: our entry in a client's file, shown before it is written. */
export async function connect(args: ConnectArgs, session: Session): Promise<ExitCode> {
  const write = (options: ConnectOptions): Promise<ConnectOutcome> =>
    connectClient(args.client, GATEWAY, options);
  return await change(args, session, { write, done: 'is connected', same: 'is connected already' });
}

/** `plug disconnect`: the same entry out again. */
export async function disconnect(args: ConnectArgs, session: Session): Promise<ExitCode> {
  const write = (options: ConnectOptions): Promise<ConnectOutcome> => disconnectClient(args.client, options);
  return await change(args, session, { write, done: 'is disconnected', same: 'was not connected' });
}

interface Change {
  readonly write: (options: ConnectOptions) => Promise<ConnectOutcome>;
  readonly done: string;
  readonly same: string;
}

async function change(args: ConnectArgs, session: Session, work: Change): Promise<ExitCode> {
  const { out, env, cwd, clock } = session;
  const { title } = clientNamed(args.client);
  const machine = { home: homedir(), cwd, env, platform: process.platform };
  const options: ConnectOptions = { machine, clock, ids: systemIds, scope: args.scope };
  const { change: texts, ...planned } = await work.write({ ...options, dryRun: true });
  const shown = texts && textChange(texts.before, texts.after);
  if (!planned.changed || !shown) {
    out.document({ ...planned, changed: false });
    out.line(`Nothing to change: ${title} ${work.same} (${shortHome(planned.file)}).`);
    return exitCodes.ok;
  }
  out.line({ style: 'strong', text: shortHome(planned.file) });
  for (const line of shown.removed) out.line({ style: 'bad', text: `  - ${line}` });
  for (const line of shown.added) out.line({ style: 'good', text: `  + ${line}` });
  for (const warning of planned.warnings) if (!out.json) out.note({ style: 'warn', text: '⚠ ' }, warning);
  if (args.dryRun) {
    out.document({ ...planned, change: shown, dryRun: true });
    return exitCodes.ok;
  }
  if (!(await confirm(session, `Write this to ${shortHome(planned.file)}?`, args.yes))) {
    throw new PlugError('cancelled', `${shortHome(planned.file)} was not changed.`, { owner: 'you' });
  }
  const outcome = await work.write(options);
  const notes = work.done === 'is connected' ? notesFor(session) : [];
  out.document({ ...outcome, change: shown, notes });
  out.line({ style: 'good', text: '✔ ' }, `${title} ${work.done}.`);
  if (outcome.backup !== undefined)
    out.line({ style: 'faint', text: '  backup  ' }, shortHome(outcome.backup));
  for (const note of notes) if (!out.json) out.note({ style: 'warn', text: '⚠ ' }, note);
  return exitCodes.ok;
}

/** The truth about what was written: a client that starts it today finds less than it will. */
function notesFor({ env }: Session): readonly string[] {
  const later =
    '“plug gateway” is not part of this version yet: the entry is in place, and works once the gateway comes.';
  const found = (env['PATH'] ?? '').split(delimiter).some((folder) => isProgram(join(folder, 'plug')));
  return found ? [later] : [later, 'There is no “plug” on your PATH: the client will not find it there.'];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
