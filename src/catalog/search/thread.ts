import { parentPort } from 'node:worker_threads';
import { assert } from '../../base/errors.ts';
import { Analyzer } from './analyze.ts';
import { type ServerTexts, type Weighed, Weigher } from './weigh.ts';

export interface ThreadAnswer extends Omit<Weighed, 'terms'> {
  /** What the list of terms has more than at the answer before; all of it when that list is another. */
  readonly moreTerms: readonly string[];
  readonly isNewList: boolean;
}

const port = parentPort;
assert(port, 'this file runs only as a thread of weigh-in-thread');
const weigher = new Weigher(new Analyzer());
let [list, known]: [readonly string[], number] = [[], 0];

port.on('message', (servers: readonly ServerTexts[]) => {
  const { terms, counts, numbers, says } = weigher.weigh(servers);
  const isNewList = terms !== list;
  const moreTerms = terms.slice(isNewList ? 0 : known);
  [list, known] = [terms, terms.length];
  const answer: ThreadAnswer = { counts, numbers, says, moreTerms, isNewList };
  port.postMessage(answer, [counts.buffer, numbers.buffer, says.buffer]);
});
