import { join } from 'node:path';
import { findPaths, type Paths } from '../../base/paths.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { faint, type Output } from '../output.ts';
import type { Session } from '../session.ts';

export type OwnFile = 'mcp' | 'rules' | 'registries';

export function ownPaths({
  env,
}: Pick<Session, 'env'>): Paths & { readonly files: Readonly<Record<OwnFile, string>> } {
  const paths = findPaths({ env, platform: process.platform });
  const file = (name: OwnFile): string => join(paths.config, `${name}.json`);
  return { ...paths, files: { mcp: file('mcp'), rules: file('rules'), registries: file('registries') } };
}

export function showPaths({ name }: { readonly name?: string }, session: Session): Promise<ExitCode> {
  const { out } = session;
  const { files, ...paths } = ownPaths(session);
  const all: Readonly<Record<string, string>> = { ...paths, ...files };
  const path = name === undefined ? undefined : all[name];
  out.document(path === undefined ? all : { [name ?? '']: path });
  if (path === undefined) renderPaths(paths, out);
  else out.line(path);
  return Promise.resolve(exitCodes.ok);
}

const WHAT: Readonly<Record<keyof Paths, string>> = {
  config: 'yours: mcp.json, rules.json, registries.json',
  data: 'the database, the vault',
  state: 'the log, the socket, the token',
};

export function renderPaths(paths: Paths, out: Output): void {
  for (const name of ['config', 'data', 'state'] as const) {
    out.line(faint(`${name.padEnd(7)} `), paths[name]);
    out.line(faint(`        ${WHAT[name]}`));
  }
}
