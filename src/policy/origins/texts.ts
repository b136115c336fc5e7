/** Every text inside a value, with its dotted path; numbers count as text, since ids may be numbers. */
export function eachText(value: unknown, onText: (text: string, path: string) => void): void {
  // A list of our own: a nest of brackets cannot end us.
  const open: { readonly value: unknown; readonly path: string }[] = [{ value, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, path } = next;
    if (typeof inner === 'string') onText(inner, path);
    else if (typeof inner === 'number' || typeof inner === 'bigint') onText(String(inner), path);
    else if (typeof inner === 'object' && inner !== null) {
      const lead = path === '' ? '' : `${path}.`;
      const entries = Object.entries(inner);
      for (let index = entries.length - 1; index >= 0; index -= 1) {
        const entry = entries[index];
        if (entry) open.push({ value: entry[1], path: lead + entry[0] });
      }
    }
  }
}
