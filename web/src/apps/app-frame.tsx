import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { AskedInPlace } from '../approvals/asked-in-place.tsx';
import { useHub, type Approval } from '../hub/hub-context.tsx';
import type { AppOfCall } from '../chat/conversation.ts';
import { Button } from '../parts/button.tsx';
import type { ShownCall } from '../parts/call-row.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { AppBridge, type AppQuestion } from './app-bridge.ts';
import { appResource } from './app-resource.ts';
import { AppQuestionCard } from './app-question.tsx';
import { useTheme } from './use-theme.ts';
import styles from './app-frame.module.css';

interface AppFrameProps {
  readonly app: AppOfCall;
  readonly call: ShownCall;
  /** Puts a text into the box. */
  readonly onCompose: (text: string) => void;
}

/** A page that a server brings along, in a frame that can reach neither this page nor the hub. */
export default function AppFrame({ app, call, onCompose }: AppFrameProps): ReactNode {
  const hub = useHub();
  const { server, uri } = app;
  const { data, error, refetch } = useQuery({
    queryKey: ['server', server, 'app', uri],
    queryFn: async () => appResource(await hub.resources.read({ server, uri }), uri),
  });
  const frame = useRef<HTMLIFrameElement>(null);
  const theme = useTheme();
  const [height, setHeight] = useState(START_PX);
  const [question, setQuestion] = useState<AppQuestion>();
  const [asked, setAsked] = useState<Approval>();
  const bridge = useMemo(
    () =>
      data &&
      new AppBridge({
        hub,
        app,
        call,
        resource: data,
        onHeight: setHeight,
        onQuestion: setQuestion,
        onApproval: setAsked,
      }),
    // The app is shown as it was when the call ended; a later rendering changes nothing about it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [hub, data],
  );
  useEffect(() => bridge?.listen(() => frame.current?.contentWindow ?? undefined), [bridge]);
  useEffect(() => bridge?.setTheme(theme), [bridge, theme]);
  if (error) {
    return <ErrorNote error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />;
  }
  if (!bridge) return null;
  return (
    <figure className={styles['app']}>
      <figcaption className={styles['caption']}>A page of {showHidden(server)}</figcaption>
      <iframe
        ref={frame}
        className={styles['frame']}
        title={`Page of ${server}`}
        src={frameAddress()}
        style={{ height: Math.min(HEIGHT_MAX_PX, Math.max(HEIGHT_MIN_PX, height)) }}
        sandbox="allow-scripts allow-same-origin"
        referrerPolicy="origin"
      />
      {asked && <AskedInPlace approval={asked} />}
      {question && (
        <AppQuestionCard
          server={server}
          question={question}
          onCompose={onCompose}
          onDone={() => setQuestion(undefined)}
        />
      )}
    </figure>
  );
}

const START_PX = 240;
const HEIGHT_MIN_PX = 80;
const HEIGHT_MAX_PX = 720;

/** The same hub under its other name: another site for the browser, without our cookie and our key. */
function frameAddress(): string {
  const { port, protocol } = window.location;
  return `${protocol}//localhost:${port}/app-frame`;
}
