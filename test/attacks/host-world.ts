import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { knock, type Answer, type Knock } from '../contracts/knock.ts';
import { played, type Played, type PlayedTool } from '../scenarios/calls-played.ts';
import {
  openWireHost,
  type Era,
  type WireHost,
  type WireHostOptions,
} from '../scenarios/gateway-wire-host.ts';
import type { WireKind, WireTarget } from '../scenarios/gateway-wire.ts';
import { newPlug, type Plug, type PlugOptions } from '../scenarios/plug-command.ts';

/** A real hub with real servers whose calls are counted, and hosts that come to it with tokens. */
export interface HostWorld {
  readonly plug: Plug;
  readonly url: string;
  /** Of the API, which no host is given. */
  readonly hubToken: string;
  /** Adds a host; answers its token. */
  token(name: string, ...flags: readonly string[]): Promise<string>;
  host(token: string, era: Era, kind: WireKind, options?: WireHostOptions): Promise<WireHost>;
  knock(given: Knock): Promise<Answer>;
  /** Adds a server with these tools. */
  serve(id: string, ...tools: readonly PlayedTool[]): Promise<Played>;
}

export async function hostWorld(options: PlugOptions = {}): Promise<HostWorld> {
  const plug = newPlug({}, { rules: 'shipped', ...options });
  const { url } = (await plug.json('hub', 'start')) as { url: string }; // as documented
  const hosts: WireHost[] = [];
  onTestFinished(async () => {
    for (const { wire } of hosts) await wire.kill();
  });
  return {
    plug,
    url,
    hubToken: readFileSync(`${plug.home}/plug/hub.token`, 'utf8').trim(),
    token: async (name, ...flags) => String((await plug.json('host', 'add', name, ...flags))['token']),
    host: async (token, era, kind, given) => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: plug.home, PLUG_HOME: `${plug.home}/plug` };
      const target: WireTarget = { url, bearer: `Bearer ${token}`, cwd: plug.cwd, env };
      const host = await openWireHost(target, era, kind, given);
      hosts.push(host);
      return host;
    },
    knock: (given) => knock({ url }, { ...given, headers: { host: new URL(url).host, ...given.headers } }),
    serve: async (id, ...tools) => {
      const server = played(id, ...tools);
      const added = await plug('add', id, '--yes', '--', ...server.command);
      expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: '' });
      return server;
    },
  };
}

/** What waits for a person, as the person sees it. */
export async function waitingFor(plug: Plug): Promise<readonly { id: string; argsHash: string }[]> {
  const { approvals } = await plug.json('approvals');
  return approvals as { id: string; argsHash: string }[]; // as documented
}
