import { expect } from 'vitest';
import { soak } from '../gateway-soak.ts';
import { verifies } from '../requirements.ts';
import { openWireHub } from './gateway-wire-hub.ts';

/** Enough to cross every queue and every wrap many times; `test/gateway-soak.ts` runs as many as one likes. */
const CALLS = 20_000;

verifies(
  ['G1', 'G2', 'attack:G1'],
  'two hosts with the same ids on one shared server get every answer of their own, and none of the other’s',
  async () => {
    const hub = await openWireHub({ shared: 'dual' });
    try {
      const { calls, right, wrong } = await soak(hub, CALLS);
      expect({ calls, right, wrong }).toEqual({ calls: CALLS, right: CALLS, wrong: [] });
    } finally {
      await hub.close();
    }
  },
  300_000,
);
