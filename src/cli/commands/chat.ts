import type { Hub } from '../../hub/hub.ts';
import { Conversation } from '../chat/conversation.ts';
import { checkServers, findModel } from '../chat/models.ts';
import { startLine } from '../chat/start-line.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { ChatFlags } from '../grammar/chat.ts';
import type { Session } from '../session.ts';

/** `plug chat`: talk to a model that uses the servers, at a terminal or through a pipe. */
export async function chat(hub: Hub, flags: ChatFlags, session: Session): Promise<ExitCode> {
  const { profile, mode } = flags;
  const model = await findModel(hub, flags.model);
  const servers = flags.servers === undefined ? undefined : await checkServers(hub, flags.servers);
  const conversation = new Conversation({
    verbose: false,
    ...(model === undefined ? {} : { model: model.name }),
    ...(servers === undefined ? {} : { servers }),
    ...(profile === undefined ? {} : { profile }),
    ...(mode === undefined ? {} : { mode }),
  });
  if (!session.terminal.interactive || session.out.json) {
    const { talkOverPipe } = await import('../chat/piped.ts');
    return await talkOverPipe(hub, conversation, session);
  }
  session.out.note(...(await startLine(hub, { model, servers }, session)));
  if (!model) {
    session.out.note({
      style: 'faint',
      text: 'Add a model with plug model add; commands such as /mcp list work without one.',
    });
  }
  const { talkAtTerminal } = await import('../chat/repl.ts');
  return await talkAtTerminal(hub, conversation, session);
}
