import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import type { JsonObject } from '../../base/json.ts';
import { clientFile, type ClientFileOptions, type TypedTool } from './client-file.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

function tool(ref: string, inputSchema: JsonObject, more: JsonObject = {}): TypedTool {
  const [server, name] = [ref.slice(0, ref.indexOf('/')), ref.slice(ref.indexOf('/') + 1)];
  const { description, ...definition } = more;
  const about = typeof description === 'string' ? { description } : {};
  return { ref, server, name, ...about, definition: { name, inputSchema, ...definition } };
}

function write(tools: readonly TypedTool[], options: Partial<ClientFileOptions> = {}): string {
  const given = { version: '1.0.0', learned: new Map(), about: new Map(), program: true, ...options };
  return clientFile(tools, given).text;
}

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const EVIL = '*/ } ; process.exit() /* "\'`${1} \u2028 \u202e \u{e0041} // \r\n*/';

const NASTY: readonly TypedTool[] = [
  tool('github/create_issue', object({ title: { type: 'string' } }, ['title']), {
    description: `Creates an issue. ${EVIL}`,
    outputSchema: object({ number: { type: 'integer' } }, ['number']),
  }),
  tool('gitlab/create_issue', object({})),
  tool('gitlab/create-issue', object({})),
  tool('gitlab/createIssue', object({})),
  tool('a-b.c/list things', object({ [EVIL]: { enum: [EVIL], description: EVIL } }, [EVIL])),
  tool('a-b.c/123', object({})),
  tool('a-b.c/引用', object({})),
  tool('a-b.c/constructor', object({})),
  tool('a-b.c/__proto__', object({})),
  tool('a-b.c/toString', object({ x: { type: 'string' } }, ['x'])),
  tool('a-b.c/then', object({})),
  tool('servers/servers', object({})),
  tool('servers/promise', object({})),
  tool('tree/grow', {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/Node' }, circle: { $ref: '#/$defs/circle' } },
    $defs: {
      Node: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/Node' } } } },
      circle: { anyOf: [{ $ref: '#/$defs/circle' }, { type: 'string' }] },
    },
  }),
  tool('tree/odd', { type: 'banana', allOf: [false, { not: {} }], required: 7 }),
  tool('tree/none', {}),
];

test('the same tools give the same text in whatever order they come, and no clock is in it', () => {
  expect(write(NASTY.toReversed())).toBe(write(NASTY));
  expect(write(NASTY)).toContain('sha256');
});

test('tools that are called alike have types of their own, and their real names', () => {
  const text = write(NASTY);
  expect(text).toContain('create_issue(args: GithubCreateIssueArgs');
  expect(text).toContain('"create-issue"(args?: GitlabCreateIssue_');
  expect(text).toContain('"list things"(args: ListThingsArgs');
  expect(text).not.toMatch(/\bthen\(/);
  expect(
    clientFile(NASTY, { version: '1', learned: new Map(), about: new Map(), program: false }).leftOut,
  ).toEqual(['a-b.c/then']);
  const names = [...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('no text of a server is seen outside its comment or its string', () => {
  const text = write(NASTY, { about: new Map([['github', EVIL]]) });
  // oxlint-disable-next-line no-control-regex -- this is what must not be there
  expect(text).not.toMatch(/[\u2028\u202e\u{e0041}\r\u0000-\u0009]/u);
});

verifies(
  ['U6'],
  'the compiler takes the types of any tools, a program that uses them well, and none that does not',
  async () => {
    const learned = new Map([
      ['gitlab/create_issue', { schema: object({ iid: { type: 'integer' } }, ['iid']), seen: 3 }],
    ]);
    const text = write(NASTY, { learned });
    expect(text).toContain('Learned from 3 results');
    const program = `
      import type { Hub } from 'plugboard';
      import { typed, type GithubCreateIssueResult } from './tools.ts';
      export async function use(hub: Hub): Promise<string> {
        const servers = typed(hub);
        const issue: GithubCreateIssueResult = await servers.github.create_issue({ title: 'x' });
        const learned = await servers.gitlab.create_issue({}, { timeoutMs: 5 });
        const unknown: unknown = await servers['a-b.c']['123']();
        await servers.tree.grow({ tree: { kids: [{ kids: [] }] } });
        // @ts-expect-error: the title is required
        await servers.github.create_issue({});
        // @ts-expect-error: the title is a text
        await servers.github.create_issue({ title: 5 });
        // @ts-expect-error: the number is no text
        const text: string = issue.number;
        // @ts-expect-error: what nobody has seen cannot be used
        (await servers.gitlab['create-issue']()).length;
        // @ts-expect-error: there is no such tool
        await servers.github.delete_everything();
        return \`\${issue.number + learned.iid} \${text} \${String(unknown)}\`;
      }
    `;
    // The same as declarations alone.
    const declarations = write(NASTY, { learned, program: false });
    expect(declarations).not.toContain('export function');
    const files = { 'tools.ts': text, 'program.ts': program, 'declared.ts': declarations };
    // Were one of the five mistakes none, the line above it would be an error itself.
    expect(await compile(files)).toBe(0);
  },
  120_000,
);

/** What the file needs of the library; that the library has it is shown where real servers are typed. */
const LIBRARY = `
  export interface Hub { readonly tools: object }
  export interface TypedCallOptions { readonly timeoutMs?: number }
  export declare function typedClient<Servers extends object>(hub: Hub): Servers;
`;

/** Runs the compiler in a thread on these files, as strictly as on our own; answers its exit code. */
async function compile(files: Readonly<Record<string, string>>): Promise<number> {
  mkdirSync(join(root, 'test/out'), { recursive: true });
  const folder = mkdtempSync(join(root, 'test/out/types-'));
  try {
    writeFileSync(join(folder, 'plugboard.ts'), LIBRARY);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const compilerOptions = {
      noEmit: true,
      rootDir: folder,
      paths: { plugboard: [join(folder, 'plugboard.ts')] },
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions,
        include: [],
        files: Object.keys(files),
      }),
    );
    const tsc = join(root, 'node_modules/typescript/lib/tsc.js');
    const thread = new Worker(tsc, { argv: ['-p', folder], stderr: true });
    return await new Promise((done, fail) => thread.on('exit', done).on('error', fail));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
