import { parentPort, workerData } from 'node:worker_threads';
import { assert, toPlugError } from '../../base/errors.ts';
import { readStored } from './read.ts';
import type { ThreadAnswer, ThreadStart } from './reading-thread.ts';

/** The thread that reads one result, answers once, and ends. */
assert(parentPort, 'this file runs only as a thread of reading-thread');
// The one who starts this thread is reading-thread, which gives exactly this.
const { pieces, request, limits } = workerData as ThreadStart;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort.postMessage(await answer());

async function answer(): Promise<ThreadAnswer> {
  try {
    return { kind: 'read', answer: await readStored(pieces.join(''), request, limits) };
  } catch (error) {
    return { kind: 'failed', error: toPlugError(error).toView() };
  }
}
