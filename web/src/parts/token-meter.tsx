import type { ReactNode } from 'react';
import { shortNumber } from './words.ts';

/** What showing something to a model costs. */
export function TokenMeter({ tokens }: { readonly tokens: number | undefined }): ReactNode {
  if (tokens === undefined) return <span title="Not counted yet">– tokens</span>;
  return <span title={`${tokens.toLocaleString('en')} tokens`}>{shortNumber(tokens)} tokens</span>;
}
