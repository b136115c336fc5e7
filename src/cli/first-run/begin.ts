import { dirname } from 'node:path';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { firstSteps } from '../first-steps.ts';
import { ownCommand } from '../own-command.ts';
import { withHub, type Session } from '../session.ts';
import { answerFile, lookAround, sentenceOf, type Find, type Found } from './look-around.ts';

/**
 * Plain `plug`: what it is and how to begin; on a first run, what other clients have, and an offer
 * to take it over. Nothing is written, and no hub started, before that is answered.
 */
export async function begin(session: Session): Promise<ExitCode> {
  const { out, terminal } = session;
  const plug = ownCommand(session);
  const found = await out.working('Looking at the other clients', () => lookAround(session));
  const offered = found && found.finds.length > 0 ? found : undefined;
  if (out.json) {
    out.document({
      firstSteps: firstSteps(plug),
      ...(offered ? { found: offered, remedy: { do: 'type', line: 'plug import' } } : {}),
    });
    return exitCodes.ok;
  }
  if (!offered || !terminal.interactive || !terminal.stdout.isTerminal) {
    for (const line of shortHelp(plug)) out.line(line);
    if (offered) out.line(`${sentenceOf(offered)} Take them over: ${plug} import`);
    return exitCodes.ok;
  }
  return await offer(offered, plug, session);
}

/** What plain `plug` says; `plug` is what runs this program here. */
function shortHelp(plug: string): readonly string[] {
  return [
    'Plugboard connects any agent to any MCP server.',
    '',
    ...firstSteps(plug),
    '',
    `${plug} list shows your servers, ${plug} status how they fare, ${plug} help every command.`,
  ];
}

async function offer(found: Found, plug: string, session: Session): Promise<ExitCode> {
  const { out } = session;
  out.line('Plugboard connects any agent to any MCP server.');
  out.line('');
  out.line(sentenceOf(found));
  const picked = await ask(found, session);
  if (picked.length === 0) {
    await rememberNo(session);
    out.line(`Nothing was imported. At any time: ${plug} import`);
    out.line('');
    for (const line of firstSteps(plug)) out.line(line);
    return exitCodes.ok;
  }
  return await withHub(session, async (hub) => {
    const { takeOver } = await import('./take-over.ts');
    return await takeOver(hub, picked, plug, session);
  });
}

async function ask(found: Found, session: Session): Promise<readonly Find[]> {
  const question = found.finds.length === 1 ? 'Import it?' : 'Import them?';
  for (;;) {
    const answer = (await session.terminal.ask(`${question} [Y/pick/n] `, session.signal))
      .trim()
      .toLowerCase();
    if (['', 'y', 'yes', 'a', 'all'].includes(answer)) return found.finds;
    if (['n', 'no', 'not now', 'q'].includes(answer)) return [];
    if (['p', 'pick'].includes(answer)) return await pick(found, session);
    session.out.note('Answer y for all of them, pick to choose, or n for not now.');
  }
}

async function pick({ finds }: Found, session: Session): Promise<readonly Find[]> {
  const { tick } = await import('../choose.ts');
  const choices = finds.map(({ id, client, target }) => ({
    label: `${id}  ${client}  ${target}`,
    ticked: true,
  }));
  const ticked = (await tick(session, choices)) ?? [];
  return finds.filter((_, index) => ticked.includes(index));
}

/** So that it is not asked again; `plug import` does the same at any time. */
async function rememberNo(session: Session): Promise<void> {
  const [{ makePrivateFolder, writePrivateFile }, { systemIds }] = await Promise.all([
    import('../../base/private-files.ts'),
    import('../../base/ids.ts'),
  ]);
  const file = answerFile(session);
  const at = new Date(session.clock.now()).toISOString();
  await makePrivateFolder(dirname(file));
  await writePrivateFile(file, `${JSON.stringify({ import: 'not now', at })}\n`, systemIds);
}
