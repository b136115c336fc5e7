import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import type { ShownCall } from './call-row.tsx';
import { isPicture } from './media-view.tsx';
import { CutText } from './cut-text.tsx';
import { ErrorNote } from './error-note.tsx';
import { PlugError } from '../../../src/base/errors.ts';
import { ResultView } from './result-view.tsx';
import { Tabs } from './tabs.tsx';
import styles from './call-row.module.css';

interface CallDetailsProps {
  readonly call: ShownCall;
  readonly onRetry?: ((call: ShownCall) => void) | undefined;
}

/** Everything about one call: what was asked, what came back, as it is, and why it was allowed. */
export function CallDetails({ call, onRetry }: CallDetailsProps): ReactNode {
  const [tab, setTab] = useState<'result' | 'arguments' | 'raw'>('result');
  const { outcome, error, allowedBy } = call;
  const retry = onRetry && outcome !== undefined && (
    <Button icon="retry" onClick={() => onRetry(call)}>
      Try again
    </Button>
  );
  return (
    <>
      <Tabs
        label={`About ${call.tool}`}
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'result', label: 'Result', panel: () => <Result call={call} /> },
          { id: 'arguments', label: 'Arguments', panel: () => <CutText text={pretty(call.args)} /> },
          { id: 'raw', label: 'Raw', panel: () => <CutText text={pretty(withoutData(call))} /> },
        ]}
      />
      <footer className={styles['foot']}>
        {allowedBy !== undefined && <p className={styles['meta']}>Allowed: {allowedBy}</p>}
        {error === undefined && retry}
      </footer>
      {error && <ErrorNote error={PlugError.fromView(error)} action={retry || undefined} />}
    </>
  );
}

function Result({ call }: { readonly call: ShownCall }): ReactNode {
  const { outcome, text = '', resultId, media, structured } = call;
  if (outcome === undefined) return <p className={styles['meta']}>It is still running.</p>;
  return (
    <ResultView
      text={text}
      resultId={resultId}
      media={media?.filter((each) => !isPicture(each))}
      structured={structured}
    />
  );
}

/** Pictures are shown as pictures; their bytes tell nobody anything. */
function withoutData(call: ShownCall): unknown {
  return {
    ...call,
    ...(call.media && {
      media: call.media.map(({ data, ...rest }) => ({
        ...rest,
        ...(data === undefined ? {} : { data: `${data.length} characters of base64` }),
      })),
    }),
  };
}

function pretty(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
