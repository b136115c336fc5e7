import type { Remedy } from '../base/remedy.ts';
import type { SelectableTool } from './select.ts';

/** What makes a call read-only. `caller`: the gateway address, the host's token, or the call itself. */
export type ReadOnlyBar =
  | { readonly by: 'switch' }
  | { readonly by: 'profile'; readonly name: string }
  | { readonly by: 'caller' };

export function isBarred(bar: ReadOnlyBar | undefined, { risk }: Pick<SelectableTool, 'risk'>): boolean {
  return bar !== undefined && risk !== 'read';
}

export function barWords(
  bar: ReadOnlyBar,
  { risk }: Pick<SelectableTool, 'risk'>,
): { readonly reason: string; readonly remedy: Remedy } {
  const tool = `this tool is ${riskWords[risk]}`;
  switch (bar.by) {
    case 'switch':
      return { reason: `Read-only mode is on, and ${tool}.`, remedy: { do: 'allow-writes' } };
    case 'profile':
      return {
        reason: `The profile ${bar.name} is read-only, and ${tool}.`,
        remedy: { do: 'show-profile', name: bar.name },
      };
    case 'caller':
    default:
      return {
        reason: `It is asked for by a host or an address that is read-only, and ${tool}.`,
        remedy: { do: 'show', what: 'hosts' },
      };
  }
}

export const riskWords: Readonly<Record<SelectableTool['risk'], string>> = {
  read: 'one that reads',
  write: 'one that writes',
  destructive: 'destructive',
  unknown: 'of unknown risk',
};
