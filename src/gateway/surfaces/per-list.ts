import type { ToolList } from '../../hub/hub.ts';

/** Caches a value per tool list; synchronous when it is there. */
export function perList<T>(
  tools: () => Promise<ToolList>,
  make: (list: ToolList) => T | Promise<T>,
): () => T | Promise<T> {
  let last: Made<T> | undefined;
  let lastTools: Promise<ToolList> | undefined;
  return () => {
    const reading = tools();
    // The same promise means the same list: no need to await it.
    if (last && reading === lastTools) return last.ready ? last.ready.value : last.made;
    return reading.then((list) => {
      lastTools = reading;
      if (last?.list === list) return last.made;
      const mine: Made<T> = { list, made: (async () => make(list))(), ready: undefined };
      last = mine;
      mine.made.then(
        (value) => (mine.ready = { value }),
        // Failures are not cached.
        () => {
          if (last === mine) last = undefined;
        },
      );
      return mine.made;
    });
  };
}

interface Made<T> {
  readonly list: ToolList;
  readonly made: Promise<T>;
  ready: { readonly value: T } | undefined;
}
