import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { descendantsOf, newPlug, type Plug } from './plug-command.ts';

const MB = 1024 * 1024;

/** A server of one tool that keeps as much memory as it is told, and starts as many helpers. */
const SERVER = `
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const [megabytes, helpers] = process.argv.slice(2).map(Number);
globalThis.kept = Buffer.alloc(megabytes * 1024 * 1024, 1);
for (let i = 0; i < helpers; i += 1) spawn('sleep', ['600']);
const answer = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'list_notes', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'two notes' }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = answer[method]?.();
  const error = { code: -32601, message: 'unknown' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
});
`;

interface Cost {
  readonly pid: number;
  readonly processes: number;
  readonly memoryBytes: number;
  readonly warning?: string;
}

/** What `plug list` says that a running server takes. */
async function costOf(plug: Plug, id: string): Promise<Cost> {
  const { servers } = (await plug.json('list')) as { servers: readonly { id: string; process: Cost }[] };
  const server = servers.find((one) => one.id === id);
  if (!server) throw new Error(`There is no ${id}.`);
  return server.process;
}

/** The same by the operating system: this process and all below it. */
function realCost(pid: number): { readonly processes: number; readonly memoryBytes: number } {
  const all = [pid, ...descendantsOf(pid)];
  const kilobytes = all.map((one) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]),
  );
  return { processes: all.length, memoryBytes: kilobytes.reduce((sum, each) => sum + each, 0) * 1024 };
}

verifies(
  ['C16'],
  'plug shows how many processes and how much memory a local server takes, as the system counts them, and warns past 100 MB',
  async () => {
    const plug = newPlug({ NO_COLOR: '1' }, { hub: 'process' });
    const file = join(plug.cwd, 'server.mjs');
    writeFileSync(file, SERVER);
    const add = (id: string, ...words: readonly string[]): Promise<unknown> =>
      plug.json('add', id, '--yes', '--', process.execPath, file, ...words);
    await add('small', '0', '0');
    await add('large', '120', '2');
    for (const id of ['small', 'large']) await plug.json('call', `${id}/list_notes`);

    const [small, large] = [await costOf(plug, 'small'), await costOf(plug, 'large')];
    for (const shown of [small, large]) {
      const real = realCost(shown.pid);
      expect(shown.processes).toBe(real.processes);
      expect(Math.abs(shown.memoryBytes - real.memoryBytes)).toBeLessThan(10 * MB);
    }
    expect([small.processes, large.processes]).toEqual([1, 3]);
    expect(large.memoryBytes).toBeGreaterThan(120 * MB);
    expect([small.warning, large.warning]).toEqual([
      undefined,
      expect.stringMatching(/\b1\d\d MB\b.*\b100 MB\b/),
    ]);

    // A person reads the same, beside the server and in its own status.
    const { stdout: list } = await plug('list');
    expect(list).toMatch(/large .*\b1\d\d(\.\d)? MB in 3\b/);
    const status = (await plug('status', 'large')).stdout;
    expect(status).toMatch(new RegExp(`process +${large.pid}, 3 in all, 1\\d\\d`));
    expect(status.match(/⚠ .*\b100 MB/g)).toHaveLength(1);
    expect(status.match(/100 MB/g)).toHaveLength(1);
    expect((await plug('status', 'small')).stdout).not.toContain('⚠');

    // A server that sleeps takes nothing, and says so by saying nothing.
    await plug.json('stop', 'large');
    expect(await costOf(plug, 'large')).toBeUndefined();
  },
  60_000,
);
