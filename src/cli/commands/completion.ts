import type { Command } from 'commander';
import type { Completion } from '../completion/candidate.ts';
import { places, scripts, type Shell } from '../completion/scripts.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { cliLimits } from '../limits.ts';
import type { Session } from '../session.ts';
import { faint } from '../output.ts';

/** `plug completion SHELL`: the script, and on a terminal where to put it. */
export function printCompletion(
  { shell }: { readonly shell: Shell },
  { out, terminal }: Session,
): Promise<ExitCode> {
  out.document({ shell, script: scripts[shell], next: places[shell] });
  if (!out.json) terminal.stdout.write(scripts[shell]);
  if (terminal.stdout.isTerminal) out.note(faint(places[shell]));
  return Promise.resolve(exitCodes.ok);
}

export interface CompleteArgs {
  readonly program: Command;
  /** After the program itself; the last one is being typed. */
  readonly words: readonly string[];
  readonly shell?: string;
}

/**
 * `plug complete`, for the scripts above: one candidate a line, a tab, and what it is. It never fails,
 * never starts a hub, and answers in time: a shell that hangs at Tab is worse than one that is silent.
 */
export async function complete({ program, words, shell }: CompleteArgs, session: Session): Promise<ExitCode> {
  const { out, clock, hubs, terminal } = session;
  const [{ completeLine }, { namesFrom }, { unquote }] = await Promise.all([
    import('../completion/complete.ts'),
    import('../completion/names.ts'),
    import('../completion/unquote.ts'),
  ]);
  const typed = shell === 'bash' || shell === 'fish' ? words.map(unquote) : words;
  const found = async (): Promise<Completion> => {
    try {
      return await completeLine(
        program,
        typed,
        namesFrom(() => hubs.running()),
      );
    } catch {
      return NOTHING; // nobody can be told in the middle of a line
    }
  };
  const late = new Promise<Completion>((resolve) => {
    clock.after(cliLimits.completionTimeoutMs, () => resolve(NOTHING));
  });
  const { candidates, files } = await Promise.race([found(), late]);
  out.document({ candidates, files });
  if (out.json) return exitCodes.ok;
  const lines = candidates.map(({ value, description = '' }) => `${value}\t${description}`);
  for (const line of [...(files ? [':files'] : []), ...lines]) terminal.stdout.write(`${line}\n`);
  return exitCodes.ok;
}

const NOTHING: Completion = { candidates: [], files: false };
