import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/base/json.ts';
import type { HostHandlers, HostRequest } from '../../src/connections/host.ts';
import type { CallOptions, CallRequest, Hub } from '../../src/hub/hub.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import type { FixtureParams } from '../servers/start.ts';

/** The server of hosts-server.ts; more words may follow its own. */
export function curious(
  id: string,
  params: FixtureParams = {},
  more: Partial<ServerDefinition> & { readonly args?: readonly string[] } = {},
): ServerDefinition {
  const file = fileURLToPath(new URL('hosts-server.ts', import.meta.url));
  const words = Object.entries(params).map(([key, value]) => `${key}=${value}`);
  const { args = [], ...rest } = more;
  const endpoint = {
    kind: 'stdio',
    command: process.execPath,
    args: [file, ...words, ...args],
    env: {},
  } as const;
  return defineServer({ id, endpoint, ...rest });
}

/** What a tool of that server tells. */
export async function told(
  hub: Hub,
  tool: string,
  request: Omit<CallRequest, 'tool'> = {},
  options: CallOptions = {},
): Promise<unknown> {
  const { result } = await hub.tools.call({ tool, ...request }, options);
  const [first] = result['content'] as { readonly text: string }[]; // the server answers so
  return JSON.parse(first?.text ?? 'null');
}

export interface NamedHost {
  readonly handlers: HostHandlers;
  readonly asked: HostRequest[];
}

/** A host that accepts every form in its name and remembers what it was asked. */
export function hostCalled(name: string, more: HostHandlers = {}): NamedHost {
  const asked: HostRequest[] = [];
  const elicitation = (request: HostRequest): Promise<JsonObject> => {
    asked.push(request);
    return Promise.resolve({ action: 'accept', content: { name } });
  };
  return { handlers: { elicitation, ...more }, asked };
}
