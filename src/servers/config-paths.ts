import { join, resolve } from 'node:path';

export type ConfigScope = 'env' | 'project' | 'user';

export interface ConfigPath {
  readonly path: string;
  readonly scope: ConfigScope;
}

/** The places where a config file may be, the strongest first. All of them are optional. */
export function configPaths(options: {
  /** The value of `PLUG_MCP_CONFIG`. */
  readonly envPath?: string | undefined;
  readonly cwd: string;
  /** The user's Plugboard folder. */
  readonly config: string;
}): readonly ConfigPath[] {
  const { envPath, cwd, config } = options;
  const user: ConfigPath = { path: join(config, 'mcp.json'), scope: 'user' };
  const project: ConfigPath = { path: resolve(cwd, 'mcp.json'), scope: 'project' };
  const env: readonly ConfigPath[] = envPath ? [{ path: resolve(cwd, envPath), scope: 'env' }] : [];
  // A file found twice is the user's own: they named it, or keep it in their own folder.
  const own = [...env, ...(env[0]?.path === user.path ? [] : [user])];
  const others = own.some(({ path }) => path === project.path) ? [] : [project];
  return [
    ...own.filter(({ scope }) => scope === 'env'),
    ...others,
    ...own.filter(({ scope }) => scope === 'user'),
  ];
}
