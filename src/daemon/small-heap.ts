import { setFlagsFromString } from 'node:v8';

/**
 * A hub runs for days beside everything else on the machine. Left to itself the engine lets garbage
 * grow to several times what is alive. Collecting sooner costs a busy hub little, and one at rest
 * nothing.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
}

const GROWING_PERCENT = 20;
