import { useEffect, useState, type ReactNode } from 'react';
import type { ChatMedia } from '../hub/hub-context.tsx';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { CutText } from './cut-text.tsx';
import { Fold } from './fold.tsx';
import { SafeLink } from './safe-link.tsx';
import styles from './result-view.module.css';

/** A picture, a sound or a resource of a result. A picture that could hold a script is not shown. */
export function MediaView({ media }: { readonly media: ChatMedia }): ReactNode {
  const { kind, mimeType = '', data, uri, text } = media;
  const name = `${mimeType === '' ? kind : mimeType}${uri === undefined ? '' : ` · ${showHidden(uri)}`}`;
  if (data !== undefined && isPicture(media)) {
    return (
      <Blob data={data} type={mimeType}>
        {(url) => <img className={styles['picture']} src={url} alt={`Picture: ${name}`} />}
      </Blob>
    );
  }
  if (data !== undefined && SOUNDS.has(mimeType)) {
    return (
      <Blob data={data} type={mimeType}>
        {/* What a server sends has no captions. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        {(url) => <audio className={styles['sound']} controls src={url} aria-label={`Sound: ${name}`} />}
      </Blob>
    );
  }
  if (text !== undefined) {
    return (
      <Fold label={`Resource: ${name}`}>
        <CutText text={text} />
      </Fold>
    );
  }
  return (
    <p className={styles['row']}>
      <span>
        {kind === 'resource' ? 'Resource' : `${kind === 'image' ? 'Picture' : 'Sound'} that is not shown`}:
      </span>
      {uri === undefined ? mimeType : <SafeLink href={uri}>{showHidden(uri)}</SafeLink>}
    </p>
  );
}

/** Whether it is shown as a picture. */
export function isPicture({ mimeType = '', data }: ChatMedia): boolean {
  return data !== undefined && PICTURES.has(mimeType);
}

const PICTURES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
]);
const SOUNDS: ReadonlySet<string> = new Set([
  'audio/mpeg',
  'audio/wav',
  'audio/x-wav',
  'audio/ogg',
  'audio/webm',
  'audio/mp4',
  'audio/flac',
]);

interface BlobProps {
  /** In base64. */
  readonly data: string;
  readonly type: string;
  readonly children: (url: string) => ReactNode;
}

function Blob({ data, type, children }: BlobProps): ReactNode {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = objectUrl(data, type);
    setUrl(made);
    return () => {
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [data, type]);
  return url === undefined ? null : children(url);
}

function objectUrl(data: string, type: string): string | undefined {
  try {
    const bytes = Uint8Array.from(window.atob(data), (character) => character.charCodeAt(0));
    return URL.createObjectURL(new window.Blob([bytes], { type }));
  } catch {
    return undefined; // no base64: there is nothing to show
  }
}
