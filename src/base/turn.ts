let isEnding = false;

/**
 * Runs at the end of this turn of the event loop, so that one write does for many callers. What follows from
 * it belongs to the same turn, without a look for new input in between: a call that is recorded is sent.
 */
export function atEndOfTurn(work: () => void): void {
  if (isEnding) process.nextTick(work);
  else setImmediate(endTurn, work);
}

/** For a caller that is alone: there is nobody to wait for. Never again and again without input in between. */
export function endTurnSoon(work: () => void): void {
  process.nextTick(endTurn, work);
}

function endTurn(work: () => void): void {
  isEnding = true;
  // After all that is resolved now has run, and before anything else comes in.
  queueMicrotask(() => process.nextTick(ended));
  work();
}

function ended(): void {
  isEnding = false;
}
