import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { limits } from '../base/limits.ts';
import type { Endpoint } from '../servers/definition.ts';
import { startLimitMs } from './start-slots.ts';

const local = (command: string): Endpoint => ({ kind: 'stdio', command, args: [], env: {} });

verifies(
  ['C6'],
  'a start has 30 s, the first one of a package that must be fetched has longer, and a limit of one’s own wins',
  () => {
    const limitOf = (command: string, known: boolean, startMs?: number): number =>
      startLimitMs(
        { endpoint: local(command), timeouts: startMs === undefined ? {} : { startMs } },
        { known, limits },
      );
    expect(limitOf('node', false)).toBe(30_000);
    for (const command of ['npx', '/usr/bin/npx', 'C:\\node\\npx.cmd', 'uvx', 'docker']) {
      expect(limitOf(command, false)).toBe(limits.firstStartTimeoutMs);
      expect(limitOf(command, true)).toBe(30_000);
      expect(limitOf(command, false, 5_000)).toBe(5_000);
    }
  },
);
