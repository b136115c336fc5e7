import { expect, test } from 'vitest';
import { serverView } from '../../../test/server-view.ts';
import type { ServerState, ServerView } from './hub-context.tsx';
import { reasonOf } from './server-names.ts';

const inState = (state: ServerState): ServerView => serverView({ id: 'gh', name: 'GitHub', state });

test('a server that waits for values names them, without the placeholders of its definition', () => {
  const missing = ['${TOKEN}', '${OTHER}'];
  const reason = '“gh” cannot start: ${TOKEN} in env.TOKEN (the variable is not set).';
  expect(reasonOf(inState({ kind: 'needs-input', reason, missing }))).toBe('Needs TOKEN and OTHER to start.');
});

test('a reason names the server as its person does', () => {
  const reason = 'gh ended with exit code 1.';
  expect(reasonOf(inState({ kind: 'failed', cause: 'crashed', reason }))).toBe(
    'GitHub ended with exit code 1.',
  );
});
