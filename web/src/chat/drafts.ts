/** What is typed and not sent, by conversation: it outlives a reload and a hub that goes away. */
export const drafts = {
  get: (id: string): string => sessionStorage.getItem(PREFIX + id) ?? '',
  set: (id: string, text: string): void => {
    if (text === '') sessionStorage.removeItem(PREFIX + id);
    else if (text.length <= KEPT_CHARS_MAX) sessionStorage.setItem(PREFIX + id, text);
  },
} as const;

const PREFIX = 'plug.draft.';
const KEPT_CHARS_MAX = 200_000;
