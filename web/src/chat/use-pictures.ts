import { useState, type ClipboardEvent, type DragEvent } from 'react';
import { imageIn, toBase64 } from '../add/picture.ts';
import type { Picture } from './conversation.ts';

const PICTURES_MAX = 6;
/** How a JPEG begins, in base64; everything else was made a PNG. */
const JPEG = '/9j/';

interface GivenPictures {
  readonly pictures: readonly Picture[];
  /** Takes the picture of a paste or drop; anything else goes where it was going. */
  readonly take: (event: ClipboardEvent | DragEvent, data: DataTransfer) => void;
  readonly remove: (at: number) => void;
  readonly clear: () => void;
  readonly error: unknown;
}

/** Pictures that go with the next message. */
export function usePictures(): GivenPictures {
  const [pictures, setPictures] = useState<readonly Picture[]>([]);
  const [error, setError] = useState<unknown>();
  const add = async (file: Blob): Promise<void> => {
    try {
      const data = await toBase64(file);
      const mimeType = data.startsWith(JPEG) ? 'image/jpeg' : 'image/png';
      setPictures((before) => [...before, { data, mimeType }].slice(0, PICTURES_MAX));
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  };
  return {
    pictures,
    take: (event, data) => {
      const file = imageIn(data);
      if (!file) return;
      event.preventDefault();
      void add(file);
    },
    remove: (at) => setPictures((before) => before.filter((_, index) => index !== at)),
    clear: () => setPictures([]),
    error,
  };
}
