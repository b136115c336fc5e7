import { expect } from 'vitest';
import { newPlug } from '../scenarios/plug-command.ts';
import { verifies } from '../requirements.ts';

verifies(
  ['G7', 'E4'],
  'a token for the API is listed and revoked like a host’s, opens no gateway, and ends what it began',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    const { token, url } = await plug.json('host', 'add', 'emacs', '--api');
    const base = String(url);
    const authorization = `Bearer ${String(token)}`;
    const status = async (path: string, method = 'GET'): Promise<number> =>
      (await fetch(base + path, { method, headers: { authorization } })).status;
    expect(await status('/v1/servers')).toBe(200);
    expect(await status('/mcp', 'POST')).toBe(401);
    expect(await plug.json('host', 'list')).toMatchObject({ hosts: [{ name: 'emacs', opens: 'api' }] });

    const stream = await fetch(`${base}/v1/events`, { headers: { authorization } });
    const ended = stream.text();
    expect((await plug('host', 'revoke', 'emacs')).code).toBe(0);
    expect(await ended).toContain(': open');
    expect(await status('/v1/servers')).toBe(401);

    // A host of the gateway still opens nothing but that.
    const gateway = await plug.json('host', 'add', 'cursor');
    const given = { headers: { authorization: `Bearer ${String(gateway['token'])}` } };
    expect((await fetch(`${base}/v1/servers`, given)).status).toBe(401);
    expect((await plug('host', 'add', 'other', '--api', '--read-only')).code).toBe(2);
  },
);
