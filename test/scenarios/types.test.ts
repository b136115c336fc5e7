import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { typedClient } from '../../src/index.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { atATerminal, type Person } from './at-a-terminal.ts';
import { played, reading } from './calls-played.ts';
import { everythingCommand } from './plug-command.ts';

const SLOW = 120_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Somebody with the demo server and one for files, whose calls run unasked. */
async function withServers(): Promise<Person & { readonly files: string }> {
  const home = temporaryFolder();
  const call = { read: 'allow', write: 'allow', unknown: 'allow' };
  writeFileSync(join(home, 'rules.json'), JSON.stringify({ defaults: { call } }));
  const person = await atATerminal({}, home);
  const files = temporaryFolder();
  const server = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
  const add = async (id: string, ...command: readonly string[]): Promise<void> => {
    const { code } = await person.type(['add', id, '--yes', '--', ...command]);
    expect(code).toBe(0);
  };
  await add('everything', ...everythingCommand());
  await add('my-files', process.execPath, server, files);
  return { ...person, files };
}

verifies(
  ['U6'],
  'plug types writes a client for real servers that compiles, refuses a wrong use, and runs',
  async () => {
    const { hub, type, files } = await withServers();
    writeFileSync(join(files, 'a.txt'), 'hello');
    mkdirSync(join(root, 'test/out'), { recursive: true });
    const folder = mkdtempSync(join(root, 'test/out/typed-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'tools.ts');
    const { code, shown } = await type(['types', '-o', file]);
    expect({ code, shown }).toMatchObject({
      code: 0,
      shown: expect.stringMatching(/has the types of \d+ tools/) as string,
    });
    // The same again is the same text.
    const text = readFileSync(file, 'utf8');
    expect((await type(['types', '-o', file])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const program = (wrong: string): string => `
      import type { Hub } from 'plugboard';
      import { typed } from './tools.ts';
      export async function use(hub: Hub): Promise<string> {
        const servers = typed(hub);
        const weather = await servers.everything['get-structured-content']({ location: 'Chicago' });
        const degrees: number = weather.temperature;
        const read = await servers['my-files'].read_text_file({ path: 'a.txt', head: 1 });
        ${wrong}
        return \`\${degrees} \${read.content}\`;
      }
    `;
    writeFileSync(join(folder, 'program.ts'), program(''));
    writeFileSync(join(folder, 'wrong.ts'), program("await servers.everything.echo({ massage: 'hi' });"));
    const said = await compile(folder, ['program.ts', 'wrong.ts']);
    expect(said.match(/^\S+program\.ts/gm)).toBeNull();
    expect(said.match(/^\S+wrong\.ts.*error TS2\d+/gm)).toHaveLength(1);

    interface Servers {
      readonly everything: { 'get-structured-content'(args: object): Promise<{ temperature: number }> };
      readonly 'my-files': { read_text_file(args: object): Promise<{ content: string }> };
    }
    const servers = await Promise.resolve(typedClient<Servers>(hub));
    const weather = await servers.everything['get-structured-content']({ location: 'Chicago' });
    expect(weather.temperature).toEqual(expect.any(Number));
    const read = await servers['my-files'].read_text_file({ path: join(files, 'a.txt') });
    expect(read.content).toBe('hello');
    await expect(servers['my-files'].read_text_file({ path: '/etc/hostname' })).rejects.toMatchObject({
      code: 'server_error',
      owner: 'server',
    });
  },
  SLOW,
);

verifies(
  ['U6'],
  'a tool that declares no output is typed by what its results looked like, without a single value of them',
  async () => {
    const { hub, type } = await atATerminal();
    const answer = JSON.stringify({ total: 2, items: [{ id: 41_827_733, title: 'Privy' }], next: null });
    const refusal = { isError: true, content: [{ type: 'text', text: '{"failure":"Privy"}' }] };
    const things = played(
      'things',
      reading('list_things', { text: answer }),
      reading('count_things', { text: 'Privy: 7' }),
      reading('fail_things', { result: refusal }),
      reading('quiet_things', { text: answer }),
    );
    await hub.servers.add({ definition: things.definition });
    await hub.servers.trust({ id: 'things' });
    expect((await type(['types', 'things'])).shown).toContain('export type ListThingsResult = unknown;');
    for (const name of ['list_things', 'list_things', 'count_things', 'fail_things']) {
      await hub.tools.call({ tool: `things/${name}` });
    }
    await hub.audit.setRecorded({ server: 'things', recorded: false });
    await hub.tools.call({ tool: 'things/quiet_things' });
    const learned = await hub.tools.learnedOutputs();
    expect(learned.map(({ tool, seen }) => [tool, seen])).toEqual([
      ['things/list_things', 2],
      ['things/count_things', 1],
    ]);
    expect(JSON.stringify(learned)).not.toMatch(/41827733|Privy/);
    const { shown } = await type(['types', 'things']);
    expect(shown).toContain('Learned from 2 results: the server declares none.');
    expect(shown).toContain(
      'export type ListThingsResult = { total: number; items: { id: number; title: string }[]; next: null };',
    );
    expect(shown).toContain('export type CountThingsResult = { type: string; text: string }[];');
    for (const name of ['Fail', 'Quiet']) {
      expect(shown).toContain(`export type ${name}ThingsResult = unknown;`);
    }
    // A program gets exactly that.
    interface Servers {
      readonly things: Readonly<Record<string, () => Promise<unknown>>>;
    }
    const servers = typedClient<Servers>(hub);
    expect(await servers.things['list_things']?.()).toEqual(JSON.parse(answer));
    expect(await servers.things['count_things']?.()).toEqual([{ type: 'text', text: 'Privy: 7' }]);
    await hub.servers.remove({ id: 'things' });
    expect(await hub.tools.learnedOutputs()).toEqual([]);
  },
  SLOW,
);

test('a file that plug types did not write stays as it is, and a server that is not there is said', async () => {
  const { type, cwd } = await atATerminal();
  const file = join(cwd, 'mine.ts');
  writeFileSync(file, 'export const mine = 1;\n');
  const refused = await type(['types', '-o', 'mine.ts']);
  expect(refused.code).toBe(1);
  expect(refused.shown).toContain('wasn’t written by plug types');
  expect(readFileSync(file, 'utf8')).toBe('export const mine = 1;\n');
  const unknown = await type(['types', 'nothing']);
  expect(unknown.code).toBe(6);
  expect(unknown.shown).toContain('There is no server “nothing”.');
});

/** What the compiler says about these files, with the library itself as `plugboard`. */
async function compile(folder: string, files: readonly string[]): Promise<string> {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { rootDir: root, paths: { plugboard: [join(root, 'src/index.ts')] } },
    include: [],
    files,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/lib/tsc.js');
  const child = spawn(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return said;
}
