import { defined } from '../../../src/base/defined.ts';
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useHub, type Approval, type ApprovalAnswer, type ApprovalEnd } from '../hub/hub-context.tsx';
import { keys } from '../hub/queries.ts';
import { OFFERS } from './approval-words.ts';

export type GiveAnswer = (answer: Omit<ApprovalAnswer, 'argsHash'>) => void;

interface Answering {
  readonly answer: GiveAnswer;
  /** What came of it. */
  readonly said: { readonly words: string; readonly end: ApprovalEnd } | undefined;
  readonly error: unknown;
  readonly busy: boolean;
}

/** Answers one approval, for exactly the arguments that are shown. */
export function useAnswer({ id, argsHash }: Approval): Answering {
  const hub = useHub();
  const cache = useQueryClient();
  const [state, setState] = useState<Omit<Answering, 'answer'>>(IDLE);
  const answer: GiveAnswer = (given) => {
    setState({ ...IDLE, busy: true });
    hub.approvals
      .answer({ id, ...given, argsHash })
      .then(
        () => setState({ ...IDLE, said: { words: wordsFor(given), end: endOf(given) } }),
        (error: unknown) => setState({ ...IDLE, error }),
      )
      .finally(() => {
        void cache.invalidateQueries({ queryKey: keys.approvals });
        if (given.remember) void cache.invalidateQueries({ queryKey: keys.grants });
      });
  };
  return { ...state, answer };
}

const IDLE = { said: undefined, error: undefined, busy: false } as const;

function endOf({ effect, remember, args, note }: Omit<ApprovalAnswer, 'argsHash'>): ApprovalEnd {
  if (effect === 'deny') return { outcome: 'denied', by: 'page', ...defined({ note }) };
  return { outcome: 'allowed', by: 'page', ...defined({ remember }), ...(args ? { edited: true } : {}) };
}

function wordsFor({ effect, remember, args, note }: Omit<ApprovalAnswer, 'argsHash'>): string {
  if (effect === 'deny') return note === undefined ? 'You denied it.' : `You denied it: “${note}”`;
  const { said } = OFFERS[remember ?? 'once'];
  return args === undefined ? said : 'You allowed it, with your arguments.';
}
