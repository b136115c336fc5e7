import { readdirSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { toPlugError } from '../../src/base/errors.ts';
import { systemIds } from '../../src/base/ids.ts';
import { limits } from '../../src/base/limits.ts';
import { PackageStore } from '../../src/connections/packages/package-store.ts';
import type { InstallRequest } from '../../src/connections/packages/shared-installs.ts';

/** Installs a package into a store, in a process of its own that a test may kill. */
const { STORE: folder = '', WANTED = '', PATH = '', ...hubEnv } = process.env;
const store = new PackageStore({
  folder,
  hubEnv: { ...hubEnv, PATH },
  platform: process.platform,
  searchPath: () => Promise.resolve(PATH),
  clock: systemClock,
  ids: systemIds,
  limits,
});
try {
  const installed = await store.install(JSON.parse(WANTED) as InstallRequest); // from the test
  console.log(JSON.stringify({ installed, left: readdirSync(folder) }));
} catch (error) {
  console.log(JSON.stringify({ error: toPlugError(error).toView(), left: readdirSync(folder) }));
}
