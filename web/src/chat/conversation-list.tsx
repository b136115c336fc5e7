import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { places } from '../frame/places.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { Switch } from '../parts/switch.tsx';
import { useToast } from '../parts/toasts.tsx';
import { When } from '../parts/when.tsx';
import type { Conversation } from './conversation.ts';
import { conversations, useConversations } from './conversations.ts';
import { RenameConversation } from './rename-conversation.tsx';
import styles from './conversation-list.module.css';

/** The conversations that this browser keeps; behind a button where there is no room. */
export function ConversationList({ current }: { readonly current: string | undefined }): ReactNode {
  const { list, keeping } = useConversations();
  const [open, setOpen] = useState(false);
  const [clearing, setClearing] = useState(false);
  const [, go] = useLocation();
  return (
    <aside className={styles['aside']} aria-label="Conversations" data-open={open}>
      <Button className={styles['toggle']} aria-expanded={open} onClick={() => setOpen(!open)}>
        Conversations ({list.length})
      </Button>
      <div className={styles['panel']}>
        <ul className={styles['list']}>
          {list.slice(0, SHOWN_MAX).map((conversation) => (
            <Row key={conversation.id} conversation={conversation} isCurrent={conversation.id === current} />
          ))}
        </ul>
        <div className={styles['foot']}>
          <Switch
            label="Keep conversations"
            shown
            checked={keeping}
            onChange={(on) => conversations.keep(on)}
          />
          <p>
            {keeping
              ? 'Conversations are kept in this browser only.'
              : 'Conversations are deleted when you close this page.'}
          </p>
          {list.length > 0 && (
            <Button look="quiet" icon="trash" onClick={() => setClearing(true)}>
              Delete all
            </Button>
          )}
        </div>
      </div>
      <Confirm
        title={`Delete ${list.length === 1 ? 'the conversation' : `all ${list.length} conversations`}?`}
        open={clearing}
        onClose={() => setClearing(false)}
        does="Delete all"
        onConfirm={() => {
          conversations.removeAll();
          setClearing(false);
          go(places.chat);
        }}
      >
        They’re stored nowhere else. Servers, grants and activity aren’t affected.
      </Confirm>
    </aside>
  );
}

const SHOWN_MAX = 200;

interface RowProps {
  readonly conversation: Conversation;
  readonly isCurrent: boolean;
}

function Row({ conversation, isCurrent }: RowProps): ReactNode {
  const { id, title, changedAt } = conversation;
  const [renaming, setRenaming] = useState(false);
  const toast = useToast();
  const [, go] = useLocation();
  if (renaming) return <RenameConversation conversation={conversation} onDone={() => setRenaming(false)} />;
  return (
    <li className={styles['row']} data-current={isCurrent}>
      <Link
        href={`${places.chat}/${id}`}
        aria-current={isCurrent ? 'page' : undefined}
        className={styles['link']}
      >
        <span className={styles['title']}>{title}</span>
        <span className={styles['when']}>
          <When at={changedAt} />
        </span>
      </Link>
      <Menu
        label={`Actions for ${title}`}
        items={[
          { label: 'Rename', icon: 'edit', onChoose: () => setRenaming(true) },
          {
            label: 'Delete',
            icon: 'trash',
            danger: true,
            onChoose: () => {
              conversations.remove(id);
              if (isCurrent) go(places.chat);
              toast.info(`“${title}” is deleted.`, undefined, {
                label: 'Undo',
                onClick: () => conversations.put(conversation),
              });
            },
          },
        ]}
      />
    </li>
  );
}
