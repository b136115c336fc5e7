import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { bin, newPlug, type Plug, type PlugOptions } from '../scenarios/plug-command.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const server = fileURLToPath(new URL('marker-server.ts', import.meta.url));

/** A hub as it is shipped, with a server whose tools leave a mark. */
export interface MarkedWorld {
  readonly plug: Plug;
  /** The tools that ran. */
  readonly ran: () => readonly string[];
  /** Calls a tool as a host on stdio, which is told the link under which a person answers. */
  readonly call: (tool: string) => Promise<WaitingCall>;
}

export interface WaitingCall {
  readonly link: string;
  /** The text of the tool's result, once the call has ended. */
  readonly ended: Promise<string>;
}

export async function markedWorld(
  env: Readonly<Record<string, string>> = {},
  options: PlugOptions = {},
): Promise<MarkedWorld> {
  const file = join(temporaryFolder(), 'ran');
  const plug = newPlug({ PLUG_NO_KEYRING: '1', ...env }, { rules: 'shipped', ...options });
  const added = await plug('add', 'notes', '--yes', '--', process.execPath, server, file);
  expect([added.code, added.stderr]).toEqual([0, expect.anything()]);
  return {
    plug,
    ran: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
    call: (tool) => callWith(plug, `notes__${tool}`),
  };
}

/** A host on stdio, which runs as the user; one with a token is told no link. */
async function callWith(plug: Plug, name: string): Promise<WaitingCall> {
  const bridge = spawn(process.execPath, [bin, 'gateway', '--mode', 'all'], {
    cwd: plug.cwd,
    env: { PATH: process.env['PATH'], HOME: plug.home, PLUG_HOME: `${plug.home}/plug`, PLUG_NO_KEYRING: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    bridge.stdin.end();
    if (bridge.exitCode === null && bridge.signalCode === null) await once(bridge, 'exit');
  });
  const send = (message: object): unknown =>
    bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'host', version: '1' };
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  send({ method: 'notifications/initialized' });
  send({
    id: 2,
    method: 'tools/call',
    params: { name, arguments: {}, _meta: { progressToken: 'p' } },
  });
  let text = '';
  const link = Promise.withResolvers<string>();
  const read = async (): Promise<string> => {
    for await (const line of createInterface({ input: bridge.stdout })) {
      text += `${line}\n`;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/approve\/[\w?=-]+/.exec(line) ?? [];
      if (found !== undefined) link.resolve(found);
      if (line.includes('"id":2')) break;
    }
    link.reject(new Error(`No link came: ${text}`));
    return text;
  };
  const ended = read();
  ended.catch(() => undefined); // who waits for it hears it
  return { link: await link.promise, ended };
}
