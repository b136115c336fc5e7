import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';

verifies(['H4'], 'a hub without a collector does not even load the telemetry SDK', async () => {
  const door = new URL('../../src/calls/telemetry/telemetry.ts', import.meta.url).href;
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { openTelemetry } = await import(${JSON.stringify(door)});
    await openTelemetry({ env: {}, serviceVersion: '1' });
    console.log(loaded.filter((url) => url.includes('opentelemetry')).length, loaded.length > 1);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const said = Buffer.concat(await Array.fromAsync<Buffer>(child.stdout)).toString();
  await ended;
  expect(said.trim()).toBe('0 true');
});
