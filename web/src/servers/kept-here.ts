import type { ServerView } from '../hub/hub-context.tsx';

/** Whether the hub's database has it. A server of a file is changed and removed in that file. */
export function isOurs({ source }: ServerView): boolean {
  return source.kind !== 'file';
}
