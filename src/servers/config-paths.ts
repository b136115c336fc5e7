import { join, resolve } from 'node:path';

export type ConfigScope = 'env' | 'project' | 'user';

export interface ConfigPath {
  readonly path: string;
  readonly scope: ConfigScope;
}

/** Where a config file may be, the strongest first. All are optional. */
export function configPaths(options: {
  readonly envPath?: string | undefined;
  readonly cwd: string;
  /** The user's Plugboard folder. */
  readonly config: string;
}): readonly ConfigPath[] {
  const { envPath, cwd, config } = options;
  const user = { path: join(config, 'mcp.json'), scope: 'user' } as const;
  const project = { path: resolve(cwd, 'mcp.json'), scope: 'project' } as const;
  const env = envPath ? ({ path: resolve(cwd, envPath), scope: 'env' } as const) : undefined;
  // A file found twice is the user's own.
  return [
    ...(env ? [env] : []),
    ...(project.path === env?.path || project.path === user.path ? [] : [project]),
    ...(user.path === env?.path ? [] : [user]),
  ];
}
