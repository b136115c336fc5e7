import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { openMachine } from './machine.ts';
import { stripTypes } from './strip-types.ts';
import type { Answer, ThreadSaid, ThreadStart } from './thread-messages.ts';

const port = parentPort;
assert(port, 'this file runs only as a thread of sandbox');
const { code, names, limits } = workerData as ThreadStart; // given by sandbox
const onSaid = (said: ThreadSaid): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port.postMessage(said);
};

const stripped = stripTypes(code);
if (stripped.kind === 'bad') onSaid({ kind: 'failed', failure: stripped.failure });
else {
  const machine = await openMachine({ limits, names, clock: systemClock, onSaid });
  port.on('message', (answer: Answer) => machine.settle(answer));
  onSaid({ kind: 'started' });
  machine.run(stripped.text);
}
