import type { Command } from 'commander';
import type { Completion } from '../completion/complete.ts';
import { places, scripts, type Shell } from '../completion/scripts.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { cliLimits } from '../limits.ts';
import type { Session } from '../session.ts';
import { faint } from '../output.ts';

export function printCompletion({ shell }: { readonly shell: Shell }, session: Session): Promise<ExitCode> {
  const { out, terminal } = session;
  out.document({ shell, script: scripts[shell], next: places[shell] });
  if (!out.json) terminal.stdout.write(scripts[shell]);
  if (terminal.stdout.isTerminal) out.note(faint(places[shell]));
  return Promise.resolve(exitCodes.ok);
}

export interface CompleteArgs {
  readonly program: Command;
  readonly words: readonly string[];
  readonly shell?: string;
}

/** One candidate and its description a line. Never fails, never starts a hub, and answers in time. */
export async function complete({ program, words, shell }: CompleteArgs, session: Session): Promise<void> {
  const { out, clock, hubs, terminal } = session;
  const [{ completeLine }, { namesFrom }, { unquote }] = await Promise.all([
    import('../completion/complete.ts'),
    import('../completion/kinds.ts'),
    import('../completion/complete.ts'),
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
      return NOTHING; // an error can't be shown in the middle of a line
    }
  };
  const late = new Promise<Completion>((resolve) => {
    clock.after(cliLimits.completionTimeoutMs, () => resolve(NOTHING));
  });
  const { candidates, files } = await Promise.race([found(), late]);
  out.document({ candidates, files });
  if (out.json) return;
  const lines = candidates.map(({ value, description = '' }) => `${value}\t${description}`);
  for (const line of [...(files ? [':files'] : []), ...lines]) terminal.stdout.write(`${line}\n`);
}

const NOTHING: Completion = { candidates: [], files: false };
