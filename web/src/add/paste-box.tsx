import {
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { imageIn, toBase64 } from './picture.ts';
import styles from './paste-box.module.css';

interface PasteBoxProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onGoOn: () => void;
  readonly busy: boolean;
  /** Whether a screenshot can be read; default: yes. */
  readonly pictures?: boolean;
}

/** Takes anything, also a picture; Enter goes on, or Ctrl+Enter where Enter makes a line. */
export function PasteBox({ text, onChange, onGoOn, busy, pictures = true }: PasteBoxProps): ReactNode {
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const read = useHubAction(async (hub, picture: Blob) =>
    hub.plans.readImage({ image: await toBase64(picture) }),
  );
  const take = (picture: Blob): void => {
    read.mutate(picture, {
      onSuccess: (found) => {
        onChange(found.text);
        box.current?.focus();
      },
    });
  };
  const onPaste = (event: ClipboardEvent): void => {
    const picture = pictures ? imageIn(event.clipboardData) : undefined;
    if (!picture) return;
    event.preventDefault();
    take(picture);
  };
  const onDrop = (event: DragEvent): void => {
    setOver(false);
    const picture = pictures ? imageIn(event.dataTransfer) : undefined;
    if (!picture) return;
    event.preventDefault();
    take(picture);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    if (text.includes('\n') && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    onGoOn();
  };
  return (
    <div className={styles['around']}>
      <div
        className={over ? `${styles['box']} ${styles['over']}` : styles['box']}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <label className="only-heard" htmlFor="paste">
          What to add
        </label>
        <textarea
          ref={box}
          id="paste"
          className={text.includes('\n') ? `${styles['text']} ${styles['code']}` : styles['text']}
          placeholder={pictures ? ANYTHING : TEXTS}
          value={text}
          rows={2}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is for this box
          autoFocus
        />
        <div className={styles['foot']}>
          {pictures && (
            <>
              <Button look="quiet" icon="image" onClick={() => picker.current?.click()} busy={read.isPending}>
                Screenshot
              </Button>
              <input
                ref={picker}
                type="file"
                accept="image/png,image/jpeg"
                hidden
                aria-label="A picture of a configuration"
                onChange={(event) => {
                  const picture = event.target.files?.[0];
                  if (picture) take(picture);
                  event.target.value = '';
                }}
              />
            </>
          )}
          <span className={styles['hint']}>
            {text.includes('\n') ? 'Ctrl+Enter to continue' : 'Enter to continue'}
          </span>
          <Button look="primary" onClick={onGoOn} busy={busy} disabled={text.trim() === ''}>
            Continue
          </Button>
        </div>
      </div>
      <div role="status" className={styles['said']}>
        {read.isPending && (
          <p className={styles['reading']}>
            <Spinner /> Reading the picture, on this machine…
          </p>
        )}
      </div>
      {read.error && <ErrorNote error={read.error} />}
    </div>
  );
}

const ANYTHING = 'Paste a URL, config, command, link or screenshot, or say what you need';
const TEXTS = 'Paste a URL, config or link, or say what you need';
