import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { limits } from '../../base/limits.ts';
import type { JsonObject } from '../../base/json.ts';
import { CatalogSearch } from '../../catalog/search.ts';
import { TokenCounter } from '../../catalog/tokens/token-counter.ts';
import type { Tool } from '../../catalog/tool.ts';
import { verifies } from '../../../test/requirements.ts';
import { codeTool, declarationsWithin, runCodeTool, type CodeToolOptions } from './code-tool.ts';

function tool(server: string, name: string, definition: JsonObject = {}): Tool {
  const description = typeof definition['description'] === 'string' ? definition['description'] : undefined;
  return {
    ref: `${server}/${name}`,
    server,
    name,
    ...(description === undefined ? {} : { description }),
    risk: 'write',
    riskFrom: 'name',
    flags: [],
    pinned: true,
    definition: { name, ...definition },
  };
}

const tools: readonly Tool[] = [
  tool('git-hub', 'create-issue', {
    description: 'Creates an issue. It may take a while.',
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string' }, labels: { type: 'array', items: { type: 'string' } } },
      required: ['title'],
    },
    outputSchema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  }),
  tool('mail', 'send', { description: 'Sends a message.', inputSchema: { type: 'object' } }),
];

async function answer(
  code: string,
  options: Partial<CodeToolOptions> = {},
): Promise<{ readonly texts: readonly string[]; readonly isError: boolean }> {
  const result = await runCodeTool(
    { code },
    {
      tools: () => Promise.resolve(tools),
      search: (query, limit) =>
        Promise.resolve(new CatalogSearch().search({ tools }, query).tools.slice(0, limit)),
      call: () => Promise.resolve({ structuredContent: { number: 7 } }),
      clock: systemClock,
      ...options,
    },
  );
  const content = Array.isArray(result['content']) ? result['content'] : [];
  return { texts: content.map(({ text }: { text: string }) => text), isError: result['isError'] === true };
}

verifies(
  ['G3'],
  'in code mode a model finds a tool, reads its types and calls it, all in scripts',
  async () => {
    const found = await answer(`return await tools.search('issue')`);
    expect(JSON.parse(found.texts[0] ?? '')).toEqual([
      {
        name: 'git_hub.create_issue',
        call: 'servers.git_hub.create_issue({ title, labels? })',
        about: 'Creates an issue.',
        risk: 'write',
      },
    ]);
    const described = await answer(`return await tools.describe('git_hub.create_issue')`);
    expect(described.texts[0]).toContain(
      'create_issue(args: { title: string; labels?: string[] }): Promise<{ number: number }>;',
    );
    const made: unknown[] = [];
    const steps: unknown[] = [];
    const called = await answer(
      `const { number } = await servers.git_hub.create_issue({ title: 'x' });\nconsole.log('made', number);\nreturn { number };`,
      {
        call: (ref, args) => {
          made.push([ref, args]);
          return Promise.resolve({ structuredContent: { number: 7 } });
        },
        onProgress: ({ progress }) => steps.push(progress),
      },
    );
    expect(called).toEqual({ texts: ['{"number":7}', 'Console:\nmade 7'], isError: false });
    expect(made).toEqual([['git-hub/create-issue', { title: 'x' }]]);
    expect(steps).toEqual([1, 2]);
  },
);

test('a name is described however it is written, and a server with all its tools', async () => {
  const names = [
    'git-hub/create-issue',
    'servers.git_hub.create_issue',
    'git-hub.create-issue',
    'git_hub',
    'git-hub',
  ];
  const { texts } = await answer(
    `return await Promise.all(${JSON.stringify(names)}.map((name) => tools.describe(name)))`,
  );
  const all: unknown = JSON.parse(texts[0] ?? '');
  expect(new Set(Array.isArray(all) ? all : []).size).toBe(1);
  expect(await answer(`return await tools.describe('git_hub.create_isue')`)).toMatchObject({
    isError: true,
    texts: [expect.stringContaining('Did you mean git_hub.create_issue?')],
  });
});

test('a failure says where, why and how many calls were made before', async () => {
  const { texts, isError } = await answer(
    `await servers.mail.send({});\nawait servers.mail.send({});\nthrow new Error('changed my mind');`,
  );
  expect(isError).toBe(true);
  expect(texts[0]).toMatch(
    /^The script failed \(line 3, column \d+\): changed my mind\n2 calls were made before\.$/,
  );
  expect((await answer(`const a = 1`)).texts[0]).toContain('returned nothing');
});

test('a call of the tool without a script is refused', async () => {
  await expect(answer(' ')).rejects.toMatchObject({ code: 'bad_arguments' });
});

verifies(
  ['G3'],
  'the tool of code mode costs a model at most 400 tokens, however many tools there are',
  async () => {
    const counter = new TokenCounter({ clock: systemClock, logger: silentLogger, limits });
    const [tokens] = await counter.count([JSON.stringify(codeTool())]);
    await counter.close();
    expect(tokens).toBeLessThanOrEqual(400);
    expect(declarationsWithin(tools, 100)).toBeUndefined();
    const declarations = declarationsWithin(tools, 10_000);
    expect(codeTool(declarations)['description']).toContain('send(args?: { [key: string]: unknown })');
  },
);
