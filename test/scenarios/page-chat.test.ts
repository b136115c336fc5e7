import { expect } from 'vitest';
import type { ChatEvent } from '../../src/hub/hub.ts';
import { withAgent } from '../models/agent-world.ts';
import { calls, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { defined, PIXEL_PNG, tool } from './page-fixture.ts';

type CallEnd = Extract<ChatEvent, { readonly kind: 'call-end' }>;

const LONG_MS = 30_000;
const image = { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' };
const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' };
const note = { type: 'resource', resource: { uri: 'note:1', mimeType: 'text/plain', text: 'Milk.' } };
const link = { type: 'resource_link', uri: 'note:2', name: 'Two' };
const odd = { type: 'image', data: 'not base64!', mimeType: 'image/png' };
const markup = { ...image, mimeType: 'text/html;<script>' };
const huge = { type: 'image', data: 'A'.repeat(1_100_000), mimeType: 'image/png' };

const tools = [
  tool('get_media', { content: [{ type: 'text', text: 'Here.' }, image, sound, note, link, odd, markup] }),
  tool('get_huge', { content: [huge, image] }),
  tool('get_chart', undefined, { ui: { resourceUri: 'ui://charts/pie' } }),
  tool('get_older', undefined, { 'ui/resourceUri': 'ui://charts/older' }),
  tool('get_web', undefined, { ui: { resourceUri: 'https://evil.test/' } }),
];

async function endsOf(
  called: readonly string[],
  { apps }: { readonly apps: boolean },
): Promise<readonly CallEnd[]> {
  const ends: CallEnd[] = [];
  await withAgent({}, async ({ hub, model, say }) => {
    await hub.servers.add({ definition: defined('notes', { tools }) });
    await hub.servers.trust({ id: 'notes' });
    if (apps) await hub.servers.setApps({ id: 'notes', shown: true });
    for (const name of called) {
      model.answer(calls({ name: `notes__${name}`, args: {} }), text('Done.'));
      const { events } = await say(`Use @notes and ${name}`);
      ends.push(...events.filter((event) => event.kind === 'call-end'));
    }
  });
  return ends;
}

verifies(
  ['W4'],
  'pictures, sounds and resources of a result come along for people, what is none of it does not',
  async () => {
    const [end, huge] = await endsOf(['get_media', 'get_huge'], { apps: false });
    expect(end).toMatchObject({ tool: 'notes/get_media', outcome: 'completed' });
    expect(end?.media).toEqual([
      { kind: 'image', mimeType: 'image/png', data: PIXEL_PNG },
      { kind: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
      { kind: 'resource', mimeType: 'text/plain', uri: 'note:1', text: 'Milk.' },
      { kind: 'resource', uri: 'note:2' },
      { kind: 'image', data: PIXEL_PNG },
    ]);
    expect(huge?.media).toEqual([{ kind: 'image', mimeType: 'image/png', data: PIXEL_PNG }]);
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'the page that a server brings along for a tool is named when its pages are shown, and only then',
  async () => {
    const names = ['get_chart', 'get_older', 'get_web', 'get_media'];
    const shown = await endsOf(names, { apps: true });
    expect(shown.map(({ app }) => app)).toEqual([
      expect.objectContaining({ server: 'notes', uri: 'ui://charts/pie' }),
      expect.objectContaining({ server: 'notes', uri: 'ui://charts/older' }),
      undefined,
      undefined,
    ]);
    const hidden = await endsOf(names.slice(0, 2), { apps: false });
    expect(hidden.map(({ app }) => app)).toEqual([undefined, undefined]);
  },
  LONG_MS,
);
