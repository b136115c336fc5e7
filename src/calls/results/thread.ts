import { answerInThread } from '../../base/thread.ts';
import { readStored, type ReadAnswer, type ThreadStart } from './read.ts';

await answerInThread(({ pieces, request, limits }: ThreadStart): Promise<ReadAnswer> =>
  readStored(pieces.join(''), request, limits),
);
