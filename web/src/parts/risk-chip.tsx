import type { ReactNode } from 'react';
import type { ToolView } from '../hub/hub-context.tsx';
import { Chip } from './chip.tsx';

const RISKS = {
  read: { tone: 'good', word: 'read-only' },
  write: { tone: 'warn', word: 'writes data' },
  destructive: { tone: 'bad', word: 'destructive' },
  unknown: { tone: 'quiet', word: 'unknown risk' },
} as const;

export function RiskChip({ risk }: { readonly risk: ToolView['risk'] }): ReactNode {
  const { tone, word } = RISKS[risk];
  return <Chip tone={tone}>{word}</Chip>;
}
