import { constants, type Stats } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode, messageOf, type PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import type { ChatEvent } from '../../hub/hub.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts';
import { userError } from '../failures.ts';
import { sanitize } from '../sanitize.ts';
import type { Session } from '../session.ts';
import { documentLimits } from './document.ts';

interface AnswerFile {
  write(text: string): Promise<void>;
}

/** Looks whether the answer can be written there, before a model is asked and paid. */
export async function openAnswerFile(
  given: string,
  prompt: string | undefined,
  cwd: string,
): Promise<AnswerFile> {
  const target = await targetOf(resolve(cwd, given), given);
  const before = await statOf(target);
  if (before?.isDirectory()) throw refused(given, 'it is a folder');
  const folder = await statOf(dirname(target));
  if (!folder?.isDirectory()) throw refused(given, `there is no folder ${dirname(given)}`);
  const asked = prompt === undefined ? undefined : await statOf(resolve(cwd, prompt));
  // By what it is, not by its name: a link to the prompt is the prompt.
  if (before && asked && before.dev === asked.dev && before.ino === asked.ino)
    throw refused(given, 'it is the prompt itself');
  return { write: (text) => replace(target, text, { mode: before?.mode, given }) };
}

async function replace(
  target: string,
  text: string,
  { mode, given }: { readonly mode: number | undefined; readonly given: string },
): Promise<void> {
  const temporary = join(dirname(target), `.${basename(target)}.${systemIds.next('plug')}`);
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  try {
    {
      await using file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666);
      await file.writeFile(text);
      // The umask may have taken bits away that the old file had.
      if (mode !== undefined) await file.chmod(mode & 0o777);
      await file.sync();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw refused(given, messageOf(error), error);
  }
}

/** A link stays, and what it points at is written. */
async function targetOf(path: string, given: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return path;
    throw refused(given, messageOf(error), error);
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    return undefined; // what cannot be looked at is as good as absent: writing says why
  }
}

function refused(file: string, reason: string, cause?: unknown): PlugError {
  return userError('usage', `The answer cannot be written to ${file}: ${reason}.`, {
    remedy: 'Name another file with -o.',
    cause,
  });
}

/** What happens in a run: the answer on standard output as it comes, everything else beside it. */
export class ShownTurn {
  readonly #session: Session;
  readonly #streams: boolean;
  #held = '';
  #last = '\n';
  readonly #lost = new Map<string, ExitCode>();

  constructor(session: Session, { streams }: { readonly streams: boolean }) {
    this.#session = session;
    this.#streams = streams;
  }

  show(event: ChatEvent): void {
    if (event.kind === 'text') this.#say(event.text);
    else if (event.kind === 'call-start') this.#note('  ', `using ${event.tool}`);
    else if (event.kind === 'call-end') this.#ended(event);
    else if (event.kind === 'retry') {
      this.#note('… ', `${event.reason} Trying again in ${Math.ceil(event.waitMs / 1_000)} s.`);
    } else if (event.kind === 'note') this.#note('… ', event.text);
    else if (event.kind === 'suggestion') {
      for (const { name, why, next } of event.suggestions) this.#note('… ', `${name}: ${why} ${next}`);
    }
  }

  end(): void {
    this.#flush();
    if (this.#last !== '\n') this.#write('\n');
  }

  /** Whether a server could not be used to the end: for want of a sign-in, or because it is not there. */
  get lost(): ExitCode {
    const codes = [...this.#lost.values()];
    return codes.includes(exitCodes.signInRequired) ? exitCodes.signInRequired : (codes[0] ?? exitCodes.ok);
  }

  #ended(event: Extract<ChatEvent, { kind: 'call-end' }>): void {
    const { tool, outcome, durationMs, error } = event;
    const [server = ''] = tool.split('/', 1);
    const code = error === undefined ? exitCodes.ok : exitCodeOf(error.code);
    if (code === exitCodes.signInRequired || code === exitCodes.serverNotAvailable)
      this.#lost.set(server, code);
    else if (outcome === 'completed') this.#lost.delete(server);
    const took = durationMs < 1 ? '' : ` (${Math.round(durationMs)} ms)`;
    const why = outcome === 'completed' ? '' : `: ${error?.message ?? event.text}`;
    const next = error?.next === undefined || outcome === 'denied' ? '' : ` → ${error.next}`;
    this.#note(
      outcome === 'completed' ? '✔ ' : '✖ ',
      `${tool} ${outcome.replace('-', ' ')}${took}${why}${next}`,
    );
  }

  #note(mark: string, text: string): void {
    if (this.#session.out.json) return;
    this.#flush();
    // What the model says next is another paragraph.
    if (this.#last !== '\n') this.#write('\n\n');
    this.#session.out.note({ style: STYLES[mark] ?? 'faint', text: mark }, text.replaceAll(/\s+/g, ' '));
  }

  /** Writes whole words only: a character may come in two pieces, or be hidden by its neighbors. */
  #say(text: string): void {
    if (!this.#streams) return;
    this.#held += text;
    const end = Math.max(this.#held.lastIndexOf(' '), this.#held.lastIndexOf('\n')) + 1;
    const sure = this.#held.length - end > documentLimits.heldCharsMax ? this.#held.length : end;
    this.#write(sanitize(this.#held.slice(0, sure)));
    this.#held = this.#held.slice(sure);
  }

  #flush(): void {
    this.#write(sanitize(this.#held));
    this.#held = '';
  }

  #write(text: string): void {
    if (text === '') return;
    this.#session.out.end();
    this.#session.terminal.stdout.write(text);
    this.#last = text.at(-1) ?? '\n';
  }
}

const STYLES: Readonly<Record<string, 'good' | 'bad' | undefined>> = { '✔ ': 'good', '✖ ': 'bad' };
