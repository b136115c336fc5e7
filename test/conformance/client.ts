import { tmpdir } from 'node:os';
import type { JsonObject } from '../../src/base/json.ts';
import { PlugError } from '../../src/base/errors.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { openHub } from '../../src/hub/open-hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { startDiscoverShim } from './discover-shim.ts';
import { machineConfig, type MachineContext } from './machine-settings.ts';
import { yesToAll } from '../yes-to-all.ts';

/**
 * The program that the official suite drives: our hub, in-process, against the suite's server.
 * Usage: node test/conformance/client.ts URL, with the scenario in MCP_CONFORMANCE_SCENARIO.
 */
const NEEDS_SHIM = new Set([
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers',
  'sep-2322-client-request-state',
]);

/** The calls that a scenario expects beyond the list; others are driven by its context. */
const CALLS: Readonly<Record<string, (hub: Hub) => Promise<void>>> = {
  tools_call: (hub) => call(hub, 'add_numbers', { a: 5, b: 3 }),
  'elicitation-sep1034-client-defaults': (hub) => call(hub, 'test_client_elicitation_defaults', {}),
  'sse-retry': (hub) => call(hub, 'test_reconnection', {}),
  'http-standard-headers': useEverything,
  'http-invalid-tool-headers': (hub) => callAll(hub, { region: 'us-west1' }),
  'sep-2322-client-request-state': (hub) => callAll(hub, {}),
  'json-schema-2020-12-preservation': echoSchema,
};

/** The product itself must say no before this: a person would not sign in so often. */
const SIGN_INS_MAX = 10;

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as MachineContext & {
  toolCalls?: { name: string; arguments: JsonObject }[]; // as the suite documents it
};

const shim = NEEDS_SHIM.has(scenario) ? await startDiscoverShim(url) : undefined;
const folder = tmpdir();
const accept = { action: 'accept', content: scenario.startsWith('sep-2322') ? { confirmed: true } : {} };
const hub = await openHub({
  paths: { config: `${folder}/no-config`, data: folder, state: folder },
  cwd: `${folder}/no-project`,
  env: {
    PLUG_NO_KEYRING: '1',
    PLUG_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    PLUG_CLIENT_METADATA_URL: 'https://conformance-test.local/client-metadata.json',
  },
  version: '0.1.0',
  storage: { kind: 'memory' },
  approve: yesToAll,
  handlers: {
    elicitation: () => Promise.resolve(accept),
    sampling: () =>
      Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'none' }),
    roots: () => Promise.resolve({ roots: [] }),
  },
});
try {
  const endpoint = { kind: 'http', url: shim?.url ?? url, headers: {} } as const;
  const config = await machineConfig(hub, scenario, url, context);
  await hub.servers.add({ definition: defineServer({ id: 'suite', endpoint, config }), test: false });
  await withSignIn(async () => {
    await hub.servers.start({ id: 'suite' });
    for (const each of context.toolCalls ?? []) await call(hub, each.name, each.arguments);
    await CALLS[scenario]?.(hub);
    if (scenario.startsWith('auth/')) await callAll(hub, {});
  });
} finally {
  await hub.close();
  shim?.close();
}

/** As a host would: whenever a server wants a sign-in, the person signs in and goes on. */
async function withSignIn(work: () => Promise<void>): Promise<void> {
  for (let signIns = 0; ; signIns += 1) {
    try {
      return await work();
    } catch (error) {
      const wanted = error instanceof PlugError && error.code === 'sign_in_needed';
      if (!wanted || !scenario.startsWith('auth/') || signIns >= SIGN_INS_MAX) throw error;
    }
    const { client_id: clientId, client_secret: clientSecret } = context;
    await hub.accounts.signIn(
      { server: 'suite', ...(clientId ? { clientId } : {}), ...(clientSecret ? { clientSecret } : {}) },
      // The suite's sign-in page redirects at once, as a person who agrees would make it do.
      {
        onProgress: ({ address }) => void fetch(address).catch((problem: unknown) => console.error(problem)),
      },
    );
  }
}

async function call(target: Hub, name: string, args: JsonObject): Promise<void> {
  await target.tools.call({ tool: `suite/${name}`, args });
}

/** Calls every tool that survived the listing; a tool's own failure is not ours. */
async function callAll(target: Hub, args: JsonObject): Promise<void> {
  for (const { ref } of (await target.tools.list()).tools) {
    await target.tools.call({ tool: ref, args }).catch((error: unknown) => {
      if (error instanceof PlugError && error.code === 'sign_in_needed') throw error;
      console.error(ref, String(error));
    });
  }
}

async function useEverything(target: Hub): Promise<void> {
  await callAll(target, {});
  for (const { definition } of (await target.resources.list()).resources) {
    await target.resources.read({ server: 'suite', uri: text(definition['uri']) });
  }
  for (const { definition } of (await target.prompts.list()).prompts) {
    await target.prompts.get({ server: 'suite', name: text(definition['name']) });
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Hands the listed schema back as it was seen, so that the suite can compare. */
async function echoSchema(target: Hub): Promise<void> {
  const { tools } = await target.tools.list();
  const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.definition['inputSchema'];
  await call(target, 'json_schema_echo', { schema: schema ?? null });
}
