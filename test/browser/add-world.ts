import type { Locator } from 'playwright-core';
import { listen, type Listener } from '../scenarios/registry-listener.ts';
import { standInNpx, type StandInNpx } from '../scenarios/stand-in-npx.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { openPage, type PageOptions, type PageWorld } from './world.ts';

export interface AddWorld extends PageWorld {
  /** The one box. */
  readonly box: Locator;
  /** Types a text there and goes on. */
  readonly goOn: (text: string) => Promise<void>;
  /** The plan under this heading. */
  readonly plan: (title: string | RegExp) => Locator;
  /** What is said under the box while one types. */
  readonly recognized: Locator;
  /** How npx was called, oldest first. */
  readonly npxCalls: StandInNpx['calls'];
  /** The package index of this machine. */
  readonly npm: Listener;
}

/** The Add page of a hub that asks nobody outside of this machine. */
export async function openAdd(options: PageOptions = {}): Promise<AddWorld> {
  const npm = await listen(packageIndex);
  const { PATH, calls } = standInNpx();
  const home = temporaryFolder();
  const world = await openPage({
    ...options,
    place: options.place ?? '/add',
    env: {
      PATH,
      HOME: home,
      PLUG_REGISTRIES: '{"official":false,"smithery":false}',
      npm_config_registry: npm.url,
      UV_DEFAULT_INDEX: npm.url,
      ...options.env,
    },
  });
  const { page } = world;
  const box = page.getByLabel('What to add');
  return Object.assign(Object.create(world) as PageWorld, {
    box,
    recognized: page.getByRole('tabpanel').getByRole('status'),
    npxCalls: calls,
    npm,
    goOn: async (text: string) => {
      await box.fill(text);
      await page.getByRole('button', { name: 'Continue' }).click();
    },
    plan: (title: string | RegExp) =>
      page.getByRole('region').filter({ has: page.getByRole('heading', { name: title, level: 2 }) }),
  });
}

/** Knows every package under `acme-`, in one version. */
function packageIndex(url: URL): object | undefined {
  const name = decodeURIComponent(url.pathname.slice(1));
  if (!/^(@acme\/|acme-)/.test(name)) return undefined;
  const dist = { integrity: 'sha512-c2FtcGxl' };
  return { name, 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': { name, version: '1.2.3', dist } } };
}
