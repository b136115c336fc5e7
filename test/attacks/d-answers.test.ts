import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { jsonLogger } from '../../src/base/logger.ts';
import { verifies } from '../requirements.ts';
import { local, textOf, withHub } from '../scenarios/lifecycle-hub.ts';

verifies(
  ['C6', 'attack:D6'],
  'answers that nobody asked for, or twice, or under an id of another type, reach nobody',
  async () => {
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({ definitions: [local('odd', 'bad-ids')] });
      for (const tool of ['right', 'duplicate', 'unknown-id', 'other-type', 'null-id']) {
        expect([tool, await textOf(hub, `odd/${tool}`)]).toEqual([tool, 'right']);
      }
      // Two answers in one, and none at all: a failure, never a result.
      for (const tool of ['both', 'neither']) {
        await expect(hub.tools.call({ tool: `odd/${tool}`, timeoutMs: 1_000 }), tool).rejects.toThrow();
      }
      const many = Array.from({ length: 24 }, (_, at) =>
        textOf(hub, `odd/${['duplicate', 'unknown-id', 'other-type'][at % 3]}`),
      );
      expect(new Set(await Promise.all(many))).toEqual(new Set(['right']));
    });
  },
  40_000,
);

verifies(['L6', 'attack:B8'], 'whatever a text holds, the log has one record for it on one line', () => {
  const lines: string[] = [];
  const logger = jsonLogger({ clock: systemClock, level: 'info', write: (line) => void lines.push(line) });
  const forged = `x\n{"at":"2026-01-01","level":"error","message":"forged"}\r\n\u2028\u0085`;
  logger.warn(forged, { server: forged, [forged]: forged });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd().split(/[\r\n]/)).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', message: forged, server: forged });
});
