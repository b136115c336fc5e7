import { join } from 'node:path';
import { findPaths, type Paths } from '../../base/paths.ts';
import type { Session } from '../session.ts';

/** The files in the config folder that are the user's to write. */
export type OwnFile = 'mcp' | 'rules' | 'registries';

export interface OwnPaths extends Paths {
  readonly files: Readonly<Record<OwnFile, string>>;
}

export function ownPaths({ env }: Pick<Session, 'env'>): OwnPaths {
  const paths = findPaths({ env, platform: process.platform });
  const { config } = paths;
  return {
    ...paths,
    files: {
      mcp: join(config, 'mcp.json'),
      rules: join(config, 'rules.json'),
      registries: join(config, 'registries.json'),
    },
  };
}
