import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { readScreenshot } from '../../servers/screenshot/read-screenshot.ts';

/** The text on a picture that came as base64, with or without the head of a `data:` address. */
export async function readImage(
  image: string,
  { limits, signal }: { readonly limits: Limits; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly text: string }> {
  const encoded = image.replace(/^data:[\w.+/-]{0,100};base64,/, '').trim();
  if (encoded.length > limits.apiImageBytesMax) throw tooLarge(limits.apiImageBytesMax);
  const bytes = Buffer.from(encoded, 'base64');
  // What is no base64 is skipped by the decoder; a picture that lacks some of it is no picture.
  if (bytes.length === 0 || Math.abs(bytes.length * 4 - encoded.length * 3) > PADDING_CHARS_MAX * 3) {
    throw new PlugError('usage', 'This is not a picture in base64.', {
      owner: 'you',
      remedy: 'Paste or drop a screenshot as PNG or JPEG, or paste the text itself.',
    });
  }
  const { text } = await readScreenshot(bytes, { limits, ...(signal ? { signal } : {}) });
  return { text };
}

const PADDING_CHARS_MAX = 4;

function tooLarge(mostChars: number): PlugError {
  const megabytes = Math.floor((mostChars * 3) / 4 / (1024 * 1024));
  return new PlugError('too_large', `The picture is larger than ${megabytes} MB.`, {
    owner: 'you',
    remedy: 'Cut the screenshot down to the part that shows the config, or paste the text itself.',
  });
}
