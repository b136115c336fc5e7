import type { ReactNode } from 'react';
import { IconButton } from '../parts/button.tsx';
import { MediaView } from '../parts/media-view.tsx';
import type { Picture } from './conversation.ts';
import styles from './pictures.module.css';

interface PicturesProps {
  readonly pictures: readonly Picture[];
  /** Absent for what was said already. */
  readonly onRemove?: (at: number) => void;
}

/** Pictures of a message, small; before it is sent, each with the button that takes it away. */
export function Pictures({ pictures, onRemove }: PicturesProps): ReactNode {
  if (pictures.length === 0) return null;
  return (
    <ul className={styles['pictures']} aria-label="Pictures">
      {pictures.map((picture, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a picture is known by its place
        <li key={at} className={styles['picture']}>
          <MediaView media={{ kind: 'image', ...picture }} />
          {onRemove && (
            <IconButton label={`Remove picture ${at + 1}`} icon="close" onClick={() => onRemove(at)} />
          )}
        </li>
      ))}
    </ul>
  );
}
