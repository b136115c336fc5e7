import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { calls, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { LONG_MS, openChat, type ChatPageWorld } from './chat-world.ts';
import { escaping, EXITS, LEAVING, NESTED, REPLACING, type Way } from './escape-ways.ts';
import { knock, setTrap, type Trap } from './traps.ts';

const program = fileURLToPath(new URL('escape-server.ts', import.meta.url));
const BLOCKED =
  /Content Security Policy|Blocked|sandbox|Failed to|ERR_|Trusted|Unsafe|about:blank|frame|RTCPeerConnection/i;

type Tried = readonly (readonly [name: string, way: Way, trap: Trap])[];

async function trapped(ways: Readonly<Record<string, Way>>): Promise<Tried> {
  const tried = Object.entries(ways).map(async ([name, way]) => [name, way, await setTrap()] as const);
  return Promise.all(tried);
}

/** Shows apps one after the other: those of a server that its user has let show pages. */
async function showAll(world: ChatPageWorld, pages: Readonly<Record<string, string>>): Promise<void> {
  const { hub, model, page, say } = world;
  const folder = temporaryFolder();
  for (const [name, html] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), html);
  const endpoint = { kind: 'stdio', command: process.execPath, args: [program, folder], env: {} } as const;
  await hub().servers.add({ definition: defineServer({ id: 'escapes', endpoint }) });
  await hub().servers.setApps({ id: 'escapes', shown: true });
  for (const name of Object.keys(pages)) {
    await hub().grants.add({ tool: `escapes/show_${name}` });
    model.answer(calls({ name: `escapes__show_${name}`, args: {} }), text(`That was ${name}.`));
    await say(`Show ${name}`);
    await page.getByText(`That was ${name}.`).waitFor();
  }
}

/** What an app has written down in its own document. */
async function logs({ page }: ChatPageWorld): Promise<string> {
  const read = page.frames().map((frame) => frame.locator('#log').textContent({ timeout: 500 }));
  const texts = await Promise.allSettled(read);
  return texts.map((each) => (each.status === 'fulfilled' ? each.value : '')).join('');
}

/** The page itself has WebRTC: it shows that traps hear it, and how long that takes at most. */
async function knockFromPage({ page }: ChatPageWorld): Promise<void> {
  const trap = await setTrap();
  // Outside of the page's own world no policy of the page stands in the way of a test.
  await page.evaluate(`(() => { ${knock(trap)} })()`);
  await waitFor(() => trap.heard() >= 2, 10_000);
  await sleep(1_000);
}

function heard(tried: Tried): readonly string[] {
  return tried.filter(([, , trap]) => trap.heard() > 0).map(([name]) => name);
}

verifies(
  ['W4', 'attack:11'],
  'an app reaches nobody by WebRTC, neither itself nor from a document that it makes inside it',
  async () => {
    const world = await openChat({ mayComplain: BLOCKED });
    const tried = await trapped(NESTED);
    const still = await setTrap();
    // What stands in the text from the start is made by the parser, before any code of the app runs.
    const quoted = `<script>${knock(still)}</script>`.replaceAll('"', '&quot;');
    const standing = `<iframe srcdoc="${quoted}"></iframe><iframe src="javascript:${knock(still)}"></iframe>
      <noscript><p title="</noscript><iframe srcdoc='${quoted.replaceAll("'", '&#39;')}'></iframe>"></noscript>`;
    await showAll(world, { nested: escaping(tried), standing });
    await waitFor(async () => (await logs(world)).includes('a worker=tried'), 20_000);
    const said = await logs(world);
    expect(Object.keys(NESTED).filter((name) => !said.includes(`${name}=tried`))).toEqual([]);
    await knockFromPage(world);
    expect(heard(tried)).toEqual([]);
    expect(still.heard()).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['W4', 'attack:11'],
  'an app reaches nobody by WebRTC from a document in its own place',
  async () => {
    const world = await openChat({ mayComplain: BLOCKED });
    const tried = await trapped(REPLACING);
    const pages = tried.map((each, index) => [`p${index}`, escaping([each])] as const);
    await showAll(world, Object.fromEntries(pages));
    await knockFromPage(world);
    expect(heard(tried)).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['W4', 'attack:11'],
  'an app sends nothing by hints, forms, windows, beacons, requests, pictures, styles or by leaving',
  async () => {
    const world = await openChat({ mayComplain: BLOCKED });
    const tried = await trapped(EXITS);
    const leaving = await trapped(LEAVING);
    const pages = leaving.map((each, index) => [`p${index}`, escaping([each])] as const);
    await showAll(world, { exits: escaping(tried), ...Object.fromEntries(pages) });
    await waitFor(async () => (await logs(world)).includes('a rule for guessing=tried'), 20_000);
    await knockFromPage(world);
    expect(heard([...tried, ...leaving])).toEqual([]);
    expect(new URL(world.page.url()).pathname).toMatch(/^\/chat/);
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'a held app works as before: it writes markup, adds scripts and handlers, and asks for text and JSON',
  async () => {
    const world = await openChat({ mayComplain: BLOCKED });
    const works = `<!doctype html><body><pre id="log"></pre><div id="box"></div><script>
      const say = (word) => { document.querySelector('#log').textContent += word + '\\n'; };
      const box = document.querySelector('#box');
      box.innerHTML = '<button id="b" onclick="say(\\'clicked\\')">1 &lt; 2 <b>bold</b></button>';
      document.querySelector('#b').click();
      say('text ' + document.querySelector('#b').textContent);
      const script = document.createElement('script'); script.textContent = 'say("script ran")'; document.body.append(script);
      const other = document.createElement('button'); other.setAttribute('onclick', 'say("handled")'); other.click();
      const svg = new DOMParser().parseFromString('<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>', 'image/svg+xml');
      say('svg ' + svg.documentElement.firstChild.nodeName);
      const ask = new XMLHttpRequest(); ask.responseType = 'json'; say('type ' + ask.responseType);
      ask.responseType = 'document'; say('parsed ' + (ask.responseType === 'document' || ask.responseXML));
      say('types ' + typeof trustedTypes);
    </script></body>`;
    await showAll(world, { works });
    await waitFor(async () => (await logs(world)).includes('types'), 20_000);
    expect((await logs(world)).trim().split('\n')).toEqual([
      'clicked',
      'text 1 < 2 bold',
      'script ran',
      'handled',
      'svg g',
      'type json',
      // What is parsed on arrival could bring frames along.
      'parsed null',
      'types undefined',
    ]);
  },
  LONG_MS,
);
