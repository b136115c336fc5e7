import { useId, type ReactNode } from 'react';
import { isObject } from '../../../src/base/json.ts';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ChatMessage, ChatOutcome, Json, JsonObject } from '../hub/hub-context.tsx';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { CutText } from '../parts/cut-text.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import type { ServerQuestion } from './page-host.tsx';
import styles from './question-card.module.css';

/** A server wants the model to answer something: you see the question first, and the answer before it is sent. */
export function SamplingCard({ question }: { readonly question: ServerQuestion }): ReactNode {
  const title = useId();
  const { server, params, answer, refuse } = question;
  const instructions = textIn(params['systemPrompt']);
  const messages = messagesIn(params);
  const ask = useHubAction((hub): Promise<ChatOutcome> =>
    hub.chat.turn({ messages, servers: [], ...(instructions === '' ? {} : { instructions }) }),
  );
  const said = ask.data?.text;
  const send = (text: string): void =>
    answer({
      role: 'assistant',
      model: 'default',
      content: { type: 'text', text },
      stopReason: 'endTurn',
    });
  return (
    <section className={styles['card']} aria-labelledby={title}>
      <h3 id={title}>{showHidden(server)} wants to use the model</h3>
      {instructions !== '' && <Part role="Instructions" text={instructions} />}
      {messages.map((message, index) => (
        <Part
          // oxlint-disable-next-line react/no-array-index-key -- a message is known by its place
          key={index}
          role={message.role === 'assistant' ? 'Assistant' : 'User'}
          text={textIn(message['content'])}
        />
      ))}
      {said !== undefined && <Part role="Answer" text={said} />}
      {ask.error && <ErrorNote error={ask.error} />}
      <div className={styles['row']}>
        {said === undefined ? (
          <Button look="primary" busy={ask.isPending} onClick={() => ask.mutate(undefined)}>
            Let the model answer
          </Button>
        ) : (
          <Button look="primary" onClick={() => send(said)}>
            Send answer
          </Button>
        )}
        <Button onClick={refuse}>Decline</Button>
      </div>
      <p className={styles['meta']}>
        It costs tokens of your model. The server gets the answer only after you have seen it.
      </p>
    </section>
  );
}

function Part({ role, text }: { readonly role: string; readonly text: string }): ReactNode {
  return (
    <div>
      <p className={styles['meta']}>{role}</p>
      <CutText text={showHidden(text)} />
    </div>
  );
}

/** As text: no server's tool or picture goes to the model in its name. */
function messagesIn({ messages }: JsonObject): readonly ChatMessage[] {
  if (!Array.isArray(messages)) return [];
  return messages.filter(isMessage).map((message) => {
    const blocks = Array.isArray(message['content']) ? message['content'] : [message['content']];
    const text = blocks.map((block) => (isMessage(block) ? textIn(block['text']) : '')).join('\n');
    return { role: message['role'] === 'assistant' ? 'assistant' : 'user', content: text };
  });
}

function isMessage(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
