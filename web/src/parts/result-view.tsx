import type { ReactNode } from 'react';
import type { ChatMedia, Json } from '../hub/hub-context.tsx';
import { CutText } from './cut-text.tsx';
import { Fold } from './fold.tsx';
import { MediaView } from './media-view.tsx';
import { ResultPages } from './result-pages.tsx';
import styles from './result-view.module.css';

export interface ResultViewProps {
  /** The beginning of it, or all of it. */
  readonly text: string;
  /** Under which the hub keeps the whole, when it is too large to be sent at once. */
  readonly resultId?: string | undefined;
  readonly media?: readonly ChatMedia[] | undefined;
  readonly structured?: Json | undefined;
}

/** What came back from a call, as text and pictures; never as markup. */
export function ResultView({ text, resultId, media = [], structured }: ResultViewProps): ReactNode {
  return (
    <div className={styles['result']}>
      {resultId === undefined ? (
        (text !== '' || media.length === 0) && <CutText text={text === '' ? 'No result.' : text} />
      ) : (
        <ResultPages id={resultId} beginning={text} />
      )}
      {media.map((each, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts of a result have no name but their place
        <MediaView key={index} media={each} />
      ))}
      {structured !== undefined && (
        <Fold label="Structured content">
          <CutText text={JSON.stringify(structured, undefined, 2)} />
        </Fold>
      )}
    </div>
  );
}
