import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { knock, type Answer } from '../contracts/knock.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { verifies } from '../requirements.ts';
import { halvesOf } from './page-world.ts';
import { newPlug } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';

const LINK = /(http:\/\/127\.0\.0\.1:\d+\/#open=[\w-]{43})/;

/** What the page does with a link. */
function follow(link: string): Promise<Answer> {
  const { origin, hash } = new URL(link);
  const body = JSON.stringify({ token: hash.slice('#open='.length) });
  const headers = { origin, 'content-type': 'application/json', 'content-length': body.length };
  return knock({ url: origin }, { method: 'POST', path: '/open', headers, body });
}

verifies(
  ['U1', 'H1'],
  'plug open starts the hub and prints a link that lets a browser in, once',
  async () => {
    const plug = newPlug();
    const { code, stdout } = await plug('open', '--print');
    const link = LINK.exec(stdout)?.[1] ?? '';
    expect([code, link]).toEqual([0, expect.stringMatching(LINK)]);
    expect(stdout).toContain('works once, within two minutes');
    const headers = halvesOf(await follow(link));
    const { origin } = new URL(link);
    expect((await knock({ url: origin }, { path: '/v1/servers', headers })).status).toBe(200);
    expect((await follow(link)).status).toBe(401);
    const document = await plug.json('open');
    expect(document).toMatchObject({ url: expect.stringMatching(LINK), opened: false });
    expect(document['expiresAt']).toBeTypeOf('number');
  },
  30_000,
);

verifies(
  ['U1'],
  'where there is a browser, plug open gives it the link in a file, which goes when it was used, and shows it to nobody else',
  async () => {
    const folder = temporaryFolder();
    const [browser, seen] = [join(folder, 'browser'), join(folder, 'seen')];
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > '${seen}'\n`);
    chmodSync(browser, 0o755);
    // The program that opens addresses on a desktop.
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nexec '${browser}' "$1"\n`);
    chmodSync(join(folder, 'xdg-open'), 0o755);
    const plug = newPlug({
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      DISPLAY: ':99',
      BROWSER: browser,
    });
    const { code, stdout, stderr } = await plug('open');
    expect([code, stdout]).toEqual([0, expect.stringContaining('in your browser')]);
    expect(`${stdout}${stderr}`).not.toMatch(LINK);
    const file = fileURLToPath(readFileSync(seen, 'utf8'));
    const link = LINK.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
    expect((await follow(link)).status).toBe(200);
    await waitFor(() => !existsSync(file));
  },
  30_000,
);

verifies(
  ['U1'],
  'a hub in the foreground shows a ready link at a terminal, and none where a log may be written',
  async () => {
    const plug = newPlug();
    const typing = startInTerminal(plug, ['hub', 'start', '--foreground']);
    const link = await typing.says(LINK);
    expect((await follow(link)).status).toBe(200);
    await plug.json('hub', 'stop');
    await typing.answer;
    const child = plug.begin(['hub', 'start', '--foreground']);
    let written = '';
    child.stdout?.on('data', (chunk: Buffer) => (written += chunk.toString()));
    while (!written.includes('Stop it with')) await once(child.stdout ?? child, 'data');
    expect(written).toContain('open');
    expect(written).not.toMatch(LINK);
    await plug.json('hub', 'stop');
  },
  40_000,
);

verifies(
  ['H1'],
  'no link, cookie or key is in any file that plug open and the hub leave behind',
  async () => {
    const plug = newPlug();
    const { url } = await plug.json('open');
    const { cookie, 'x-plug-page': key } = halvesOf(await follow(String(url)));
    await knock(
      { url: new URL(String(url)).origin },
      { path: '/v1/status', headers: { cookie, 'x-plug-page': key } },
    );
    await plug.json('hub', 'stop');
    const files = readdirSync(plug.home, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['hub.log', 'page-sessions.json']));
    const secrets = [new URL(String(url)).hash.slice('#open='.length), cookie.split('=')[1] ?? cookie, key];
    for (const { parentPath, name } of files) {
      const text = readFileSync(join(parentPath, name), 'latin1');
      for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false]);
    }
  },
  30_000,
);
