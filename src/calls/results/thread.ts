import { answerInThread } from '../../base/thread.ts';
import { readStored, type ReadAnswer } from './read.ts';
import type { ThreadStart } from './reading-thread.ts';

await answerInThread(({ pieces, request, limits }: ThreadStart): Promise<ReadAnswer> =>
  readStored(pieces.join(''), request, limits),
);
