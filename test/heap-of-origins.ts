/**
 * Whether what a tool answered lives on in the memory of a process, as text: `node test/heap-of-origins.ts`.
 * A process of its own has a small heap, which is written out in a moment; that of the tests is not.
 */
import { randomBytes } from 'node:crypto';
import { getHeapSnapshot } from 'node:v8';
import { limits } from '../src/base/limits.ts';
import { DataOrigins } from '../src/policy/origins/data-origins.ts';

// Bytes, as they are no text that the search below could find.
const canary = randomBytes(24);
const text = (): string => `The word is ${canary.toString('hex')} and it stays between us.`;
const ANOTHER = 'The engine itself holds the text that it has matched last, until it matches another one.';

const origins = new DataOrigins({ limits, enabled: true });
for (const make of [text, () => ANOTHER]) {
  const result = { content: [{ type: 'text', text: make() }], isError: false };
  origins.remember({ principal: 'me', server: 'mail', tool: 'read_mail', result });
}
const remembered = await heapHolds();
const held = { text: text() };
const whileHeld = await heapHolds();
const found = origins.originsIn({ principal: 'me', server: 'chat', args: held }).length;
console.log(JSON.stringify({ remembered, whileHeld, found }));

/** Whether the hex of the bytes is in any text that lives in this process. */
async function heapHolds(): Promise<boolean> {
  const wanted = Buffer.from(canary.toString('hex'));
  let tail = Buffer.alloc(0);
  let holds = false;
  for await (const chunk of getHeapSnapshot()) {
    const bytes = Buffer.concat([tail, Buffer.from(chunk as Uint8Array)]); // a snapshot is read as bytes
    holds ||= bytes.includes(wanted);
    tail = bytes.subarray(-wanted.length);
  }
  return holds;
}
