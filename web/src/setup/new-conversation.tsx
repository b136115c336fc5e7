import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { beginAnew, useTalk } from './talk.ts';

export function NewConversation(): ReactNode {
  const { entries } = useTalk();
  if (entries.length === 0) return null;
  return (
    <Button look="quiet" icon="plus" onClick={beginAnew}>
      Start over
    </Button>
  );
}
