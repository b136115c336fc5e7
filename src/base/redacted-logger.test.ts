import { expect, test } from 'vitest';
import { systemClock as clock } from './clock.ts';
import { jsonLogger, redactedLogger } from './logger.ts';
import { createRedactor } from './redact.ts';

test('no log line holds a secret: neither a known value nor what a field calls one', () => {
  const lines: string[] = [];
  const redactor = createRedactor();
  redactor.learn('canary "quoted" value');
  const logger = redactedLogger(
    jsonLogger({ clock, level: 'debug', write: (line) => void lines.push(line) }),
    redactor,
  );
  logger.info('started with canary "quoted" value', { server: 's', apiKey: 'abc' });
  logger.error('failed', { error: new Error('canary "quoted" value'), args: ['x', 'canary "quoted" value'] });
  logger.warn('plain');
  logger.debug('url', { url: `https://x.test/?k=${encodeURIComponent('canary "quoted" value')}` });
  expect(lines).toHaveLength(4);
  expect(lines.join('')).not.toMatch(/canary|quoted|abc/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    message: 'started with [secret]',
    server: 's',
    apiKey: '[secret]',
  });
});
