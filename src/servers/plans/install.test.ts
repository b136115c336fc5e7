import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { getFeatured, listFeatured } from '../featured.ts';
import { readDocument } from '../registry/document.ts';
import type { RegistryEntry } from '../registry/entry.ts';
import { readSmithery } from '../registry/smithery.ts';
import { planFeatured } from './featured-plan.ts';
import { fillPlan } from './fill.ts';
import { planOf } from '../../../test/plan-of.ts';
import { planInstalls } from './install.ts';
import { renderPlan } from './render.ts';
import type { FieldValue } from './values.ts';

function entryOf(server: Record<string, unknown>, meta?: object): RegistryEntry {
  const read = readDocument(
    { server: { name: 'io.github.acme/tool', version: '1.0.0', ...server }, _meta: meta },
    'official',
  );
  if (read.kind === 'bad') throw new Error(read.reason);
  return read.entry;
}

function packaged(registryType: string, identifier: string, more: object = {}): RegistryEntry {
  return entryOf({
    packages: [{ registryType, identifier, version: '1.2.3', transport: { type: 'stdio' }, ...more }],
  });
}

function commandOf(entry: RegistryEntry, values: Record<string, FieldValue> = {}): readonly string[] {
  const { endpoint } = fillPlan(planOf(entry), values).definition;
  if (endpoint.kind !== 'stdio') throw new Error('It is not local.');
  return [endpoint.command, ...endpoint.args];
}

const SHA = 'a'.repeat(64);

verifies(['S14'], 'each kind of package becomes its runner with the exact version', () => {
  expect(commandOf(packaged('npm', '@acme/tool'))).toEqual(['npx', '-y', '@acme/tool@1.2.3']);
  expect(commandOf(packaged('pypi', 'acme-tool'))).toEqual(['uvx', 'acme-tool==1.2.3']);
  expect(commandOf(packaged('oci', 'docker.io/acme/tool:1.2.3'))).toEqual([
    'docker',
    'run',
    '-i',
    '--rm',
    'docker.io/acme/tool:1.2.3',
  ]);
  expect(
    commandOf(packaged('nuget', 'Acme.Tool', { packageArguments: [{ type: 'positional', value: 'mcp' }] })),
  ).toEqual(['dnx', 'Acme.Tool@1.2.3', '--yes', '--', 'mcp']);
  const bundle = planOf(packaged('mcpb', 'https://acme.example/tool.mcpb', { fileSha256: SHA }));
  expect(bundle.steps).toEqual([{ kind: 'download', url: 'https://acme.example/tool.mcpb', sha256: SHA }]);
  expect(bundle.package).toMatchObject({
    pinned: 'content',
    integrity: expect.stringMatching(/^sha256-/) as string,
  });
  const remote = entryOf({ remotes: [{ type: 'streamable-http', url: 'https://mcp.acme.example/mcp' }] });
  expect(fillPlan(planOf(remote), {}).definition).toMatchObject({
    id: 'tool',
    endpoint: { kind: 'http', url: 'https://mcp.acme.example/mcp', headers: {} },
    source: { kind: 'official', name: 'io.github.acme/tool', version: '1.0.0' },
  });
});

verifies(['S14'], 'what cannot be installed safely is refused with its reason', () => {
  const why = (entry: RegistryEntry): string =>
    planInstalls(entry)
      .refused.map((each) => each.why)
      .join();
  expect(why(packaged('mcpb', 'https://acme.example/t.mcpb'))).toMatch(/no sha256/);
  expect(why(packaged('mcpb', 'http://acme.example/t.mcpb', { fileSha256: SHA }))).toMatch(/https only/);
  expect(why(packaged('cargo', 'tool'))).toMatch(/cannot be installed/);
  expect(why(packaged('npm', '--call=evil'))).toMatch(/no name of a package/);
  expect(why(packaged('npm', 'https://evil.example/x.tgz'))).toMatch(/no name of a package/);
  expect(why(packaged('npm', 'tool', { version: '^1.0.0' }))).toMatch(/no exact version/);
  expect(why(packaged('oci', 'acme/tool:${VERSION}'))).toMatch(/no tag/);
  expect(why(packaged('oci', '-v/:/host'))).toMatch(/no name of an image/);
  const option = { runtimeArguments: [{ type: 'named', name: '--package', value: 'evil' }] };
  expect(why(packaged('npm', 'tool', option))).toMatch(/would run something else than tool/);
  const from = { runtimeArguments: [{ type: 'named', name: '--from', value: 'evil' }] };
  expect(why(packaged('pypi', 'tool', from))).toMatch(/would run something else/);
  expect(why(packaged('oci', 'acme/tool:1', { runtimeArguments: [{ type: 'named', name: '-d' }] }))).toMatch(
    /detached/,
  );
  expect(() => planOf(entryOf({}))).toThrow(/lists no package and no address/);
  expect(() => planOf(packaged('cargo', 'tool'))).toThrow(/cannot be installed by us/);
});

verifies(['S14'], 'runtime arguments never put another package before ours', () => {
  const positional = (value: string): object => ({ type: 'positional', value });
  const npx = {
    runtimeArguments: [positional('-y'), positional('tool@9.9.9'), positional('evil'), positional('serve')],
  };
  expect(commandOf(packaged('npm', 'tool', npx))).toEqual(['npx', '-y', 'tool@1.2.3', 'evil', 'serve']);
  const from = {
    runtimeArguments: [{ type: 'named', name: '--from', value: 'tool' }, positional('tool-server')],
  };
  expect(commandOf(packaged('pypi', 'tool', from))).toEqual(['uvx', '--from', 'tool==1.2.3', 'tool-server']);
});

verifies(
  ['S14'],
  'a whole docker command in the document is written once, values pass through the environment',
  () => {
    const entry = packaged('oci', 'ghcr.io/acme/tool:2.0', {
      runtimeArguments: [
        { type: 'positional', value: 'run' },
        { type: 'named', name: '-i', description: 'interactive' },
        { type: 'named', name: '--rm' },
        { type: 'named', name: '-e' },
        { type: 'positional', value: 'API_KEY' },
        { type: 'named', name: '-e', value: 'REGION={region}', variables: { region: { isRequired: true } } },
        {
          type: 'named',
          name: '-v',
          value: '{folder}:/data',
          variables: { folder: { format: 'filepath', isRequired: true } },
        },
        { type: 'positional', value: 'ghcr.io/acme/tool' },
        { type: 'positional', value: 'serve' },
      ],
      environmentVariables: [
        { name: 'API_KEY', isSecret: true, isRequired: true },
        { name: 'DEBUG', format: 'boolean' },
      ],
    });
    const values = { 'env:API_KEY': 'k-123', 'var:region': 'eu', 'var:folder': '/tmp/data' };
    const { definition, secrets } = fillPlan(planOf(entry), values);
    expect(definition.endpoint).toEqual({
      kind: 'stdio',
      command: 'docker',
      args: [
        'run',
        '-i',
        '--rm',
        '-e',
        'API_KEY',
        '-e',
        'REGION',
        '-v',
        '/tmp/data:/data',
        'ghcr.io/acme/tool:2.0',
        'serve',
      ],
      env: { API_KEY: '${vault:tool/API_KEY}', REGION: 'eu' },
    });
    expect(secrets.map(({ name, value }) => [name, value.reveal()])).toEqual([['tool/API_KEY', 'k-123']]);
  },
);

const ARGUED = packaged('npm', 'tool', {
  packageArguments: [
    { type: 'positional', value: 'start' },
    { type: 'named', name: '--port', format: 'number', default: '8080', isRequired: true },
    { type: 'named', name: 'level', choices: ['low', 'high'] },
    { type: 'named', name: '--read-only', format: 'boolean' },
    { type: 'named', name: '--allow', valueHint: 'folder', format: 'filepath', isRepeated: true },
    { type: 'named', name: '--api-key', isSecret: true },
    { type: 'positional', valueHint: 'config', format: 'filepath' },
  ],
});

verifies(['S14'], 'the form asks for each kind of value, and what is left out stays out', () => {
  const plan = planOf(ARGUED);
  expect(plan.form.map(({ id, kind, required }) => [id, kind, required])).toEqual([
    ['arg:--port', 'number', true],
    ['arg:--level', 'choice', false],
    ['arg:--read-only', 'boolean', false],
    ['arg:--allow', 'files', false],
    ['arg:--api-key', 'secret', false],
    ['arg:config', 'file', false],
  ]);
  expect(commandOf(ARGUED)).toEqual(['npx', '-y', 'tool@1.2.3', 'start', '--port=8080']);
  const all = {
    'arg:--port': 9,
    'arg:--level': 'high',
    'arg:--read-only': true,
    'arg:--allow': ['/a', '/b'],
    'arg:--api-key': 'k',
    'arg:config': '/c.json',
  };
  expect(commandOf(ARGUED, all).slice(3)).toEqual([
    'start',
    '--port=9',
    '--level=high',
    '--read-only',
    '--allow=/a',
    '--allow=/b',
    '--api-key=${vault:tool/api-key}',
    '/c.json',
  ]);
  expect(commandOf(ARGUED, { 'arg:--read-only': false })).not.toContain('--read-only');
  expect(plan.warnings.map(({ kind }) => kind)).toEqual(['secret-in-arguments']);
});

verifies(['S14'], 'a missing or wrong value is named before anything runs', () => {
  const entry = packaged('npm', 'tool', {
    environmentVariables: [
      { name: 'API_KEY', isSecret: true, isRequired: true, description: 'From your account page' },
    ],
  });
  const plan = planOf(entry);
  const fill = (values: Record<string, FieldValue>) => () => fillPlan(plan, values);
  expect(fill({})).toThrow(
    expect.objectContaining({ code: 'missing_input', next: 'From your account page' }),
  );
  expect(fill({ 'env:API_KEY': '' })).toThrow(/still needs API key/);
  expect(fill({ 'env:OTHER': 'x' })).toThrow(expect.objectContaining({ code: 'usage' }));
  expect(fill({ 'env:API_KEY': 'a\0b' })).toThrow(/NUL/);
  const argued = (values: Record<string, FieldValue>) => () => fillPlan(planOf(ARGUED), values);
  expect(argued({ 'arg:--port': 'many' })).toThrow(/a number/);
  expect(argued({ 'arg:--level': 'middle' })).toThrow(/none of low, high/);
  expect(argued({ 'arg:config': '{env:HOME}' })).toThrow(/variable of this machine/);
});

verifies(['S14'], 'what a user or a document writes is never taken for a placeholder', () => {
  const entry = packaged('npm', 'tool', {
    packageArguments: [{ type: 'positional', valueHint: 'query' }],
    environmentVariables: [{ name: 'PRICE', value: 'a $ b' }],
  });
  const { endpoint } = fillPlan(planOf(entry), { 'arg:query': '${HOME} costs $5' }).definition;
  expect(endpoint).toMatchObject({
    args: ['-y', 'tool@1.2.3', '$${HOME} costs $5'],
    env: { PRICE: 'a $ b' },
  });
  const sly = packaged('npm', 'tool', {
    environmentVariables: [{ name: 'X', value: '{env:AWS_SECRET_ACCESS_KEY}' }],
  });
  expect(planInstalls(sly).refused[0]?.why).toMatch(/variable of this machine/);
});

verifies(['S14'], 'headers, variables of an address and secrets end up where they belong', () => {
  const entry = entryOf({
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{tenant}.acme.example/mcp/{key}?mode=full',
        variables: {
          tenant: { description: 'Your tenant', isRequired: true },
          key: { isSecret: true, isRequired: true },
        },
        headers: [
          { name: 'Authorization', isSecret: true, description: 'Bearer token' },
          { name: 'X-Project', value: 'p-{project}' },
          { name: 'X-Optional' },
        ],
      },
    ],
  });
  const values = { 'var:tenant': 'a&b', 'var:key': 's/1', 'header:Authorization': 'tok', 'var:project': '7' };
  const { definition, secrets } = fillPlan(planOf(entry), values, { id: 'acme' });
  expect(definition.endpoint).toEqual({
    kind: 'http',
    url: 'https://a%26b.acme.example/mcp/${vault:acme/key.url}?mode=full',
    headers: { Authorization: 'Bearer ${vault:acme/Authorization}', 'X-Project': 'p-7' },
  });
  expect(secrets.map(({ name, value }) => [name, value.reveal()])).toEqual([
    ['acme/key.url', 's%2F1'],
    ['acme/Authorization', 'tok'],
  ]);
  expect(JSON.stringify(definition)).not.toContain('tok"');
  expect(() => fillPlan(planOf(entry), { ...values, 'header:Authorization': 'a\nb' })).toThrow(/one line/);
});

verifies(
  ['S14'],
  "Smithery's schema becomes a form, and its values reach the server as it wants them",
  () => {
    const read = readSmithery(
      {
        qualifiedName: '@acme/maps',
        displayName: 'Maps',
        deploymentUrl: 'https://maps.example',
        connections: [
          {
            type: 'http',
            configSchema: {
              type: 'object',
              required: ['apiKey', 'limits'],
              properties: {
                apiKey: {
                  type: 'string',
                  description: 'Key',
                  default: 'YOUR_KEY',
                  'x-from': { header: 'x-api-key' },
                },
                units: { type: 'string', enum: ['km', 'mi'], default: 'km' },
                debug: { type: 'boolean' },
                limits: { type: 'object', required: ['rows'], properties: { rows: { type: 'integer' } } },
              },
            },
          },
        ],
      },
      'smithery',
    );
    if (read.kind === 'bad') throw new Error(read.reason);
    const plan = planOf(read.entry);
    expect(plan.form).toMatchObject([
      { id: 'config:apiKey', kind: 'secret', required: true, placeholder: 'YOUR_KEY' },
      { id: 'config:units', kind: 'choice', required: false, default: 'km', choices: ['km', 'mi'] },
      { id: 'config:debug', kind: 'boolean' },
      { id: 'config:limits.rows', kind: 'number', required: true },
    ]);
    expect(plan.form[0]).not.toHaveProperty('default');
    const { endpoint } = fillPlan(plan, { 'config:apiKey': 'k', 'config:limits.rows': 5 }).definition;
    expect(endpoint).toEqual({
      kind: 'http',
      url: 'https://maps.example/mcp?limits.rows=5',
      headers: { 'x-api-key': '${vault:maps/apiKey}' },
    });
  },
);

verifies(
  ['S14'],
  'a server that must be started by hand is planned as its address, with the command to type',
  () => {
    const entry = packaged('npm', 'tool', {
      transport: { type: 'streamable-http', url: 'http://127.0.0.1:{port}/mcp' },
      packageArguments: [
        { type: 'named', name: '--port', format: 'number', isRequired: true, default: '8089' },
      ],
      environmentVariables: [{ name: 'TOKEN', isSecret: true, isRequired: true }],
    });
    const plan = planOf(entry);
    expect(fillPlan(plan, {}).definition.endpoint).toMatchObject({ url: 'http://127.0.0.1:8089/mcp' });
    expect(renderPlan(plan).steps).toEqual(["Start it yourself: npx -y tool@1.2.3 '--port=‹--port›'"]);
    expect(plan.warnings.map(({ kind }) => kind)).toContain('start-yourself');
  },
);

verifies(['S14'], 'all ways to install are offered, the remote one first', () => {
  const entry = entryOf({
    packages: [
      { registryType: 'oci', identifier: 'acme/tool:1' },
      { registryType: 'npm', identifier: 'tool', version: '1.0.0' },
    ],
    remotes: [
      { type: 'sse', url: 'https://mcp.acme.example/sse' },
      { type: 'streamable-http', url: 'https://mcp.acme.example/mcp' },
    ],
  });
  const ways = planInstalls(entry).plans.map(
    (plan) => plan.package?.registry ?? (plan.target.kind === 'remote' ? plan.target.transport : ''),
  );
  expect(ways).toEqual(['http', 'sse', 'npm', 'oci']);
});

verifies(
  ['S14', 'attack:C12'],
  'deprecated, moving and look-alike packages carry a warning, a known one does not',
  () => {
    const kinds = (entry: RegistryEntry): readonly string[] => planOf(entry).warnings.map(({ kind }) => kind);
    const official = 'io.modelcontextprotocol.registry/official';
    const old = entryOf(
      { packages: [{ registryType: 'npm', identifier: 'tool', version: '1.0.0' }] },
      { [official]: { status: 'deprecated', statusMessage: 'use another' } },
    );
    expect(planOf(old).warnings).toEqual([
      { kind: 'deprecated', message: 'The registry “official” lists it as deprecated (use another).' },
    ]);
    expect(kinds(packaged('oci', 'acme/tool:latest'))).toEqual(['unpinned']);
    expect(kinds(packaged('npm', '@modelcontextprotocol/server-filesystm'))).toEqual(['similar-name']);
    expect(kinds(packaged('npm', '@playwrigth/mcp'))).toEqual(['similar-name']);
    expect(kinds(packaged('npm', '@playwright/mcp'))).toEqual([]);
    expect(kinds(packaged('npm', '@acme/mcp'))).toEqual([]);
    expect(kinds(packaged('npm', 'tool', { registryBaseUrl: 'https://packages.evil.example' }))).toEqual([
      'other-package-registry',
    ]);
    expect(kinds(entryOf({ remotes: [{ type: 'sse', url: 'http://mcp.acme.example/sse' }] }))).toEqual([
      'insecure-url',
    ]);
    const strong = { runtimeArguments: [{ type: 'named', name: '-v', value: '/var/run/docker.sock:/s' }] };
    expect(kinds(packaged('oci', 'acme/tool:1.0', strong))).toContain('powerful-container');
    expect(renderPlan(planOf(packaged('npm', '@playwrigth/mcp'))).defaultAnswer).toBe('no');
  },
);

verifies(['S14'], 'a package without an exact version is not installed until one is known', () => {
  const plan = planOf(packaged('npm', 'tool', { version: 'latest' }));
  expect(() => fillPlan(plan, {})).toThrow(/Which version of tool/);
  expect(fillPlan(plan, {}, { allowUnpinned: true }).definition.package).toMatchObject({ version: 'latest' });
});

verifies(['S14'], 'the plan shows the whole command, where it comes from and what is still asked', () => {
  const entry = packaged('npm', 'tool', {
    environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
    packageArguments: [{ type: 'named', name: '--note', value: "it's; rm -rf /" }],
  });
  expect(renderPlan(planOf(entry))).toMatchObject({
    id: 'tool',
    from: 'a registry (io.github.acme/tool)',
    summary: 'Runs tool@1.2.3 on this machine, with your permissions.',
    command: String.raw`npx -y tool@1.2.3 '--note=it'\''s; rm -rf /'`,
    argv: ['npx', '-y', 'tool@1.2.3', "--note=it's; rm -rf /"],
    env: [{ name: 'API_KEY', value: '‹API_KEY›' }],
    package: { name: 'tool', version: '1.2.3', pinned: 'exact' },
    defaultAnswer: 'yes',
  });
});

verifies(['S14', 'S16'], 'every featured server has a plan that can be filled in', () => {
  for (const server of listFeatured()) {
    const plan = planFeatured(server);
    const samples = {
      text: 'x',
      secret: 's',
      file: '/f',
      files: ['/a'],
      folder: '/a',
      folders: ['/a'],
      choice: '',
      boolean: true,
      number: 1,
    } as const;
    const values = Object.fromEntries(plan.form.map(({ id, kind }) => [id, samples[kind]]));
    const { definition } = fillPlan(plan, values, { allowUnpinned: true });
    expect(definition.id).toBe(server.id);
    expect(definition.source).toEqual({ kind: 'featured', name: server.id });
    expect(plan.warnings.filter(({ kind }) => kind === 'similar-name')).toEqual([]);
  }
  const keep = getFeatured('google-keep');
  expect(keep && planFeatured(keep).form.map(({ id, kind }) => [id, kind])).toEqual([
    ['env:GOOGLE_EMAIL', 'text'],
    ['env:GOOGLE_MASTER_TOKEN', 'secret'],
  ]);
});
