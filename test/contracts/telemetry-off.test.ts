import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';

verifies(['H4'], 'a hub without a collector does not even load the telemetry SDK', async () => {
  const door = new URL('../../src/calls/telemetry/telemetry.ts', import.meta.url).href;
  const bounds = new URL('../../src/base/limits.ts', import.meta.url).href;
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { openTelemetry } = await import(${JSON.stringify(door)});
    const { limits } = await import(${JSON.stringify(bounds)});
    const options = { serviceVersion: '1', limits, logger: console };
    const ofSdk = () => loaded.filter((url) => url.includes('opentelemetry')).length;
    await openTelemetry({ ...options, env: {} });
    console.log(ofSdk());
    await openTelemetry({ ...options, env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } });
    console.log(ofSdk() > 0);
    process.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const said = Buffer.concat(await Array.fromAsync<Buffer>(child.stdout)).toString();
  await ended;
  expect(said.trim()).toBe('0\ntrue');
});
