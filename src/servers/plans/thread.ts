import { answerInThread } from '../../base/thread.ts';
import type { UnpackStart } from './unpack-bundle.ts';
import { unzip } from './unzip.ts';

await answerInThread(({ archive, folder, limits }: UnpackStart) => unzip(archive, folder, limits));
