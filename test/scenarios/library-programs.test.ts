import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { openPlugboard } from '../../src/index.ts';
import { verifies } from '../requirements.ts';
import { stdioFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { compileCache } from '../suite/compile-cache.ts';
import { yesToAll } from '../yes-to-all.ts';

const LONG_MS = 180_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, argv, { env: { ...process.env, ...compileCache, ...env } });
  onTestFinished(() => void child.kill());
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return { code: child.exitCode, said };
}

/** As a careful user has it: every check on, declarations of packages included, and no browser. */
const STRICT = {
  target: 'es2023',
  lib: ['es2024', 'esnext.disposable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
};

verifies(
  ['B1'],
  'a strict program compiles against our types without DOM and without skipLibCheck',
  async () => {
    mkdirSync(join(root, 'test/out'), { recursive: true });
    // Inside the repository, so that the package is found by its own name.
    const folder = mkdtempSync(join(root, 'test/out/strict-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = `
      import { openPlugboard, toolSet, typedClient, PlugError, type Hub, type HubEvent } from '${join(root, 'dist/index.js')}';
      const hub: Hub = await openPlugboard({ storage: { kind: 'memory' } });
      await hub.servers.add({ definition: { id: 'one', endpoint: { kind: 'http', url: 'https://example.com/mcp' } } });
      const kinds: HubEvent['kind'][] = [];
      for await (const { kind } of hub.watch()) kinds.push(kind);
      const { tools } = await hub.tools.render({ format: 'openai-chat' });
      const set: Record<string, { execute?: unknown }> = await toolSet(hub);
      const { one } = typedClient<{ one: { echo(args: { message: string }): Promise<string> } }>(hub);
      const said: string = await one.echo({ message: 'hi' });
      console.log(kinds, tools.length, set, said, new PlugError('usage', '', { owner: 'you' }).code);
    `;
    writeFileSync(join(folder, 'program.mts'), program);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: STRICT, files: ['program.mts'] }),
    );
    const tsc = join(root, 'node_modules/typescript/lib/tsc.js');
    expect(await run([tsc, '-p', folder, '--pretty', 'false'])).toEqual({ code: 0, said: '' });
  },
  LONG_MS,
);

verifies(
  ['B1'],
  'watching keeps a program alive until it stops watching, with an own hub and with the shared one',
  async () => {
    const home = temporaryFolder();
    const file = join(temporaryFolder(), 'program.mjs');
    writeFileSync(
      file,
      `import { openPlugboard } from ${JSON.stringify(join(root, 'dist/index.js'))};
      const hub = await openPlugboard({ hub: process.argv[2] });
      const stop = new AbortController();
      // Nothing else holds this program: the timer would not, nor does the pending promise.
      setTimeout(() => stop.abort(), 300).unref();
      for await (const event of hub.watch({ signal: stop.signal })) void event;
      await hub.close();
      console.log('stopped watching');`,
    );
    const env = { PLUG_HOME: home, PLUG_NO_KEYRING: '1' };
    for (const kind of ['own', 'shared'])
      expect({ kind, ...(await run([file, kind], env)) }).toEqual({
        kind,
        code: 0,
        said: 'stopped watching\n',
      });
    await run([join(root, 'dist/bin.js'), 'hub', 'stop'], env);
  },
  LONG_MS,
);

verifies(['B1', 'T8'], 'tools are rendered for chat completions as OpenAI documents them', async () => {
  const home = temporaryFolder();
  await using hub = await openPlugboard({ home, cwd: home, storage: { kind: 'memory' }, approve: yesToAll });
  const { command, args } = stdioFixture('dual');
  await hub.servers.add({ definition: { id: 'demo', endpoint: { kind: 'stdio', command, args, env: {} } } });
  const { tools, names } = await hub.tools.render({ format: 'openai-chat' });
  expect(tools).toContainEqual({
    type: 'function',
    function: {
      name: 'mcp__demo__echo',
      description: expect.stringContaining('[demo') as string,
      parameters: expect.objectContaining({ type: 'object' }) as object,
      strict: false,
    },
  });
  expect(names['mcp__demo__echo']).toBe('demo/echo');
});
