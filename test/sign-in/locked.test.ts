import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { scratchFolder } from './scratch-folder.ts';
import { callTool, openTestHub, remoteServer, signIn } from './signed-in-hub.ts';
import { startAuthorizationServer, startProtectedServer } from './start.ts';

verifies(
  ['V1', 'V4', 'O3'],
  'tokens behind a passphrase wait for it: nobody is sent to a browser, and calls go on once it is given',
  async () => {
    using folder = scratchFolder();
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url });
    {
      await using hub = await openTestHub({ folder: folder.path });
      await hub.servers.add({ definition: remoteServer(server.url), test: false });
      await signIn(hub);
      const rotated = await hub.secrets.rotate({ to: 'passphrase', passphrase: 'correct horse battery' });
      expect(rotated).toEqual({ resealed: 1, to: 'passphrase' });
      expect(await callTool(hub, 'site/echo', { message: 'before' })).toBe('before');
    }
    await using hub = await openTestHub({ folder: folder.path });
    const before = await as.stats();
    const locked = { code: 'missing_input', next: 'plug secrets unlock' };
    await expect(callTool(hub, 'site/echo', { message: 'x' })).rejects.toMatchObject(locked);
    await expect(signIn(hub)).rejects.toMatchObject(locked);
    await expect(hub.accounts.signOut({ server: 'site' })).rejects.toMatchObject(locked);
    expect(await as.stats()).toEqual(before);
    expect((await hub.servers.get({ id: 'site' })).state).toMatchObject({
      kind: 'needs-input',
      missing: ["the vault's passphrase"],
      next: 'plug secrets unlock',
    });

    await hub.secrets.unlock({ passphrase: 'correct horse battery' });
    expect(await callTool(hub, 'site/echo', { message: 'after' })).toBe('after');
    expect((await as.stats()).authorizations).toEqual(before.authorizations);
    expect(await hub.accounts.list()).toMatchObject([{ server: 'site', signedIn: true }]);
  },
  40_000,
);
