import { parentPort, workerData } from 'node:worker_threads';
import { assert, toPlugError } from '../../base/errors.ts';
import { startEngine } from './engine.ts';
import type { ThreadAnswer, ThreadStart } from './read-screenshot.ts';
import { recognise } from './recognise.ts';
import { tidyText } from './tidy-text.ts';

/** The thread that reads one picture, answers once, and ends. */
assert(parentPort, 'this file runs only as a thread of read-screenshot');
// The one who starts this thread is read-screenshot, which gives exactly this.
const { image, languageFolder } = workerData as ThreadStart;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort.postMessage(await answer());

async function answer(): Promise<ThreadAnswer> {
  try {
    const engine = await startEngine(languageFolder);
    try {
      const { text, confidence } = await recognise(engine, image);
      return { kind: 'text', text: tidyText(text), confidence };
    } finally {
      await engine.close();
    }
  } catch (error) {
    return { kind: 'failed', error: toPlugError(error).toView() };
  }
}
