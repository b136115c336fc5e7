import {
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { estimateTokens } from '../../../src/catalog/tokens/estimate-tokens.ts';
import type { ModelView } from '../hub/hub-context.tsx';
import { defined } from '../../../src/base/defined.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TokenMeter } from '../parts/token-meter.tsx';
import { AddServerDialog } from './add-server-dialog.tsx';
import { ChosenServers } from './chosen-servers.tsx';
import type { Choice, Conversation, Said, ServerChoice } from './conversation.ts';
import { drafts } from './drafts.ts';
import { ModelChoice } from './model-choice.tsx';
import { Pictures } from './pictures.tsx';
import { ServerList } from './server-list.tsx';
import { useMention } from './use-mention.ts';
import { usePictures } from './use-pictures.ts';
import styles from './composer.module.css';

interface ComposerProps {
  /** Under which the text is kept until it is sent. */
  readonly draft: string;
  /** Another number: the kept text was changed elsewhere. */
  readonly version: number;
  readonly conversation: Conversation;
  readonly models: readonly ModelView[];
  readonly onChoose: (chosen: Choice) => void;
  readonly onSay: (said: Said) => void;
  /** Present while an answer runs. */
  readonly onStop: (() => void) | undefined;
}

/** One box: chips of the chosen servers above it, `@` to add one, Enter to send. */
export function Composer(props: ComposerProps): ReactNode {
  const { draft, version, conversation, models, onChoose, onSay, onStop } = props;
  const { servers, off, model } = conversation;
  const label = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(draft, version, box);
  const change = (next: string): void => {
    setText(next);
    drafts.set(draft, next);
  };
  const choose = (next: ServerChoice): void => onChoose({ ...next, ...defined({ model }) });
  const setServers = (next: readonly string[]): void => choose(next.length === 0 ? {} : { servers: next });
  const { pictures, take, remove, clear, error } = usePictures();
  const [adding, setAdding] = useState(false);
  const mention = useMention({
    text,
    box,
    chosen: servers ?? [],
    onPick: (server, rest) => {
      change(rest);
      setServers([...(servers ?? []), server]);
    },
  });
  const send = (): void => {
    const said = text.trim();
    if ((said === '' && pictures.length === 0) || onStop) return;
    change('');
    clear();
    onSay({ text: said, ...(pictures.length === 0 ? {} : { pictures }) });
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // While a word is put together from several keys, Enter belongs to it.
    if (event.nativeEvent.isComposing || mention.press(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'Backspace' && text === '' && servers && servers.length > 0) {
      setServers(servers.slice(0, -1));
    }
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
      <ChosenServers choice={defined({ servers, off })} onChange={choose} onAdd={() => setAdding(true)} />
      <Pictures pictures={pictures} onRemove={remove} />
      {error !== undefined && <ErrorNote error={error} />}
      <label id={label} htmlFor={`${label}-box`} className="only-heard">
        Message
      </label>
      <textarea
        ref={box}
        id={`${label}-box`}
        className={styles['box']}
        rows={2}
        placeholder="Ask anything. @ names a server; pictures can be pasted."
        value={text}
        onChange={(event) => {
          change(event.target.value);
          mention.open();
        }}
        onKeyDown={press}
        onPaste={(event) => take(event, event.clipboardData)}
        onBlur={mention.close}
        {...mention.aria}
      />
      {mention.shown && <ServerList {...mention.list} />}
      <div className={styles['foot']}>
        <ModelChoice
          models={models}
          model={model}
          onChange={(next) => onChoose(defined({ servers, off, model: next }))}
        />
        <Cost text={text} />
        {onStop ? (
          <Button icon="stop" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button
            type="submit"
            look="primary"
            icon="send"
            disabled={text.trim() === '' && pictures.length === 0}
          >
            Send
          </Button>
        )}
      </div>
      {adding && <AddServerDialog onClose={() => setAdding(false)} />}
    </form>
  );
}

/** About what the message itself costs; counted when there is time for it. */
function Cost({ text }: { readonly text: string }): ReactNode {
  const counted = useDeferredValue(text.slice(0, COUNTED_CHARS_MAX));
  return (
    <span className={styles['meta']}>
      {counted !== '' && (
        <>
          message ≈ <TokenMeter tokens={estimateTokens(counted)} />
        </>
      )}
    </span>
  );
}

const COUNTED_CHARS_MAX = 100_000;

/** The text, kept under its key; another key or version brings another text, and the box the focus. */
function useDraft(
  draft: string,
  version: number,
  box: { readonly current: HTMLTextAreaElement | null },
): [string, (text: string) => void] {
  const key = `${draft} ${version}`;
  const [shown, setShown] = useState({ key, text: drafts.get(draft) });
  if (shown.key !== key) setShown({ key, text: drafts.get(draft) });
  useEffect(() => {
    // On a phone, the focus would bring up the keyboard over what one wants to read.
    if (version > 0 || window.matchMedia('(pointer: fine)').matches) box.current?.focus();
  }, [draft, version, box]);
  return [shown.text, (text) => setShown({ key, text })];
}
