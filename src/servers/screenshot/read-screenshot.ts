import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock, type Clock } from '../../base/clock.ts';
import { messageOf, PlugError, type ErrorView } from '../../base/errors.ts';
import { limits as defaults, type Limits } from '../../base/limits.ts';
import { readImageHeader } from './image-format.ts';

export interface Screenshot {
  /** To be parsed like any paste. */
  readonly text: string;
  /** 0 to 100: how sure the OCR engine is of its characters, on average. */
  readonly confidence: number;
}

export interface ReadScreenshotOptions {
  readonly signal?: AbortSignal;
  readonly limits?: Pick<Limits, 'screenshotBytesMax' | 'screenshotPixelsMax' | 'screenshotTimeoutMs'>;
  readonly clock?: Clock;
}

/**
 * Reads the text in a PNG or JPEG on this machine; nothing leaves it. The work happens in a
 * thread of its own, which is ended when it takes too long or is no longer wanted.
 */
export async function readScreenshot(
  image: Uint8Array,
  { signal, limits = defaults, clock = systemClock }: ReadScreenshotOptions = {},
): Promise<Screenshot> {
  checkImage(image, limits);
  if (signal?.aborted) throw cancelled(signal.reason);
  const start: ThreadStart = { image, languageFolder: findLanguage() };
  const thread = new Worker(
    new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
    {
      workerData: start,
      // The engine talks to itself on the console; it gets neither ours nor our environment.
      stdout: true,
      stderr: true,
      env: {},
    },
  );
  const { promise, resolve, reject } = Promise.withResolvers<Screenshot>();
  const stop = (): void => reject(cancelled(signal?.reason));
  signal?.addEventListener('abort', stop, { once: true });
  const cancelTimer = clock.after(limits.screenshotTimeoutMs, () =>
    reject(tooSlow(limits.screenshotTimeoutMs)),
  );
  thread.once('message', (answer: ThreadAnswer) => {
    if (answer.kind === 'text') resolve({ text: answer.text, confidence: answer.confidence });
    else reject(PlugError.fromView(answer.error));
  });
  thread.once('error', (error) => reject(engineFailed(error)));
  thread.once('exit', () => reject(engineFailed(new Error('its thread ended without an answer'))));
  try {
    return await promise;
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', stop);
    await thread.terminate();
  }
}

/** What the thread is given. */
export interface ThreadStart {
  readonly image: Uint8Array;
  readonly languageFolder: string;
}

export type ThreadAnswer =
  | { readonly kind: 'text'; readonly text: string; readonly confidence: number }
  | { readonly kind: 'failed'; readonly error: ErrorView };

function checkImage(
  image: Uint8Array,
  limits: Pick<Limits, 'screenshotBytesMax' | 'screenshotPixelsMax'>,
): void {
  const again = 'Cut the screenshot down to the part that shows the config, or paste the text itself.';
  if (image.length > limits.screenshotBytesMax) {
    const most = Math.floor(limits.screenshotBytesMax / (1024 * 1024));
    throw new PlugError('too_large', `The picture is larger than ${most} MB.`, { owner: 'you', next: again });
  }
  const header = readImageHeader(image);
  if (!header || header.width === 0 || header.height === 0) {
    throw new PlugError(
      'usage',
      'This is not a picture that can be read: screenshots are read as PNG or JPEG.',
      {
        owner: 'you',
        next: 'Save the screenshot as PNG, or paste the text itself.',
      },
    );
  }
  if (header.width * header.height > limits.screenshotPixelsMax) {
    throw new PlugError(
      'too_large',
      `The picture is too large to read: ${header.width} × ${header.height} pixels.`,
      {
        owner: 'you',
        next: again,
      },
    );
  }
}

const PACKAGES = 'tesseract.js@7.0.0 @tesseract.js-data/eng@1.0.0';

/** Where the data of the engine lie; both packages are optional, so that either may be missing. */
function findLanguage(): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve('tesseract.js');
    return join(dirname(resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
  } catch (error) {
    throw new PlugError('unavailable', 'Reading screenshots needs the OCR engine, which is not installed.', {
      owner: 'you',
      next: `npm install ${PACKAGES} (with --global where plug itself is installed globally)`,
      cause: error,
    });
  }
}

function cancelled(cause: unknown): PlugError {
  return new PlugError('cancelled', 'Reading the screenshot was cancelled.', { owner: 'you', cause });
}

function tooSlow(timeoutMs: number): PlugError {
  return new PlugError(
    'unavailable',
    `The screenshot was not read within ${Math.round(timeoutMs / 1000)} s and was given up.`,
    {
      owner: 'plugboard',
      next: 'Cut the screenshot down to the part that shows the config, or paste the text itself.',
    },
  );
}

function engineFailed(error: Error): PlugError {
  return new PlugError('internal', `The OCR engine failed: ${messageOf(error)}.`, {
    owner: 'plugboard',
    next: 'Paste the text itself instead.',
    cause: error,
  });
}
