import { appendFileSync, writeSync } from 'node:fs';
import { SdkError } from '@modelcontextprotocol/server';
import { type FixtureTool, numberOf, pause, text, tool, type ToolCall } from './tool.ts';

const string = { type: 'string' };
const number = { type: 'number' };

/** Tools about time, progress, cancellation, crashes and change. */
export const flowTools: readonly FixtureTool[] = [
  tool(
    'slow',
    'Works for a while and reports progress.',
    { properties: { ms: number, steps: number, file: string } },
    async (call) => {
      appendWhenCancelled(call);
      const ms = numberOf(call.args['ms'], 200);
      const steps = Math.max(1, numberOf(call.args['steps'], 4));
      for (let step = 1; step <= steps; step += 1) {
        await pause(ms / steps, call.ctx.mcpReq.signal);
        if (call.ctx.mcpReq.signal.aborted) return text('stopped');
        await progress(call, step, steps);
      }
      return text(`done after ${steps} steps`);
    },
  ),
  tool(
    'hang',
    'Never answers; writes a line to the file when it is cancelled.',
    { properties: { file: string } },
    (call) => {
      appendWhenCancelled(call);
      return new Promise(() => undefined);
    },
  ),
  tool(
    'late',
    'Answers even after it was cancelled.',
    { properties: { ms: number, file: string } },
    async (call) => {
      appendWhenCancelled(call);
      await new Promise((resolve) => setTimeout(resolve, numberOf(call.args['ms'], 200)));
      // The SDK drops the answer of a cancelled call, so this one goes around it.
      if (call.ctx.mcpReq.signal.aborted) {
        const result = { ...text('too late'), resultType: 'complete' };
        await call.server.transport?.send({ jsonrpc: '2.0', id: call.ctx.mcpReq.id, result });
      }
      return text('in time');
    },
  ),
  tool('crash', 'Ends the process in the middle of the call.', {}, () => {
    writeSync(2, 'fatal: the disk is on fire\n  at crash (fixture)\n  giving up\n');
    return process.exit(7);
  }),
  tool(
    'progress-burst',
    'Sends progress and the result in one write.',
    { properties: { count: number } },
    async (call) => {
      const count = numberOf(call.args['count'], 5);
      process.stdout.cork();
      for (let step = 1; step <= count; step += 1) await progress(call, step, count);
      setImmediate(() => process.stdout.uncork());
      return text('burst');
    },
  ),
  tool(
    'log',
    'Writes log messages to the host.',
    { properties: { level: string, count: number } },
    async (call) => {
      const count = numberOf(call.args['count'], 1);
      const level = call.args['level'] === 'error' ? 'error' : 'info';
      for (let line = 1; line <= count; line += 1) {
        await call.ctx.mcpReq.log(level, { line, message: 'a log message' }, 'fixture');
      }
      return text('logged');
    },
  ),
  tool(
    'change',
    'Adds a tool and says that the list has changed.',
    { properties: { add: string }, required: ['add'] },
    ({ args, world }) => {
      const name = String(args['add']);
      world.added.set(
        name,
        tool(name, 'Was added later.', {}, () => text(name)),
      );
      for (const listener of world.listeners) listener.toolsChanged();
      return text(`added ${name}`);
    },
  ),
  tool('touch', 'Changes test://watched.', {}, ({ world }) => {
    world.touched += 1;
    for (const listener of world.listeners) listener.resourceUpdated('test://watched');
    return text(`touched ${world.touched}`);
  }),
];

async function progress(call: ToolCall, done: number, total: number): Promise<void> {
  const token = call.ctx.mcpReq._meta?.progressToken;
  if (token === undefined) return;
  await call.ctx.mcpReq.notify({
    method: 'notifications/progress',
    params: { progressToken: token, progress: done, total, message: `step ${done} of ${total}` },
  });
}

/** A closed connection also ends the call; only the host's word counts as cancelled. That it began stands beside. */
function appendWhenCancelled(call: ToolCall): void {
  const file = call.args['file'];
  if (typeof file !== 'string') return;
  const { signal, id } = call.ctx.mcpReq;
  appendFileSync(`${file}.begun`, `${String(id)}\n`);
  // Only on modern HTTP is a closed stream the way to cancel.
  const streamCancels = call.era === 'modern' && call.ctx.http !== undefined;
  const append = (): void => {
    const word = signal.reason instanceof SdkError && !streamCancels ? 'closed' : 'cancelled';
    appendFileSync(file, `${word} ${String(id)}\n`);
  };
  // On a busy machine the call and its end may be read at once.
  if (signal.aborted) append();
  else signal.addEventListener('abort', append);
}
