import { toPlugError, type ErrorView } from '../../base/errors.ts';
import type { Hub } from '../../hub/hub.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderError } from '../render/error.ts';
import type { Session } from '../session.ts';
import type { Conversation } from './conversation.ts';
import { totalOf } from './cost.ts';
import { findModel, noModel } from './models.ts';
import { isSlash } from './repl.ts';
import { commandRunner } from './run-command.ts';
import { runSlash } from './slash.ts';
import { takeTurn, type TurnEnd } from './turn.ts';

/** Lines of a pipe or a file: each is a message or a command, and nobody is asked anything. */
export async function talkOverPipe(
  hub: Hub,
  conversation: Conversation,
  session: Session,
): Promise<ExitCode> {
  const { signal, out } = session;
  const turns: object[] = [];
  let exitCode: ExitCode = exitCodes.ok;
  // Nobody is there to answer a server, but it may work in this folder.
  const host = await hub.hosts.attach({ name: 'plug chat', cwd: session.cwd, handlers: {} });
  try {
    for (;;) {
      const line = await nextMessage(session);
      if (line === undefined) break;
      if (line.trim() === '') continue;
      try {
        const end = await answer(line.trim(), host.id, { hub, conversation, session });
        if (end === 'leave') break;
        if (!end) continue;
        turns.push(documentOf(line, end));
        exitCode = exitCodeAfter(end, exitCode);
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

/** A backslash at the end of a line goes on with the next. */
async function nextMessage({ terminal, signal }: Session): Promise<string | undefined> {
  const lines: string[] = [];
  for (;;) {
    const line = await terminal.readLine(signal);
    if (line === undefined) return lines.length > 0 ? lines.join('\n') : undefined;
    if (!line.endsWith('\\')) return [...lines, line].join('\n');
    lines.push(line.slice(0, -1));
  }
}

interface Piped {
  readonly hub: Hub;
  readonly conversation: Conversation;
  readonly session: Session;
}

async function answer(text: string, host: string, piped: Piped): Promise<TurnEnd | 'leave' | undefined> {
  const { hub, conversation, session } = piped;
  if (!isSlash(text)) return await send(text, host, piped);
  // A command inside a chat has no document of its own.
  const out = { ...session.out, document: () => undefined, record: () => undefined };
  const inside = { ...session, out };
  const after = await runSlash(text, { hub, session: inside, conversation, run: commandRunner(hub, inside) });
  if (after.kind === 'send') return await send(after.text, host, piped);
  return after.kind === 'leave' ? 'leave' : undefined;
}

async function send(text: string, host: string, { hub, conversation, session }: Piped): Promise<TurnEnd> {
  if (conversation.choices.model === undefined) {
    const model = await findModel(hub, undefined);
    if (!model) throw noModel();
    conversation.choose({ model: model.name });
  }
  const end = await takeTurn({ hub, session, conversation, text, host, signal: session.signal });
  session.signal.throwIfAborted();
  if (!session.out.json) for (const refused of end.refused) renderError(refused, session.out);
  return end;
}

function documentOf(message: string, { kind, text, usage, calls, refused, error }: TurnEnd): object {
  return {
    message,
    end: kind,
    text,
    usage,
    calls: calls.map(({ tool, args, end }) => ({ tool, args, ...end })),
    refused,
    ...(error ? { error } : {}),
  };
}

function exitCodeAfter(
  { error, refused }: { readonly error?: ErrorView; readonly refused: readonly ErrorView[] },
  before: ExitCode,
): ExitCode {
  if (error) return exitCodeOf(error.code);
  return refused.length > 0 ? exitCodes.approvalRequired : before;
}
