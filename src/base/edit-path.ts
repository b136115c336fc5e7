type Edit = readonly [sign: ' ' | '-' | '+', line: string];

/** Shortest edit script (Myers, 1986); undefined above `editsMax`, since cost is quadratic. */
export function shortestEdits(
  old: readonly string[],
  fresh: readonly string[],
  editsMax: number,
): readonly Edit[] | undefined {
  const most = Math.min(old.length + fresh.length, editsMax);
  // Diagonal k (old index minus new index) is at k + most + 1.
  const reach = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(reach.slice(most + 1 - edits - 1, most + 1 + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const place = k + most + 1;
      const down = k === -edits || (k !== edits && at(reach, place - 1) < at(reach, place + 1));
      let x = down ? at(reach, place + 1) : at(reach, place - 1) + 1;
      while (x < old.length && x - k < fresh.length && old[x] === fresh[x - k]) x += 1;
      reach[place] = x;
      if (x >= old.length && x - k >= fresh.length) return walkBack(old, fresh, trace);
    }
  }
  return undefined;
}

function walkBack(old: readonly string[], fresh: readonly string[], trace: readonly Int32Array[]) {
  const path: Edit[] = [];
  let x = old.length;
  let y = fresh.length;
  for (let edits = trace.length - 1; edits > 0; edits -= 1) {
    const reach = trace[edits] ?? new Int32Array();
    const k = x - y;
    const place = k + edits + 1;
    const down = k === -edits || (k !== edits && at(reach, place - 1) < at(reach, place + 1));
    const fromX = down ? at(reach, place + 1) : at(reach, place - 1);
    const fromY = fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0 && old[x - 1] === fresh[y - 1]) {
      x -= 1;
      y -= 1;
      path.push([' ', old[x] ?? '']);
    }
    path.push(down ? ['+', fresh[fromY] ?? ''] : ['-', old[fromX] ?? '']);
    x = fromX;
    y = fromY;
  }
  while (x > 0) {
    x -= 1;
    path.push([' ', old[x] ?? '']);
  }
  return path.toReversed();
}

function at(reach: Int32Array, place: number): number {
  return reach[place] ?? 0;
}
