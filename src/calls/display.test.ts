import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { displayOf, stateOfFailure } from './display.ts';

const call = { callId: 'call_1', tool: 'github/search', args: { query: 'rust MCP client', sort: 'stars' } };

verifies(
  ['L8'],
  'a call is shown as using, completed, failed or timed out, with arguments and duration',
  () => {
    expect(displayOf({ ...call, state: 'using' })).toEqual({
      callId: 'call_1',
      tool: 'github/search',
      state: 'using',
      title: 'Using github/search…',
      args: [
        { name: 'query', value: '"rust MCP client"' },
        { name: 'sort', value: '"stars"' },
      ],
    });
    const title = (state: Parameters<typeof displayOf>[0]['state'], durationMs: number): string => {
      const shown = displayOf({ ...call, state, durationMs });
      return `${shown.title}, ${shown.took}`;
    };
    expect(title('completed', 1_234)).toBe('github/search completed, 1.2 s');
    expect(title('failed', 12)).toBe('github/search failed, 12 ms');
    expect(title('timed_out', 90_000)).toBe('github/search timed out, 1 min 30 s');
    expect(title('refused', 0)).toBe('github/search was refused, 0 ms');
    expect(title('cancelled', 5)).toBe('github/search was cancelled, 5 ms');
    expect(displayOf({ ...call, state: 'waiting' }).title).toBe('github/search waits for your approval');
  },
);

test('a failure brings its reason and the next step along', () => {
  const error = { code: 'call_timeout', message: 'It slept.', owner: 'server', next: 'plug logs x' } as const;
  expect(displayOf({ ...call, state: stateOfFailure(error), error })).toMatchObject({
    state: 'timed_out',
    reason: 'It slept.',
    next: 'plug logs x',
  });
  const states = (['cancelled', 'denied', 'approval_required', 'crashed', 'start_timeout'] as const).map(
    (code) => stateOfFailure({ code }),
  );
  expect(states).toEqual(['cancelled', 'refused', 'refused', 'failed', 'timed_out']);
});

test('long or many arguments do not flood the display, and none can forge another', () => {
  const many = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`a${index}`, 'x\ny: 1'.repeat(100)]),
  );
  const { args } = displayOf({ ...call, args: many, state: 'using' });
  expect(args).toHaveLength(21);
  expect(args.at(-1)).toEqual({ name: '…', value: '30 more' });
  expect(args.every(({ value }) => value.length <= 201 && !value.includes('\n'))).toBe(true);
});
