import { expect } from 'vitest';

/** What must become true before a busy machine would be to blame. */
export function soon<T>(read: () => T | Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read);
}
