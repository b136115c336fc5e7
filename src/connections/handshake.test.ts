import { expect, test } from 'vitest';
import { standingClock } from '../../test/scenarios/lifecycle-clock.ts';
import { type Frame, Link } from '../../test/scenarios/lifecycle-link.ts';
import { verifies } from '../../test/requirements.ts';
import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { type Agreement, type HandshakeOptions, shakeHands } from './handshake.ts';
import { Peer } from './peer.ts';

type Answers = Readonly<Record<string, ((frame: Frame) => object) | undefined>>;

const initialized = (protocolVersion: string) => (): object => ({
  result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
});
const discovered = (): object => ({ result: { supportedVersions: ['2026-07-28'], capabilities: {} } });
const unknown = (): object => ({ error: { code: -32601, message: 'Method not found' } });

/** Shakes hands with a server that answers as given; what it has no answer for, it never answers. */
function shake(answers: Answers, more: Partial<HandshakeOptions> = {}) {
  const clock = standingClock();
  const link = new Link((frame, self) => {
    const answer = answers[frame.method ?? ''];
    if (answer && frame.id !== undefined)
      queueMicrotask(() => self.say({ id: frame.id ?? 0, ...answer(frame) }));
  });
  const peer = new Peer({
    transport: link,
    clock,
    server: 'one',
    endError: () => new PlugError('crashed', 'Gone.', { owner: 'server' }),
    onRequest: () => Promise.resolve({}),
    onNotification: () => undefined,
    onEnd: () => undefined,
  });
  const agreed: Promise<Agreement> = shakeHands(peer, {
    server: 'one',
    clientInfo: { name: 'plugboard' },
    clientCapabilities: {},
    prior: undefined,
    pipe: true,
    timeoutMs: 30_000,
    clock,
    limits,
    ...more,
  });
  return { agreed, clock, methods: () => link.sent.map(({ method }) => method) };
}

verifies(
  ['C2'],
  'a modern server is asked once; an old one is asked in its own way after its refusal',
  async () => {
    const modern = shake({ 'server/discover': discovered });
    expect(await modern.agreed).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
    expect(modern.methods()).toEqual(['server/discover']);
    const old = shake({ 'server/discover': unknown, initialize: initialized('2024-11-05') });
    expect(await old.agreed).toMatchObject({ era: 'legacy', protocolVersion: '2024-11-05' });
    expect(old.methods()).toEqual(['server/discover', 'initialize']);
  },
);

verifies(
  ['C2'],
  'a known old server is not asked again; one that refuses the old way is asked after all',
  async () => {
    const old = shake({ initialize: initialized('2025-06-18') }, { prior: 'legacy' });
    expect(await old.agreed).toMatchObject({ era: 'legacy', protocolVersion: '2025-06-18' });
    expect(old.methods()).toEqual(['initialize']);
    const renewed = shake({ initialize: unknown, 'server/discover': discovered }, { prior: 'legacy' });
    expect(await renewed.agreed).toMatchObject({ era: 'modern' });
    const broken = shake({ initialize: unknown, 'server/discover': unknown }, { prior: 'legacy' });
    await expect(broken.agreed).rejects.toMatchObject({ code: 'server_error' });
  },
);

verifies(
  ['C2'],
  'silence on a pipe brings the old question beside the new one, and whoever is answered first counts',
  async () => {
    const silent = shake({ initialize: initialized('2025-11-25') });
    await silent.clock.advance(limits.probeSilenceMs);
    expect(await silent.agreed).toMatchObject({ era: 'legacy' });
    const mute = shake({});
    const ended = expect(mute.agreed).rejects.toMatchObject({ code: 'call_timeout' });
    await mute.clock.advance(60_000);
    await ended;
  },
);

test('a server of no version that we know is named, with what it speaks', async () => {
  const wrong = shake({ 'server/discover': unknown, initialize: initialized('1999-01-01') });
  await expect(wrong.agreed).rejects.toMatchObject({
    code: 'protocol_error',
    message: expect.stringContaining('1999-01-01'),
    next: expect.any(String),
  });
  const future = shake({
    'server/discover': () => ({
      error: { code: -32022, message: 'no', data: { supported: ['2031-01-01'] } },
    }),
  });
  await expect(future.agreed).rejects.toMatchObject({
    code: 'protocol_error',
    message: expect.stringContaining('2031-01-01'),
  });
});

test('an answer to discover that is none is not taken for a modern server', async () => {
  const odd = shake({
    'server/discover': () => ({ result: { supportedVersions: 'all' } }),
    initialize: initialized('2025-03-26'),
  });
  expect(await odd.agreed).toMatchObject({ era: 'legacy', protocolVersion: '2025-03-26' });
});
