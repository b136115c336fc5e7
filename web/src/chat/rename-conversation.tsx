import { useState, type ReactNode } from 'react';
import { IconButton } from '../parts/button.tsx';
import { TITLE_CHARS, type Conversation } from './conversation.ts';
import { conversations } from './conversations.ts';
import styles from './conversation-list.module.css';

interface RenameConversationProps {
  readonly conversation: Conversation;
  readonly onDone: () => void;
}

export function RenameConversation({ conversation, onDone }: RenameConversationProps): ReactNode {
  const [title, setTitle] = useState(conversation.title);
  const save = (): void => {
    const next = title.trim();
    if (next !== '') conversations.change(conversation.id, (before) => ({ ...before, title: next }));
    onDone();
  };
  return (
    <li className={styles['row']}>
      <form
        className={styles['rename']}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {/* The person has just asked for this field. */}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <input
          aria-label="Name of the conversation"
          autoFocus
          maxLength={TITLE_CHARS * 2}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onDone()}
        />
        <IconButton label="Save the name" icon="check" type="submit" />
      </form>
    </li>
  );
}
