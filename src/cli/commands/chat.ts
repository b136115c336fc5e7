import { defined } from '../../base/defined.ts';
import type { Hub } from '../../hub/hub.ts';
import { Conversation, type Choices } from '../chat/conversation.ts';
import { checkServers, findModel } from '../chat/models.ts';
import { startLine } from '../chat/start-line.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { faint } from '../output.ts';

/** `plug chat`: talk to a model that uses the servers, at a terminal or through a pipe. */
export async function chat(hub: Hub, flags: Omit<Choices, 'verbose'>, session: Session): Promise<ExitCode> {
  const { profile, mode } = flags;
  const model = await findModel(hub, flags.model);
  const servers = flags.servers === undefined ? undefined : await checkServers(hub, flags.servers);
  const conversation = new Conversation({
    verbose: false,
    ...defined({ model: model?.name, servers, profile, mode }),
  });
  if (!session.terminal.interactive || session.out.json) {
    const { talkOverPipe } = await import('../chat/piped.ts');
    return await talkOverPipe(hub, conversation, session);
  }
  session.out.note(...(await startLine(hub, { model, servers }, session)));
  if (!model) {
    session.out.note(faint('Add a model with plug model add; commands such as /mcp list work without one.'));
  }
  const { talkAtTerminal } = await import('../chat/repl.ts');
  return await talkAtTerminal(hub, conversation, session);
}
