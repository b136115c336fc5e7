import { Collapsible } from '@base-ui/react/collapsible';
import { memo, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type {
  Approval,
  ApprovalEnd,
  ChatCallOutcome,
  ChatMedia,
  ErrorView,
  Json,
  JsonObject,
} from '../hub/hub-context.tsx';
import { CallDetails } from './call-details.tsx';
import { answerWords } from './answer-words.ts';
import { isPicture, MediaView } from './media-view.tsx';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import { duration } from './words.ts';
import styles from './call-row.module.css';

/** One call from its beginning to its end. Without an outcome it runs. */
export interface ShownCall {
  readonly id: string;
  /** `server/tool`, or the bare name of a tool of ours. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly outcome?: ChatCallOutcome | undefined;
  readonly durationMs?: number | undefined;
  readonly text?: string | undefined;
  /** Why it was allowed. */
  readonly allowedBy?: string | undefined;
  readonly resultId?: string | undefined;
  readonly media?: readonly ChatMedia[] | undefined;
  readonly structured?: Json | undefined;
  readonly error?: ErrorView | undefined;
  /** What it waits for. */
  readonly approval?: Approval | undefined;
  /** How the person answered. */
  readonly answered?: ApprovalEnd | undefined;
}

interface CallRowProps {
  readonly call: ShownCall;
  readonly onRetry?: ((call: ShownCall) => void) | undefined;
  readonly open?: boolean;
}

/** “Using github/search…”, then ✓ with its time or ✖ with its cause; unfolds to everything about it. */
export const CallRow = memo(function CallRow({ call, onRetry, open = false }: CallRowProps): ReactNode {
  const { outcome, error, text = '' } = call;
  // A picture is what was asked for: it is not folded away.
  const pictures = (call.media ?? []).filter(isPicture);
  return (
    <Collapsible.Root className={styles['row']} defaultOpen={open} data-outcome={outcome ?? 'running'}>
      <Collapsible.Trigger className={styles['head']}>
        <Sign call={call} />
        <span className={styles['name']}>{words(call)}</span>
        <Icon name="right" size={12} />
      </Collapsible.Trigger>
      {outcome !== undefined && outcome !== 'completed' && (
        <p className={styles['cause']}>{showHidden(firstLine(error?.message ?? text))}</p>
      )}
      {pictures.length > 0 && (
        <div className={styles['pictures']}>
          {pictures.map((picture, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- pictures of a result have no name but their place
            <MediaView key={index} media={picture} />
          ))}
        </div>
      )}
      <Collapsible.Panel className={styles['panel']}>
        <CallDetails call={call} onRetry={onRetry} />
      </Collapsible.Panel>
    </Collapsible.Root>
  );
});

function Sign({ call: { outcome } }: CallRowProps): ReactNode {
  if (outcome === undefined) return <Spinner />;
  const { sign, tone } = SIGNS[outcome];
  return (
    <span className={styles[tone]} aria-hidden="true">
      {sign}
    </span>
  );
}

const SIGNS: Readonly<
  Record<ChatCallOutcome, { readonly sign: string; readonly word: string; readonly tone: string }>
> = {
  completed: { sign: '✓', word: '', tone: 'good' },
  failed: { sign: '✖', word: 'failed', tone: 'bad' },
  'timed-out': { sign: '✖', word: 'took too long', tone: 'bad' },
  denied: { sign: '–', word: 'was not allowed', tone: 'quiet' },
  cancelled: { sign: '–', word: 'was stopped', tone: 'quiet' },
};

function words({ tool, outcome, durationMs, approval, answered }: ShownCall): string {
  const name = showHidden(tool);
  const how = answered?.outcome === 'allowed' ? ` · ${answerWords(answered)}` : '';
  if (outcome === undefined) return approval ? `${name} waits for you` : `Using ${name} …${how}`;
  const { word } = SIGNS[outcome];
  const time = durationMs === undefined || outcome === 'denied' ? '' : ` · ${duration(durationMs)}`;
  return `${name}${word === '' ? '' : ` ${word}`}${how}${time}`;
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > CAUSE_CHARS ? `${line.slice(0, CAUSE_CHARS)} …` : line;
}

const CAUSE_CHARS = 300;
