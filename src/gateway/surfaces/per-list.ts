import type { ToolList } from '../../hub/hub.ts';

/** What is made from a tool list is made once for that list: hosts ask far more often than it changes. */
export function perList<T>(
  tools: () => Promise<ToolList>,
  make: (list: ToolList) => T | Promise<T>,
): () => Promise<T> {
  let last: { readonly list: ToolList; readonly made: T | Promise<T> } | undefined;
  return async () => {
    const list = await tools();
    if (last?.list === list) return last.made;
    const mine = { list, made: make(list) };
    last = mine;
    try {
      return await mine.made;
    } catch (error) {
      // A failure is not kept: the next one tries again.
      if (last === mine) last = undefined;
      throw error;
    }
  };
}
