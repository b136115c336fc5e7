/**
 * Every text inside a result, with those keys that are data themselves; numbers count as text, since
 * ids may be numbers.
 */
export function eachText(value: unknown, onText: (text: string) => void): void {
  // A list of our own: a nest of brackets cannot end us.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const inner = open.pop();
    const text = textOf(inner);
    if (text !== undefined) onText(text);
    else if (typeof inner === 'object' && inner !== null) {
      const entries = Object.entries(inner);
      for (let index = entries.length - 1; index >= 0; index -= 1) open.push(entries[index]?.[1]);
      if (!Array.isArray(inner)) for (const [key] of entries) if (!FIELD.test(key)) onText(key);
    }
  }
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

/** The name of a field is how a server says things, not what it says. */
const FIELD = /^[a-z_$@][a-z_$.:-]{0,31}$/i;
