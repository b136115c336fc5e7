import type { ToolList } from '../../hub/hub.ts';

/** What is made from a tool list is made once for that list: hosts ask far more often than it changes. */
export function perList<T>(
  tools: () => Promise<ToolList>,
  make: (list: ToolList) => T | Promise<T>,
): () => Promise<T> {
  let last: { readonly list: ToolList; readonly made: Promise<T> } | undefined;
  let lastTools: Promise<ToolList> | undefined;
  return () => {
    const reading = tools();
    // The same promise is of the same list: nothing is waited for to find that out.
    if (last && reading === lastTools) return last.made;
    return reading.then((list) => {
      lastTools = reading;
      if (last?.list === list) return last.made;
      const mine = { list, made: (async () => make(list))() };
      last = mine;
      // A failure is not kept: the next one tries again.
      mine.made.then(undefined, () => {
        if (last === mine) last = undefined;
      });
      return mine.made;
    });
  };
}
