import { useId, useState, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import type { GiveAnswer } from './use-answer.ts';
import styles from './approval-card.module.css';

interface DenialNoteProps {
  readonly onAnswer: GiveAnswer;
  readonly onClose: () => void;
  readonly busy: boolean;
}

/** A no with a word to whoever asked: a model reads it and goes on differently. */
export function DenialNote({ onAnswer, onClose, busy }: DenialNoteProps): ReactNode {
  const id = useId();
  const [note, setNote] = useState('');
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        const said = note.trim();
        onAnswer({ effect: 'deny', ...(said === '' ? {} : { note: said }) });
      }}
    >
      <label htmlFor={id}>Why not? The note is sent to the caller.</label>
      {/* The person has just asked for this field. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <input
        id={id}
        autoFocus
        maxLength={NOTE_CHARS_MAX}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className={styles['answers']}>
        <Button type="submit" look="danger" busy={busy}>
          Deny
        </Button>
        <Button onClick={onClose}>Back</Button>
      </div>
    </form>
  );
}

const NOTE_CHARS_MAX = 500;
