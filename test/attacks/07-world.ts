import { expect, onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { LineClient, modernParams, type Reply } from '../servers/line-client.ts';
import { waitFor } from '../servers/start.ts';
import { browse } from '../sign-in/browser.ts';
import {
  startAuthorizationServer,
  startProtectedServer,
  type AuthorizationFixture,
  type ProgramParams,
} from '../sign-in/start.ts';
import { bin, newPlug, type Plug } from '../scenarios/plug-command.ts';
import { startTyping } from '../scenarios/typed-plug.ts';
import { patience } from '../suite/patience.ts';

const WAIT_MS = patience(30_000);
const ADDRESS = /^ {2}(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)$/m;

export interface AccountsWorld {
  readonly plug: Plug;
  /** Signs this person in under that name of an account. */
  readonly signIn: (person: string, account: string) => Promise<void>;
  /** On whose behalf tools were called, as the server saw it: oldest first. */
  readonly callers: () => Promise<readonly string[]>;
  /** The id of the one question that waits. */
  readonly waiting: () => Promise<{ readonly id: string; readonly account?: string }>;
  /** The newest record of the audit. */
  readonly lastRecord: () => Promise<JsonObject>;
}

/** A real hub, and a server at which alice is `home`, the default account, and bob is `work`. */
export async function accountsWorld(params: ProgramParams = {}): Promise<AccountsWorld> {
  const authorization = await startAuthorizationServer();
  onTestFinished(() => authorization[Symbol.asyncDispose]());
  const site = await startProtectedServer({ issuer: authorization.origin, ...params });
  onTestFinished(() => site[Symbol.asyncDispose]());
  const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { rules: 'shipped' });
  expect((await plug('add', 'site', site.url, '--yes', '--no-test')).code).toBe(0);
  const signIn = signInAt(plug, authorization);
  await signIn('alice', 'home');
  await signIn('bob', 'work');
  return {
    plug,
    signIn,
    callers: async () =>
      (await site.seen()).filter(({ method }) => method === 'tools/call').map(({ subject }) => subject),
    waiting: async () => {
      let found: readonly { id: string; account?: string }[] = [];
      for (const began = Date.now(); found.length === 0 && Date.now() - began < WAIT_MS;) {
        // The document of `plug approvals` is this.
        const { approvals } = (await plug.json('approvals')) as { approvals: typeof found };
        found = approvals;
      }
      expect(found).toHaveLength(1);
      return found[0] as { id: string; account?: string }; // there is one
    },
    lastRecord: async () => {
      const { records } = (await plug.json('audit')) as { records: readonly JsonObject[] };
      return records[0] ?? {};
    },
  };
}

function signInAt(plug: Plug, authorization: AuthorizationFixture): AccountsWorld['signIn'] {
  return async (person, account) => {
    await authorization.post(`/_person?name=${person}`);
    const typing = startTyping(plug, ['auth', 'site', '--account', account]);
    await browse(await typing.says(ADDRESS));
    const { code, stdout, stderr } = await typing.answer;
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain(`@${person}`);
  };
}

export interface StdioHost {
  /** Begins a call of a tool; the answer comes later. */
  readonly call: (name: string, args: JsonObject) => { readonly answer: () => Promise<Reply> };
  readonly request: (method: string, params: JsonObject) => Promise<Reply>;
  readonly client: LineClient;
}

/** A host on `plug gateway`, of either era. */
export async function stdioHost(
  plug: Plug,
  era: 'legacy' | 'modern',
  { capabilities = {}, mode = 'all' }: { readonly capabilities?: JsonObject; readonly mode?: string } = {},
): Promise<StdioHost> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: plug.home, PLUG_HOME: `${plug.home}/plug` };
  const client = new LineClient(
    { command: process.execPath, args: [bin, 'gateway', '--mode', mode] },
    { cwd: plug.cwd, env },
  );
  onTestFinished(() => client[Symbol.asyncDispose]());
  const dressed = (params: JsonObject): JsonObject =>
    era === 'modern' ? (modernParams(params, capabilities, { progressToken: 'p' }) as JsonObject) : params;
  const answerTo = async (id: number): Promise<Reply> => {
    const found = (): Reply | undefined =>
      client.messages.find((message) => message.id === id && message.method === undefined);
    await waitFor(() => found() !== undefined, WAIT_MS);
    return found() as Reply; // waited for
  };
  const request = (method: string, params: JsonObject): Promise<Reply> =>
    answerTo(client.send(method, dressed(params)));
  if (era === 'legacy') {
    const clientInfo = { name: 'line-client', version: '1' };
    await request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    client.notify('notifications/initialized');
  }
  await request('tools/list', {});
  return {
    client,
    request,
    call: (name, args) => {
      const params = { name, arguments: args };
      const meta = era === 'legacy' ? { ...params, _meta: { progressToken: 'p' } } : params;
      const id = client.send('tools/call', dressed(meta));
      return { answer: () => answerTo(id) };
    },
  };
}
