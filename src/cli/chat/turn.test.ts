import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import type { Hub } from '../../hub/hub.ts';
import { openOutput } from '../output.ts';
import type { HubSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { Conversation } from './conversation.ts';
import { Questions } from './questions.ts';
import { takeTurn } from './turn.ts';

verifies(
  ['U2'],
  'an answer that comes while a question still has the screen is shown before the turn ends, not behind the next prompt',
  async () => {
    let shown = '';
    const writer = {
      isTerminal: false,
      isOpen: true,
      width: 80,
      write: (text: string) => void (shown += text),
    };
    const streams = { stdin: () => new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    // What a turn uses of a terminal.
    const terminal = { stdout: writer, stderr: writer, streams, interactive: false } as unknown as Terminal;
    const out = openOutput({ terminal, json: false, color: false });
    const answered = Promise.withResolvers<void>();
    const chat = {
      turn: async (_request: object, { onProgress }: { onProgress: (event: object) => void }) => {
        void questions.ask(() => answered.promise);
        await Promise.resolve();
        onProgress({ kind: 'text', text: 'Both.' });
        setImmediate(answered.resolve);
        const usage = { inputTokens: 0, outputTokens: 0, steps: 1, calls: 2 };
        return { end: 'done', text: 'Both.', messages: [], usage, refused: [] };
      },
    };
    const signal = new AbortController().signal;
    const hub = { chat } as unknown as Hub; // of which a turn calls nothing else
    const session = { out, terminal, clock: systemClock, signal, env: {}, hub } as unknown as HubSession;
    const questions = new Questions(session, () => undefined);
    const conversation = new Conversation({ verbose: false });
    const end = await takeTurn({ session, conversation, text: 'write both', signal, questions });
    expect(end).toMatchObject({ kind: 'done', text: 'Both.' });
    expect(shown).toContain('Both.');
  },
);
