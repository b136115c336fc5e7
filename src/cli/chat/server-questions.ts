import { hostWarning } from '../../base/host-warning.ts';
import type { JsonObject } from '../../base/json.ts';
import { webAddress } from '../../base/web-address.ts';
import type { HostOptions, Hub } from '../../hub/hub.ts';
import { textOrJson } from '../render/text.ts';
import { askYesNo, type Session } from '../session.ts';
import { stoppedBy } from './chat-terminal.ts';
import type { Conversation } from './conversation.ts';
import { askForm } from './form.ts';
import type { Questions } from './questions.ts';
import { sample } from './sampling.ts';
import { FAILED, strong } from '../output.ts';

type Handlers = HostOptions['handlers'];
type Handler = NonNullable<Handlers['elicitation']>;

export interface ServerQuestionsOptions {
  readonly hub: Hub;
  readonly session: Session;
  readonly questions: Questions;
  readonly conversation: Conversation;
  /** Ctrl-C at a question ends the turn. */
  readonly stop: () => void;
}

/** What servers ask while a call runs, answered by the person at the terminal. */
export function serverQuestions(options: ServerQuestionsOptions): Handlers {
  const { questions, session, stop } = options;
  const asking =
    (answer: (server: string, params: JsonObject, session: Session) => Promise<JsonObject>): Handler =>
    ({ server, params }, { signal }) =>
      questions.ask(async () => {
        const until = AbortSignal.any([session.signal, signal]);
        until.throwIfAborted();
        try {
          return await answer(server, params, { ...session, signal: until });
        } catch (error) {
          if (stoppedBy(error) !== 'interrupt') throw error;
          stop();
          return { action: 'cancel' };
        }
      });
  return {
    elicitation: asking((server, params, here) =>
      params['mode'] === 'url' ? askToOpen(server, params, here) : askForm(server, params, here),
    ),
    sampling: asking((server, params, here) => sample({ ...options, session: here }, server, params)),
  };
}

/** The whole address is shown, and its host once more: a long address hides where it leads. */
async function askToOpen(server: string, params: JsonObject, session: Session): Promise<JsonObject> {
  const { out, hubs } = session;
  const address = webAddress(params['url']);
  // The hub has put the server's name in front of its words.
  out.quote(textOrJson(params['message']), { beside: true });
  if (address === undefined) {
    out.note(FAILED, `${server} named no address of a page; it was declined.`);
    return { action: 'decline' };
  }
  const url = new URL(address);
  out.note(`  ${server} asks you to open `, url.href);
  out.note('  at ', strong(url.host), url.protocol === 'http:' ? ', unencrypted' : '');
  try {
    const warning = hostWarning(url.hostname);
    if (warning !== undefined) out.note({ style: 'warn', text: '  ⚠ ' }, warning);
    if (!(await askYesNo(session, `Open ${url.host}?`, 'no'))) return { action: 'decline' };
  } catch (error) {
    if (stoppedBy(error) !== 'escape') throw error;
    return { action: 'decline' };
  }
  if (!(await hubs.openAddress(url.href))) out.note('There is no browser here: open the address yourself.');
  return { action: 'accept' };
}
