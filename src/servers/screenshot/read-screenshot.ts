import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { systemClock, type Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import { limits as defaults, type Limits } from '../../base/limits.ts';
import { inThread } from '../../base/thread.ts';
import { readImageHeader } from './image-format.ts';

export interface Screenshot {
  readonly text: string;
  readonly confidence: number;
}

export interface ReadScreenshotOptions {
  readonly signal?: AbortSignal;
  readonly limits?: Pick<Limits, 'screenshotBytesMax' | 'screenshotPixelsMax' | 'screenshotTimeoutMs'>;
  readonly clock?: Clock;
}

/** Nothing leaves the machine. Runs in a thread, which ends on timeout or abort. */
export async function readScreenshot(
  image: Uint8Array,
  { signal, limits = defaults, clock = systemClock }: ReadScreenshotOptions = {},
): Promise<Screenshot> {
  checkImage(image, limits);
  const start: ThreadStart = { image, languageFolder: findLanguage() };
  try {
    return await inThread<Screenshot>(import.meta.url, {
      workerData: start,
      // The engine's console output is dropped; it gets no environment.
      stdout: true,
      stderr: true,
      timeoutMs: limits.screenshotTimeoutMs,
      clock,
      signal,
      late: () => tooSlow(limits.screenshotTimeoutMs),
      broken: engineFailed,
    });
  } catch (error) {
    throw signal?.aborted ? cancelled(signal.reason) : error;
  }
}

export interface ThreadStart {
  readonly image: Uint8Array;
  readonly languageFolder: string;
}

function checkImage(
  image: Uint8Array,
  limits: Pick<Limits, 'screenshotBytesMax' | 'screenshotPixelsMax'>,
): void {
  const tooLarge = (message: string): PlugError =>
    new PlugError('too_large', message, { owner: 'you', remedy: SHOW_LESS });
  if (image.length > limits.screenshotBytesMax)
    throw tooLarge(`The picture is larger than ${Math.floor(limits.screenshotBytesMax / (1024 * 1024))} MB.`);
  const { width = 0, height = 0 } = readImageHeader(image) ?? {};
  if (width === 0 || height === 0) {
    const message = 'This is not a picture that can be read: screenshots are read as PNG or JPEG.';
    const remedy = 'Save the screenshot as PNG, or paste the text itself.';
    throw new PlugError('usage', message, { owner: 'you', remedy });
  }
  if (width * height > limits.screenshotPixelsMax)
    throw tooLarge(`The picture is too large to read: ${width} × ${height} pixels.`);
}

const SHOW_LESS = {
  do: 'say',
  text: 'Cut the screenshot down to the part that shows the config, or paste the text itself.',
} as const;

const PACKAGES = 'tesseract.js@7.0.0 @tesseract.js-data/eng@1.0.0';

/** Both packages are optional. */
function findLanguage(): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve('tesseract.js');
    return join(dirname(resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
  } catch (error) {
    throw new PlugError('unavailable', 'Reading screenshots needs the OCR engine, which is not installed.', {
      owner: 'you',
      remedy: { do: 'run', line: `npm install --global ${PACKAGES}` },
      cause: error,
    });
  }
}

function cancelled(cause: unknown): PlugError {
  return new PlugError('cancelled', 'Reading the screenshot was cancelled.', { owner: 'you', cause });
}

function tooSlow(timeoutMs: number): PlugError {
  const message = `The screenshot was not read within ${Math.round(timeoutMs / 1000)} s and was given up.`;
  return new PlugError('unavailable', message, { owner: 'plugboard', remedy: SHOW_LESS });
}

function engineFailed(error: unknown): PlugError {
  return new PlugError('internal', `The OCR engine failed: ${messageOf(error)}.`, {
    owner: 'plugboard',
    remedy: 'Paste the text itself instead.',
    cause: error,
  });
}
