import type { ToolList } from '../../hub/hub.ts';

/**
 * What is made from a tool list is made once for that list: hosts ask far more often than it changes. At
 * once where it is there already.
 */
export function perList<T>(
  tools: () => Promise<ToolList>,
  make: (list: ToolList) => T | Promise<T>,
): () => T | Promise<T> {
  let last: Made<T> | undefined;
  let lastTools: Promise<ToolList> | undefined;
  return () => {
    const reading = tools();
    // The same promise is of the same list: nothing is waited for to find that out.
    if (last && reading === lastTools) return last.ready ? last.ready.value : last.made;
    return reading.then((list) => {
      lastTools = reading;
      if (last?.list === list) return last.made;
      const mine: Made<T> = { list, made: (async () => make(list))(), ready: undefined };
      last = mine;
      mine.made.then(
        (value) => (mine.ready = { value }),
        // A failure is not kept: the next one tries again.
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
