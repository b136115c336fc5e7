import { randomBytes } from 'node:crypto';

/** Ids and jitter as a dependency. Only this file draws random numbers. */
export interface Ids {
  /** A new unguessable id, such as `call_5f3c…`. */
  next(prefix: string): string;
  random(): number;
}

export const systemIds: Ids = {
  next: (prefix) => `${prefix}_${randomBytes(12).toString('hex')}`,
  random: () => Math.random(),
};

/** For keys, tokens, salts and nonces: never faked, also not in tests. */
export function secretBytes(count: number): Buffer {
  return randomBytes(count);
}
