import { npmRunner } from '../../connections/processes/run-npm.ts';
import { npmMetadata, pypiMetadata } from '../../servers/plans/package-metadata.ts';
import type { MetadataByRegistry } from '../../servers/plans/pin.ts';
import type { PlanCore } from './open.ts';

type Parts = Pick<PlanCore, 'outgoing' | 'clock' | 'limits' | 'searchPath'> & {
  readonly options: Pick<PlanCore['options'], 'env' | 'platform'>;
};

/** Where npm and uv would fetch a package from on this machine: there its version is looked up. */
export function packageIndexes({ outgoing, clock, limits, searchPath, options }: Parts): MetadataByRegistry {
  const { env: hubEnv, platform = process.platform } = options;
  const index = hubEnv['UV_DEFAULT_INDEX'] ?? hubEnv['UV_INDEX_URL'] ?? hubEnv['PIP_INDEX_URL'] ?? PYPI;
  return {
    npm: npmMetadata(npmRunner({ hubEnv, platform, searchPath, clock, limits })),
    pypi: pypiMetadata({ fetch: outgoing.open, limits, index }),
  };
}

const PYPI = 'https://pypi.org/simple';
