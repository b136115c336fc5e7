import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import type { Hub, ToolList } from '../../src/hub/hub.ts';
import type { ServerDefinition } from '../../src/servers/definition.ts';
import { stdioFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { local } from './lifecycle-hub.ts';

/** A server whose tools a test writes down, and may write anew while it sleeps or runs. */
export interface ScriptedServer {
  readonly definition: ServerDefinition;
  /** Its command line, for `plug add NAME -- …`. */
  readonly command: readonly string[];
  /** What it offers from its next list on. */
  readonly write: (tools: readonly JsonObject[]) => void;
  /** Asked for its list, it says nothing. */
  readonly fallSilent: () => void;
  /** It cannot start any more. */
  readonly breakDown: () => void;
  /** The names of the tools that were really called, in order. */
  readonly calls: () => readonly string[];
}

export function scriptedServer(
  id: string,
  tools: readonly JsonObject[],
  { announces = false, ...more }: Partial<ServerDefinition> & { readonly announces?: boolean } = {},
): ScriptedServer {
  const folder = temporaryFolder();
  const [file, called] = [join(folder, 'tools.json'), join(folder, 'called')];
  const params = { file, called, announces };
  const write = (next: readonly JsonObject[]): void => writeFileSync(file, JSON.stringify(next));
  write(tools);
  const { command, args } = stdioFixture('scripted', params);
  return {
    definition: local(id, 'scripted', params, more),
    command: [command, ...args],
    write,
    fallSilent: () => writeFileSync(file, 'null'),
    breakDown: () => rmSync(file),
    calls: () => (existsSync(called) ? readFileSync(called, 'utf8').split('\n').slice(0, -1) : []),
  };
}

export function toolNamed(name: string, more: JsonObject = {}): JsonObject & { readonly name: string } {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} }, ...more };
}

/** Adds the servers and learns their tools; they sleep again. */
export async function meet(hub: Hub, ...servers: readonly ScriptedServer[]): Promise<void> {
  for (const { definition } of servers) {
    await hub.servers.add({ definition });
    await hub.servers.stop({ id: definition.id });
  }
}

export async function toolIn(hub: Hub, ref: string): Promise<ToolList['tools'][number]> {
  const { tools } = await hub.tools.list();
  const found = tools.find((tool) => tool.ref === ref);
  if (found) return found;
  throw new Error(`${ref} is not offered, but ${tools.map((tool) => tool.ref).join(', ')}`);
}

export async function offered(hub: Hub): Promise<readonly string[]> {
  return (await hub.tools.list()).tools.map(({ ref }) => ref);
}

/** A call by somebody who cannot be asked: it runs at once, or it fails at once. */
export function unasked(hub: Hub, tool: string): ReturnType<Hub['tools']['call']> {
  return hub.tools.call({ tool, approval: 'refuse' });
}
