interface Frame<T> {
  readonly node: T;
  readonly edges: T[];
}

/**
 * Numbers every node reachable from `starts` by the circle it lies on: two nodes have the same
 * number exactly when each can be reached from the other (Tarjan's strongly connected components).
 */
export function numberCircles<T>(
  starts: Iterable<T>,
  edgesOf: (node: T) => readonly T[],
): ReadonlyMap<T, number> {
  const circles = new Map<T, number>();
  const order = new Map<T, number>();
  const lowest = new Map<T, number>();
  const pending: T[] = [];
  for (const start of starts) {
    if (order.has(start)) continue;
    // A stack of our own: a long chain must not use up the real one.
    const stack: Frame<T>[] = [];
    const open = (node: T): void => {
      order.set(node, order.size);
      lowest.set(node, order.size - 1);
      pending.push(node);
      stack.push({ node, edges: [...edgesOf(node)] });
    };
    const lower = (node: T, to: number): void => void lowest.set(node, Math.min(lowest.get(node) ?? to, to));
    open(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.edges.pop();
      if (next !== undefined) {
        if (!order.has(next)) open(next);
        else if (!circles.has(next)) lower(top.node, order.get(next) ?? 0);
        continue;
      }
      stack.pop();
      const low = lowest.get(top.node) ?? 0;
      const parent = stack.at(-1);
      if (parent) lower(parent.node, low);
      if (low !== order.get(top.node)) continue;
      for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
        circles.set(node, low);
        if (node === top.node) break;
      }
    }
  }
  return circles;
}
