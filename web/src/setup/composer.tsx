import type { ClipboardEvent, DragEvent, KeyboardEvent, ReactNode } from 'react';
import { imageIn, toBase64 } from '../add/picture.ts';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { AnsweredBy } from './answered-by.tsx';
import { COMPOSER } from './focus-composer.ts';
import { setDraft, stopTalking, useTalk } from './talk.ts';
import styles from './setup.module.css';

interface ComposerProps {
  readonly running: boolean;
  readonly onSay: (text: string) => void;
}

/** One box for words, pastes and pictures. Enter sends; Shift+Enter makes a line. */
export function Composer({ running, onSay }: ComposerProps): ReactNode {
  const { draft } = useTalk();
  const read = useHubAction(async (hub, picture: Blob) =>
    hub.plans.readImage({ image: await toBase64(picture) }),
  );
  const send = (): void => {
    if (!running && draft.trim() !== '') onSay(draft.trim());
  };
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer): void => {
    const picture = imageIn(data);
    if (!picture) return;
    event.preventDefault();
    read.mutate(picture, {
      onSuccess: ({ text }) => setDraft(draft.trim() === '' ? text : `${draft}\n${text}`),
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => take(event, event.dataTransfer)}
    >
      {read.error && <ErrorNote error={read.error} />}
      <div role="status" className={styles['meta']}>
        {read.isPending && (
          <>
            <Spinner /> Reading the picture, on this machine…
          </>
        )}
      </div>
      <label htmlFor={COMPOSER} className="only-heard">
        Message
      </label>
      <textarea
        id={COMPOSER}
        className={styles['box']}
        rows={2}
        placeholder="Describe what you want, or paste anything. Keys are hidden and never reach a model."
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => take(event, event.clipboardData)}
        spellCheck={false}
      />
      <div className={styles['foot']}>
        <AnsweredBy />
        {running ? (
          <Button icon="stop" onClick={stopTalking}>
            Stop
          </Button>
        ) : (
          <Button type="submit" look="primary" icon="send" disabled={draft.trim() === ''}>
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
