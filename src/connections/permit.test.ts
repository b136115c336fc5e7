import { expect } from 'vitest';
import { standingClock } from '../../test/scenarios/lifecycle-clock.ts';
import { Link } from '../../test/scenarios/lifecycle-link.ts';
import { verifies } from '../../test/requirements.ts';
import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { Peer } from './peer.ts';
import { CallPermit } from './permit.ts';
import { InFlight } from './in-flight.ts';
import { inboundFor } from './inbound.ts';
import { Session, type SessionRequestOptions } from './session.ts';

declare const live: Session;
declare const options: SessionRequestOptions;

/** Never run: the compiler refuses each of these, and says so when one of them becomes possible. */
export function waysAroundTheDecision(): unknown {
  // @ts-expect-error -- tools are called with a permit
  const called = live.request('tools/call', { name: 'echo', arguments: {} }, options);
  // @ts-expect-error -- a permit is not made by hand
  const made = new CallPermit('echo', {});
  // @ts-expect-error -- nothing of the same shape is a permit
  const forged: CallPermit = { covers: () => true };
  // @ts-expect-error -- a permit comes first
  const bare = live.callTool({ name: 'echo', arguments: {} }, options);
  return { called, made, forged, bare };
}

verifies(
  ['L1', 'P1'],
  'a session calls no tool without a permit for this tool and these very arguments',
  async () => {
    const nothing = (): void => undefined;
    const events = {
      onListChange: nothing,
      onResourceUpdate: nothing,
      onTaskStatus: nothing,
      onLog: nothing,
      onHostWanted: nothing,
      onEnd: nothing,
    };
    const common = {
      server: 'one',
      handlers: {},
      inFlight: new InFlight(),
      host: undefined,
      local: true,
      events,
      clock: standingClock(),
    };
    const link = new Link((frame, self) => self.answer(frame, { content: [] }));
    const endError = (): PlugError => new PlugError('crashed', 'Gone.', { owner: 'server' });
    const peer = new Peer({ transport: link, endError, onEnd: nothing, ...common, ...inboundFor(common) });
    const agreement = {
      era: 'legacy',
      protocolVersion: '2025-11-25',
      serverInfo: {},
      capabilities: {},
    } as const;
    const session = new Session({ ...common, peer, agreement, transport: 'stdio', clientInfo: {}, limits });
    const request = { timeoutMs: 1_000 };
    const args = { message: 'hi' };
    const permit = CallPermit.mint('echo', args, undefined);
    // A method that is held in a variable gets past the compiler.
    const method: string = 'tools/call';
    const refused = { code: 'denied', owner: 'plugboard' };
    await expect(session.request(method, { name: 'echo', arguments: args }, request)).rejects.toMatchObject(
      refused,
    );
    for (const params of [
      { name: 'wipe', arguments: args },
      { name: 'echo', arguments: { ...args } },
      { name: 'echo' },
    ]) {
      await expect(session.callTool(permit, params, request)).rejects.toMatchObject(refused);
    }
    expect(link.sent).toEqual([]);
    await session.callTool(permit, { name: 'echo', arguments: args }, request);
    expect(link.sent).toMatchObject([{ method: 'tools/call', params: { name: 'echo', arguments: args } }]);
  },
);
