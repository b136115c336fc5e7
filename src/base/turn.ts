let isEnding = false;

/**
 * Runs at the end of this turn of the event loop, so that one write does for many callers. What follows from
 * it belongs to the same turn, without a look for new input in between: a call that is recorded is sent.
 */
export function atEndOfTurn(work: () => void): void {
  if (isEnding) process.nextTick(work);
  else setImmediate(endTurn, work);
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
