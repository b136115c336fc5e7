import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { crc32, deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { parsePaste } from '../paste/parse-paste.ts';
import { readScreenshot } from './read-screenshot.ts';

const PATIENCE_MS = 60_000;

const picture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../test/fixtures/screenshots/${name}`, import.meta.url));

async function refusal(reading: Promise<unknown>): Promise<PlugError> {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PlugError)) throw new Error('it was not refused', { cause: error });
  return error;
}

verifies(
  ['S18'],
  'a PNG of an editor, with line numbers, guides and colors, becomes the two servers that it shows',
  async () => {
    const { text, confidence } = await readScreenshot(picture('editor-light.png'));
    expect(confidence).toBeGreaterThan(80);
    const { servers } = parsePaste(text);
    expect(servers).toMatchObject([
      { name: 'notes', command: 'uvx', args: ['mcp-notes', '--db', '/home/ana/notes.db'] },
      {
        name: 'maps',
        command: 'docker',
        args: ['run', '-i', '--rm', '-e', 'MAPS_KEY', 'example/maps-mcp:2.1'],
        env: { MAPS_KEY: '${MAPS_KEY}' },
      },
    ]);
    expect(servers).toHaveLength(2);
  },
  PATIENCE_MS,
);

verifies(
  ['S18'],
  'YAML keeps its indentation on the way through a picture',
  async () => {
    const { text } = await readScreenshot(picture('yaml-light.png'));
    expect(text).toContain('\n  radio:\n    type: streamable-http\n');
    expect(parsePaste(text).servers).toMatchObject([
      {
        name: 'radio',
        transport: 'http',
        url: 'https://radio.example.net/mcp',
        headers: { 'X-Station': 'alpha-nine' },
      },
    ]);
  },
  PATIENCE_MS,
);

verifies(
  ['S18'],
  'a JPEG of a dark theme is read like a PNG',
  async () => {
    const { text } = await readScreenshot(picture('editor-dark.jpg'));
    expect(parsePaste(text).servers).toMatchObject([
      { name: 'zephyr', command: 'npx', args: ['zephyr-mcp@latest'] },
    ]);
  },
  PATIENCE_MS,
);

verifies(
  ['S18'],
  'reading a picture asks the network for nothing',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plug-trap-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const log = join(folder, 'calls');
    const answer = await inThread(
      `const { readScreenshot } = await import(workerData.module);
       const { text } = await readScreenshot(workerData.image);
       const trapped = await fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'trapped');
       parentPort.postMessage({ text, trapped });`,
      {
        workerData: {
          module: new URL('./read-screenshot.ts', import.meta.url).href,
          image: picture('yaml-light.png'),
        },
        execArgv: ['--import', trapFor(log)],
      },
    );
    expect(answer).toMatchObject({ text: expect.stringContaining('radio.example.net'), trapped: 'trapped' });
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    // The trap stood in all three threads: the caller's, ours and the engine's.
    expect(new Set(lines.filter((line) => line.startsWith('armed'))).size).toBe(3);
    // The only call is the one that this test made to see whether the trap works.
    expect(lines.filter((line) => !line.startsWith('armed'))).toEqual(['fetch http://127.0.0.1:9/']);
  },
  PATIENCE_MS,
);

verifies(
  ['S18'],
  'without the OCR engine, one sentence says what is missing and which command adds it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plug-no-ocr-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const sources = fileURLToPath(new URL('../../', import.meta.url));
    for (const part of ['base', 'servers/screenshot'])
      cpSync(join(sources, part), join(folder, part), { recursive: true });
    const answer = await inThread(
      `const { readScreenshot } = await import(workerData.module);
       await readScreenshot(workerData.image).catch((error) => parentPort.postMessage(error.toView()));`,
      {
        workerData: {
          module: pathToFileURL(join(folder, 'servers/screenshot/read-screenshot.ts')).href,
          image: picture('yaml-light.png'),
        },
      },
    );
    expect(answer).toEqual({
      code: 'unavailable',
      message: 'Reading screenshots needs the OCR engine, which is not installed.',
      owner: 'you',
      next: 'npm install --global tesseract.js@7.0.0 @tesseract.js-data/eng@1.0.0',
      remedy: {
        do: 'run',
        line: 'npm install --global tesseract.js@7.0.0 @tesseract.js-data/eng@1.0.0',
      },
    });
  },
  PATIENCE_MS,
);

test('a file that is no PNG or JPEG is refused in one sentence, whatever its name says', async () => {
  for (const bytes of [
    new Uint8Array(),
    Buffer.from('GIF89a…'),
    Buffer.from('{"mcpServers":{}}'),
    picture('yaml-light.png').subarray(0, 12),
  ]) {
    const { code, owner, message, next } = await refusal(readScreenshot(bytes));
    expect({ code, owner }).toEqual({ code: 'usage', owner: 'you' });
    expect(message).toContain('PNG or JPEG');
    expect(next).toContain('PNG');
  }
});

test('a picture that says it is huge is refused before it is unpacked', async () => {
  const bomb = Buffer.from(picture('yaml-light.png'));
  bomb.writeUInt32BE(60_000, 16);
  bomb.writeUInt32BE(60_000, 20);
  const error = await refusal(readScreenshot(bomb));
  expect(error.code).toBe('too_large');
  expect(error.message).toContain('60000 × 60000');
  const heavy = await refusal(readScreenshot(new Uint8Array(limits.screenshotBytesMax + 1)));
  expect(heavy.code).toBe('too_large');
});

test(
  'a damaged picture is an error with a sentence, not the end of the process',
  async () => {
    const damaged = Buffer.from(picture('yaml-light.png'));
    damaged.fill(0x5a, 60);
    const { code, message } = await refusal(readScreenshot(damaged));
    expect(code).toBe('usage');
    expect(message).toContain('damaged');
  },
  PATIENCE_MS,
);

test(
  'a picture without any text gives an empty text',
  async () => {
    expect(await readScreenshot(plainPng(300, 200))).toEqual({ text: '', confidence: 0 });
  },
  PATIENCE_MS,
);

test('reading that takes too long is given up, and its thread is gone', async () => {
  const threads = watchThreads();
  const { code, message } = await refusal(
    readScreenshot(picture('editor-light.png'), { limits: { ...limits, screenshotTimeoutMs: 300 } }),
  );
  expect(code).toBe('unavailable');
  expect(message).toContain('given up');
  expect(threads).toEqual({ started: 1, ended: 1 });
});

test('reading that is no longer wanted is cancelled, and its thread is gone', async () => {
  const threads = watchThreads();
  const controller = new AbortController();
  const reading = refusal(readScreenshot(picture('editor-light.png'), { signal: controller.signal }));
  await expect.poll(() => threads.started).toBe(1);
  controller.abort();
  expect((await reading).code).toBe('cancelled');
  expect(threads).toEqual({ started: 1, ended: 1 });
  const again = await refusal(readScreenshot(picture('editor-light.png'), { signal: controller.signal }));
  expect(again.code).toBe('cancelled');
  expect(threads.started).toBe(1);
});

/** A grey PNG of one shade, as the specification lays it out. */
function plainPng(width: number, height: number): Buffer {
  const chunk = (name: string, body: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name), body]);
    const frame = Buffer.alloc(8 + body.length + 4);
    frame.writeUInt32BE(body.length);
    named.copy(frame, 4);
    frame.writeUInt32BE(crc32(named), 8 + body.length);
    return frame;
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Counts the threads that this process starts, and those of them that have ended. */
function watchThreads(): { started: number; ended: number } {
  const threads = { started: 0, ended: 0 };
  const watch = (thread: Worker): void => {
    threads.started += 1;
    thread.once('exit', () => {
      threads.ended += 1;
    });
  };
  process.on('worker', watch);
  onTestFinished(() => {
    process.off('worker', watch);
  });
  return threads;
}

/** Runs code in a thread of plain Node, without the test runner's loader, and gives its first message. */
async function inThread(
  code: string,
  options: { readonly workerData: unknown; readonly execArgv?: string[] },
): Promise<unknown> {
  const module = `import { parentPort, workerData } from 'node:worker_threads'; ${code}`;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(module)}`), {
    execArgv: [],
    env: {},
    ...options,
  });
  try {
    return await new Promise((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('the thread ended without an answer')));
    });
  } finally {
    await thread.terminate();
  }
}

/** Code that is loaded before all else in every thread: it writes down each way out to the network, and bars it. */
function trapFor(log: string): string {
  const code = `
    import fs from 'node:fs'; import net from 'node:net'; import dns from 'node:dns'; import dgram from 'node:dgram';
    import { threadId } from 'node:worker_threads'; import { syncBuiltinESMExports } from 'node:module';
    const note = (line) => fs.appendFileSync(${JSON.stringify(log)}, line + '\\n');
    const bar = (name) => (...args) => { note(name + ' ' + String(args[0])); throw new Error('no network here'); };
    net.Socket.prototype.connect = bar('connect');
    dgram.createSocket = bar('dgram');
    dns.lookup = bar('lookup'); dns.promises.lookup = bar('lookup');
    const barFetch = bar('fetch'); globalThis.fetch = async (...args) => barFetch(...args);
    syncBuiltinESMExports();
    note('armed ' + threadId);`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
