import { join, resolve } from 'node:path';

export type ConfigScope = 'env' | 'project' | 'user';

export interface ConfigPath {
  readonly path: string;
  readonly scope: ConfigScope;
}

export function configPaths(options: {
  readonly envPath?: string | undefined;
  readonly cwd: string;
  readonly config: string;
}): readonly ConfigPath[] {
  const { envPath, cwd, config } = options;
  const user: ConfigPath = { path: join(config, 'mcp.json'), scope: 'user' };
  const project: ConfigPath = { path: resolve(cwd, 'mcp.json'), scope: 'project' };
  const env: readonly ConfigPath[] = envPath ? [{ path: resolve(cwd, envPath), scope: 'env' }] : [];
  // A file found twice is the user's own.
  const own = [...env, ...(env[0]?.path === user.path ? [] : [user])];
  const others = own.some(({ path }) => path === project.path) ? [] : [project];
  return [
    ...own.filter(({ scope }) => scope === 'env'),
    ...others,
    ...own.filter(({ scope }) => scope === 'user'),
  ];
}
