import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { places } from '../frame/places.ts';
import { Page } from '../frame/page.tsx';
import { useHub } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Composer } from './composer.tsx';
import { ConversationList } from './conversation-list.tsx';
import {
  callsIn,
  newConversation,
  NEW,
  type Choice,
  type Conversation,
  type Said,
  type Turn,
} from './conversation.ts';
import { conversations, useConversation } from './conversations.ts';
import { drafts } from './drafts.ts';
import { NoModel } from './no-model.tsx';
import { ServerQuestions } from './server-questions.tsx';
import { followTurns, stopTurn, takeTurn } from './take-turn.ts';
import { Thread } from './thread.tsx';
import styles from './chat-page.module.css';

/** Talking to a model that uses the servers. */
export default function ChatPage(): ReactNode {
  const { id } = useParams();
  const [, go] = useLocation();
  const hub = useHub();
  const models = useHubQuery(keys.models, (it) => it.models.list());
  const found = useConversation(id);
  const [fresh, setFresh] = useState(newConversation);
  const [draftVersion, setDraftVersion] = useState(0);
  const conversation = found ?? fresh;
  useEffect(() => followTurns(hub), [hub]);
  const running = conversation.turns.findLast(({ state }) => state === 'running');

  const say = (said: Said, from: Conversation = conversation): void => {
    const named = from.id === NEW ? { ...from, id: crypto.randomUUID() } : from;
    void takeTurn({ hub, conversation: named, said });
    if (named === from) return;
    go(`${places.chat}/${named.id}`, { replace: true });
    setFresh(newConversation());
  };
  const choose = (chosen: Choice): void => {
    const { servers: _, off: __, model: ___, ...rest } = conversation;
    if (found) conversations.put({ ...rest, ...chosen, changedAt: Date.now() });
    else setFresh({ ...rest, ...chosen });
  };
  /** Calls that were made are not made again unawares: then the model keeps what it knows of them. */
  const retry = (turn: Turn): void => {
    const made = callsIn(turn).some(({ outcome }) => outcome === 'completed');
    const { text, pictures } = turn;
    say({ text, ...(pictures ? { pictures } : {}) }, made ? conversation : before(conversation, turn));
  };
  const compose = useCallback(
    (text: string): void => {
      drafts.set(conversation.id, text);
      setDraftVersion((version) => version + 1);
    },
    [conversation.id],
  );
  const edit = (turn: Turn): void => {
    conversations.put({ ...before(conversation, turn), changedAt: Date.now() });
    compose(turn.text);
  };

  return (
    <Page
      title="Chat"
      tall
      actions={
        <Button icon="plus" onClick={() => go(places.chat)}>
          New chat
        </Button>
      }
    >
      <div className={styles['split']}>
        <ConversationList current={found?.id} />
        <div className={styles['talk']}>
          {models.error && <ErrorNote error={models.error} />}
          {models.data?.length === 0 ? (
            <NoModel />
          ) : (
            <>
              <Thread conversation={conversation} onRetry={retry} onEdit={edit} onCompose={compose}>
                <ServerQuestions />
              </Thread>
              <Composer
                draft={conversation.id}
                version={draftVersion}
                conversation={conversation}
                models={models.data ?? []}
                onChoose={choose}
                onSay={say}
                onStop={running && (() => void stopTurn(hub, running.id))}
              />
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

function before(conversation: Conversation, turn: Turn): Conversation {
  return { ...conversation, turns: conversation.turns.slice(0, conversation.turns.indexOf(turn)) };
}
