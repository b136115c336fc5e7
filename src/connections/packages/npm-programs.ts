import { open, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isObject } from '../../base/json.ts';
import { isWithin } from './file-list.ts';
import type { PackageProgram, PackageRecord } from './record.ts';

/** The programs that a package names, each with what its first line says. */
export async function npmPrograms(
  store: string,
  own: string,
): Promise<Pick<PackageRecord, 'programs' | 'engines'>> {
  const manifest: unknown = JSON.parse(await readFile(join(own, 'package.json'), 'utf8'));
  const { name, bin, engines } = isObject(manifest) ? manifest : {};
  const unscoped = typeof name === 'string' ? name.replace(/^@[^/]*\//, '') : '';
  const named = typeof bin === 'string' ? { [unscoped]: bin } : isObject(bin) ? bin : {};
  const programs: Record<string, PackageProgram> = {};
  for (const [program, file] of Object.entries(named)) {
    const path = typeof file === 'string' ? resolve(own, file) : undefined;
    const found = path !== undefined && isWithin(own, path) ? await readProgram(path) : undefined;
    if (path !== undefined && found) programs[program] = { file: relative(store, path), ...found };
  }
  const node = isObject(engines) ? engines['node'] : undefined;
  return { programs, ...(typeof node === 'string' ? { engines: node } : {}) };
}

/** As npx chooses: the only one, or the one that is called like its package. */
export function chosenProgram(
  { name, programs }: Pick<PackageRecord, 'name' | 'programs'>,
  wanted: string | undefined,
): PackageProgram | undefined {
  if (wanted !== undefined) return Object.hasOwn(programs, wanted) ? programs[wanted] : undefined;
  const files = new Set(Object.values(programs).map(({ file }) => file));
  if (files.size === 1) return Object.values(programs)[0];
  const unscoped = name.replace(/^@[^/]*\//, '');
  return Object.hasOwn(programs, unscoped) ? programs[unscoped] : undefined;
}

const FIRST_LINE_BYTES = 256;

async function readProgram(path: string): Promise<Pick<PackageProgram, 'node'> | undefined> {
  const handle = await open(path).catch(() => undefined);
  if (!handle) return undefined;
  await using file = handle;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
  const [first = ''] = buffer.toString('latin1', 0, bytesRead).split('\n', 1);
  const options = nodeOptions(first);
  if (options !== undefined) return { node: options };
  // Without a first line of its own, npm's links on Windows run it by Node as well.
  return !first.startsWith('#!') && /\.[cm]?js$/.test(path) ? { node: [] } : {};
}

/** `#!/usr/bin/env node`, `#!/usr/bin/env -S node --no-warnings`, `#!/usr/local/bin/node`. */
function nodeOptions(line: string): readonly string[] | undefined {
  if (!line.startsWith('#!')) return undefined;
  const words = line.slice(2).trim().split(/\s+/);
  const rest = /(?:^|\/)env$/.test(words[0] ?? '') ? words.slice(words[1] === '-S' ? 2 : 1) : words;
  const [program = '', ...options] = rest;
  return /(?:^|\/)node$/.test(program) ? options : undefined;
}
