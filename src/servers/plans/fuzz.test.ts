import * as fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { PlugError } from '../../base/errors.ts';
import { readDocument } from '../registry/document.ts';
import { readSmithery } from '../registry/smithery.ts';
import { fillPlan } from './fill.ts';
import { planInstalls } from './install.ts';
import { planPasted } from './pasted-plan.ts';
import type { InstallPlan } from './plan.ts';
import { renderPlan } from './render.ts';

const RUNS = 20_000;

/** Texts that mean something to the parsers, beside arbitrary ones. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  fc.constantFrom(
    'npm',
    'pypi',
    'oci',
    'mcpb',
    'nuget',
    'named',
    'positional',
    'stdio',
    'sse',
    'filepath',
    'boolean',
  ),
  fc.constantFrom(
    '--port',
    '-e',
    'run',
    '{a}',
    '${A}',
    '{env:X}',
    '__proto__',
    'constructor',
    'A_CLIENT_ID',
    'A_CLIENT_SECRET',
  ),
  fc.constantFrom(
    'https://x.example/{a}',
    'http://127.0.0.1:{port}/mcp',
    'a/b:1',
    '@a/b',
    '1.2.3',
    'latest',
    'KEY=x{a}',
  ),
);
const key = fc.constantFrom(
  ...(
    'name identifier registryType version transport type url headers value variables environmentVariables isSecret isRequired ' +
    'packageArguments runtimeArguments format choices default fileSha256 isRepeated valueHint a __proto__ constructor'
  ).split(' '),
);
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    text,
    fc.boolean(),
    fc.integer(),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('document'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('document'), { maxKeys: 8 }),
}));
const parts = fc.array(fc.dictionary(key, document, { maxKeys: 10 }), { maxLength: 3 });

function use(plan: InstallPlan): void {
  const view = renderPlan(plan);
  // Nothing that a person reads holds what they cannot see.
  expect(/[\p{Cc}\p{Cf}]/u.test([view.command, view.url, view.title, view.summary].join(''))).toBe(false);
  try {
    fillPlan(plan, {}, { allowUnpinned: true });
  } catch (error) {
    if (!(error instanceof PlugError)) throw error;
  }
}

verifies(
  ['S13', 'S14'],
  'no document of a registry, however strange, breaks reading, planning or showing it',
  () => {
    fc.assert(
      fc.property(text, parts, parts, (name, packages, remotes) => {
        const read = readDocument({ server: { name, packages, remotes } }, 'official');
        if (read.kind === 'ok') for (const plan of planInstalls(read.entry).plans) use(plan);
        const other = readSmithery({ qualifiedName: name, connections: remotes }, 'smithery');
        if (other.kind === 'ok') for (const plan of planInstalls(other.entry).plans) use(plan);
      }),
      { numRuns: RUNS },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
  120_000,
);

verifies(
  ['S14'],
  'no pasted command or link breaks planning it',
  () => {
    const record = fc.dictionary(text, text, { maxKeys: 3 });
    const server = fc.record({
      command: text,
      args: fc.array(text, { maxLength: 5 }),
      env: record,
      needs: fc.array(text, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(server, fc.constantFrom('link' as const, 'paste' as const), (given, origin) => {
        const planned = planPasted({ name: null, transport: 'stdio', ...given }, { origin });
        if (planned.kind === 'ok') use(planned.plan);
      }),
      { numRuns: RUNS },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
  120_000,
);

verifies(['S13', 'S14'], 'long repetitions take no longer than they should', () => {
  for (const piece of ['/', '{', '${', ':', '@', '-', 'a:', '{a', '.', '<']) {
    const long = piece.repeat(30_000 / piece.length);
    const read = readDocument(
      {
        server: {
          name: 'a/b',
          repository: { url: long },
          packages: [
            { registryType: 'oci', identifier: long, environmentVariables: [{ name: 'A', value: long }] },
          ],
          remotes: [{ type: 'sse', url: long, headers: [{ name: 'A', value: long }] }],
        },
      },
      'official',
    );
    expect(read.kind).toBe('ok');
    if (read.kind === 'ok') expect(planInstalls(read.entry).plans).toEqual([]);
    planPasted(
      { name: null, transport: 'stdio', command: long, args: [long], needs: ['A'] },
      { origin: 'link' },
    );
  }
});
