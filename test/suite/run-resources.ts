import { inject } from 'vitest';
import type { SharedName } from './share.ts';

/** Asks the run for something that its test files share; it is started for the first who asks. */
export async function shared(name: SharedName): Promise<string> {
  const response = await fetch(`${inject('shared')}/${name}`, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
