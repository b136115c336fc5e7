import { toPlugError } from '../../base/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderError } from '../render/error.ts';
import type { HubSession, Session } from '../session.ts';
import { totalOf, type Conversation } from './conversation.ts';
import { commandRunner } from './mcp.ts';
import { ensureModel } from './models.ts';
import { isSlash, runSlash } from './slash.ts';
import { takeTurn, type TurnEnd } from './turn.ts';

export async function talkOverPipe(conversation: Conversation, session: HubSession): Promise<ExitCode> {
  const { hub, signal, out, cwd } = session;
  const turns: object[] = [];
  let exitCode: ExitCode = exitCodes.ok;
  // Servers get no answers here, but may work in this folder.
  const host = await hub.hosts.attach({ name: 'plug chat', cwd, handlers: {} });
  try {
    for (;;) {
      const line = await nextMessage(session);
      if (line === undefined) break;
      if (line.trim() === '') continue;
      try {
        const end = await answer(line.trim(), host.id, conversation, session);
        if (end === 'leave') break;
        if (!end) continue;
        if (end.kind === 'set-up') {
          const { text, proposals, done, said, error } = end.outcome;
          turns.push({ message: said?.shown ?? line, text, proposals, done, ...(error ? { error } : {}) });
          if (error) exitCode = exitCodeOf(error.code);
          continue;
        }
        turns.push(documentOf(line, end));
        if (end.error) exitCode = exitCodeOf(end.error.code);
        else if (end.refused.length > 0) exitCode = exitCodes.approvalRequired;
      } catch (error) {
        signal.throwIfAborted();
        const failure = toPlugError(error);
        exitCode = exitCodeOf(failure.code);
        turns.push({ message: line, error: failure.toView() });
        if (!out.json) renderError(failure.toView(), out);
      }
    }
  } finally {
    await host.close();
  }
  out.document({ turns, usage: totalOf(conversation.usages) });
  return exitCode;
}

async function nextMessage({ terminal, signal }: Session): Promise<string | undefined> {
  const lines: string[] = [];
  for (;;) {
    const line = await terminal.readLine(signal);
    if (line === undefined) return lines.length > 0 ? lines.join('\n') : undefined;
    if (!line.endsWith('\\')) return [...lines, line].join('\n');
    lines.push(line.slice(0, -1));
  }
}

async function answer(line: string, host: string, conversation: Conversation, session: HubSession) {
  const { hub, out, signal } = session;
  let text = line;
  if (conversation.isSetup && !isSlash(line)) return await setUp(line, conversation, session);
  if (isSlash(line)) {
    // A command inside a chat has no document of its own.
    const silent = { ...out, document: () => out.json, record: () => undefined };
    const inside = { ...session, out: silent };
    const after = await runSlash(line, { session: inside, conversation, run: commandRunner(inside) });
    if (after.kind === 'set-up') return await setUp(after.text, conversation, session);
    if (after.kind !== 'send') return after.kind === 'leave' ? 'leave' : undefined;
    ({ text } = after);
  }
  await ensureModel(hub, conversation);
  const end = await takeTurn({ session, conversation, text, host, signal });
  signal.throwIfAborted();
  if (!out.json) for (const refused of end.refused) renderError(refused, out);
  return end;
}

/** Nobody is asked here: a “yes” is the next line. */
async function setUp(text: string, { setup, choices }: Conversation, session: HubSession) {
  const { signal } = session;
  const { model } = choices;
  const outcome = await setup.say(text, { session, signal, run: commandRunner(session), model });
  return { kind: 'set-up', outcome } as const;
}

function documentOf(message: string, { kind, text, usage, calls, refused, error }: TurnEnd): object {
  const made = calls.map(({ tool, args, end }) => ({ tool, args, ...end }));
  return { message, end: kind, text, usage, calls: made, refused, ...(error ? { error } : {}) };
}
