import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { type FixtureParams, startHttpFixture } from '../../../test/servers/start.ts';

/** A bomb is a gigabyte, or has no end; the largest answer that is taken, and a garbage collection late, is less. */
const MEMORY_MB = 128;

/** Runs one request in a process of its own and reports how it ended and how far its memory grew. */
async function attempt(behavior: string, params: FixtureParams): Promise<{ code: string; grownMb: number }> {
  await using fixture = await startHttpFixture(behavior, { ...params, method: '*' });
  const file = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    import { createHttpClient } from ${file('./http-client.ts')};
    import { systemClock } from ${file('../../base/clock.ts')};
    import { systemIds } from ${file('../../base/ids.ts')};
    const http = createHttpClient({ clock: systemClock, ids: systemIds });
    const base = process.memoryUsage().rss;
    let peak = base;
    const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss); }, 5);
    let code = 'none';
    try {
      const response = await http.fetch(process.argv[1], { method: 'POST', body: '{}' });
      await response.body.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream());
    } catch (error) { code = error.code; }
    clearInterval(timer);
    peak = Math.max(peak, process.memoryUsage().rss);
    await http.close();
    console.log(JSON.stringify({ code, grownMb: (peak - base) / 1048576 }));
  `;
  const args = ['--input-type=module', '--eval', script, fixture.url];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  return JSON.parse(stdout) as { code: string; grownMb: number }; // printed by the script above
}

verifies(
  ['attack:E7'],
  'an answer that unpacks to 1 GB is refused before it fills the memory',
  async () => {
    const { code, grownMb } = await attempt('gzip-bomb', { bytes: 1024 * 1024 * 1024 });
    expect(code).toBe('too_large');
    expect(grownMb).toBeLessThanOrEqual(MEMORY_MB);
  },
  30_000,
);

verifies(
  ['attack:E7'],
  'an event that never ends is cut before it fills the memory',
  async () => {
    const { code, grownMb } = await attempt('endless-sse', {});
    expect(code).toBe('too_large');
    expect(grownMb).toBeLessThanOrEqual(MEMORY_MB);
  },
  30_000,
);
