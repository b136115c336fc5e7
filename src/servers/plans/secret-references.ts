import { secretReference } from '../../base/secret-reference.ts';
import { findPlaceholders } from '../placeholders.ts';

/** The reference that a typed value is, if it is one: `${file:…}`, `${command:…}`, `op://…`. */
export function referenceIn(value: string): string | undefined {
  if (/^op:\/\/[^\s${}]+$/.test(value)) return secretReference('1password', value);
  const [only] = findPlaceholders(value);
  const isWhole = only?.text === value && (only.kind === 'file' || only.kind === 'command');
  return isWhole ? value : undefined;
}
