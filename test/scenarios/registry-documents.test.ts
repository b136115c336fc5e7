import { expect } from 'vitest';
import type { Hub, OfferedPlan } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { openWorld } from './policy-world.ts';
import { listen, officialApi, registriesAt } from './registry-listener.ts';

const LONG_MS = 60_000;
const KEY = 'canary-7f3a9b2c5d8e1f40';

const FILES = {
  name: 'io.github.acme/files',
  description: 'Files of Acme',
  version: '1.2.0',
  packages: [
    {
      registryType: 'pypi',
      identifier: 'acme-files',
      version: '1.2.0',
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'named', name: '--root', isRequired: true, format: 'filepath' }],
      environmentVariables: [{ name: 'ACME_TOKEN', isRequired: true, isSecret: true }],
    },
  ],
};
const SITE = {
  name: 'io.github.acme/site',
  description: 'The site of Acme',
  version: '2.0.0',
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{tenant}.acme.test/mcp',
      headers: [{ name: 'X-Acme-Key', isRequired: true, isSecret: true }],
      variables: { tenant: { isRequired: true } },
    },
  ],
};
const NOTES = {
  qualifiedName: '@acme/notes',
  displayName: 'Notes',
  connections: [
    {
      type: 'http',
      deploymentUrl: 'https://notes.acme.test',
      configSchema: {
        type: 'object',
        required: ['apiKey'],
        properties: { apiKey: { type: 'string' }, region: { type: 'string' } },
      },
    },
  ],
};

async function openRegistries(): Promise<{ readonly hub: Hub; readonly asked: readonly string[] }> {
  const official = await listen(officialApi([FILES, SITE]));
  const smithery = await listen((url) => (url.pathname === '/servers/%40acme/notes' ? NOTES : undefined));
  const registries = registriesAt({ official: official.url, smithery: smithery.url });
  const env = { PATH: '/nowhere', PLUG_NO_KEYRING: '1', ...registries };
  const { connect } = await openWorld([], { env });
  return { hub: connect('terminal'), asked: smithery.asked };
}

async function planned(hub: Hub, text: string, offline = false): Promise<OfferedPlan> {
  const offer = await hub.plans.make({ text, offline });
  return offer.plans[0] ?? expect.fail(JSON.stringify(offer));
}

/** What is saved of it, without where it came from. */
async function saved(hub: Hub, plan: OfferedPlan, values: Readonly<Record<string, string>>): Promise<object> {
  const { server } = await hub.plans.install({ plan: plan.plan, values, test: false, replace: true });
  const { source: _source, ...definition } = await hub.servers.definition({ id: server.id });
  return definition;
}

verifies(
  ['S19', 'S14'],
  'a registry’s document means the same by its name in the registry, pasted bare, wrapped, and in a list',
  async () => {
    const { hub } = await openRegistries();
    const values = { '--root': '/srv/files', ACME_TOKEN: KEY, tenant: 'north', 'X-Acme-Key': KEY };
    for (const document of [FILES, SITE]) {
      const ways = [
        document.name,
        JSON.stringify(document),
        JSON.stringify({ server: document, _meta: {} }, undefined, 2),
        JSON.stringify({ servers: [{ server: document }], metadata: { count: 1 } }),
      ];
      const plans = await Promise.all(ways.map((text) => planned(hub, text, text !== document.name)));
      const [named, ...pasted] = plans;
      if (!named) throw new Error('no plan');
      expect(named.needs).toHaveLength(2);
      const given = Object.fromEntries(
        named.view.form.map(({ id, label }) => [id, values[label as keyof typeof values]]),
      );
      const definition = await saved(hub, named, given);
      for (const plan of pasted) {
        expect([plan.server, plan.needs, plan.view.form]).toEqual([
          named.server,
          named.needs,
          named.view.form,
        ]);
        expect(await saved(hub, plan, given)).toEqual(definition);
      }
    }
  },
  LONG_MS,
);

verifies(
  ['S19', 'S8', 'V2'],
  'Smithery’s --config answers what its entry asks for; its keys go into the vault, samples are still asked for',
  async () => {
    const { hub, asked } = await openRegistries();
    const install = (config: object): string =>
      `npx -y @smithery/cli@latest install @acme/notes --client claude --config '${JSON.stringify(config)}'`;
    const sample = await planned(hub, install({ apiKey: 'YOUR_API_KEY' }));
    expect(sample.needs).toEqual(['config:apiKey']);
    const plan = await planned(hub, install({ apiKey: KEY, region: 'eu' }));
    expect(plan.needs).toEqual([]);
    expect(JSON.stringify(plan)).not.toContain(KEY);
    const definition = await saved(hub, plan, {});
    expect(JSON.stringify(definition)).not.toContain(KEY);
    expect(JSON.stringify(definition)).toContain('region=eu');
    expect(await hub.secrets.list()).toHaveLength(1);
    const pasted = await planned(hub, JSON.stringify(NOTES), true);
    expect(pasted.view.form).toEqual((await planned(hub, 'smithery:@acme/notes')).view.form);
    // Offline asks nobody, even where the entry isn't known.
    const before = asked.length;
    const offer = await hub.plans.make({ text: 'npx -y @smithery/cli install @acme/other', offline: true });
    expect([offer.plans, offer.declined[0]?.code, asked.length]).toEqual([[], 'unreachable', before]);
  },
  LONG_MS,
);

verifies(
  ['S19', 'S8', 'V2'],
  'what Smithery’s program runs is named after the server, and keys in its --config go into the vault',
  async () => {
    const { hub } = await openRegistries();
    const config = JSON.stringify({ apiKey: KEY, region: 'eu' });
    for (const text of [config, JSON.stringify(config)]) {
      const args = ['-y', '@smithery/cli@latest', 'run', '@acme/notes', '--config', text];
      const plan = await planned(hub, JSON.stringify({ command: 'npx', args }), true);
      expect([plan.server, plan.needs]).toEqual(['notes', []]);
      const definition = JSON.stringify(await saved(hub, plan, {}));
      expect(definition).not.toContain(KEY);
      expect(definition).toContain('${vault:notes/apiKey}');
      expect(await hub.secrets.list()).toEqual(['notes/apiKey']);
    }
    const yaml = [
      'startCommand:',
      '  type: stdio',
      '  commandFunction: |-',
      "    (config) => ({ command: 'node', args: ['dist/index.js'], env: { API_KEY: config.apiKey } })",
    ];
    const offer = await planned(hub, yaml.join('\n'), true);
    expect(offer.needs).toEqual(['var:API_KEY']);
  },
  LONG_MS,
);
