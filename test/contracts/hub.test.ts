import { onTestFinished } from 'vitest';
import { connectHub } from '../../src/api/client.ts';
import { fetchSend } from '../../src/api/fetch-send.ts';
import type { Paths } from '../../src/base/paths.ts';
import { openHub, type HubOptions, type RootHub } from '../../src/hub/open-hub.ts';
import { hubContract } from './hub.ts';
import { startHub, temporaryPaths } from './running-hub.ts';
import { yesToAll } from '../yes-to-all.ts';

const openAt = (paths: Paths, given: Partial<HubOptions> = {}): Promise<RootHub> =>
  openHub({
    paths,
    cwd: paths.state,
    env: { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' },
    version: '1.0.0',
    approve: yesToAll,
    ...given,
  });

hubContract('a hub in this process, on a database in memory', async () => {
  const paths = temporaryPaths();
  const hub = await openAt(paths, { storage: { kind: 'memory' } });
  onTestFinished(() => hub.close());
  return { hub, folder: paths.state };
});

hubContract('a hub behind its socket', async () => {
  const paths = temporaryPaths();
  const { send } = await startHub(() => openAt(paths), { paths });
  const hub = connectHub(send);
  onTestFinished(() => hub.close());
  return { hub, folder: paths.state };
});

hubContract('a hub behind its port', async () => {
  const paths = temporaryPaths();
  const { address, token } = await startHub(() => openAt(paths), { paths });
  const hub = connectHub(fetchSend({ url: address.url, token }));
  onTestFinished(() => hub.close());
  return { hub, folder: paths.state };
});
