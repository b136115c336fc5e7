/** Does something that nobody waits for, once nothing else is to be done. Answers how to leave it. */
export function whenIdle(act: () => void): () => void {
  // Safari has no idle callbacks; a moment later is idle enough.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 500);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(act);
  return () => window.cancelIdleCallback(handle);
}
