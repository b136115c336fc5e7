import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, type Plugin } from 'rolldown';
import { builtinsByName } from './builtins-by-name.ts';
import { filesBelow } from './files-below.ts';
import { plainAscii } from './plain-ascii.ts';
import { stopOnWarning } from './stop-on-warning.ts';

/**
 * Joins the packages that a starting hub loads into one file each, below `dist/packages`, and lets our
 * modules import those: 490 of the 910 files that a start read were theirs. Only what we import is kept.
 * See decisions/2026-11-18-bundled-hub.md.
 */
export async function bundlePackages(dist: string): Promise<void> {
  const files = filesBelow(dist, '.js').map((path) => ({ path, code: readFileSync(path, 'utf8') }));
  const imported = importedNames(files.map(({ code }) => code));
  const bundle = await rolldown({
    input: Object.fromEntries([...imported.keys()].map((name) => [fileName(name), OWN + name])),
    platform: 'node',
    tsconfig: false,
    plugins: [onlyTheirs(imported), builtinsByName(), plainAscii()],
    onLog: stopOnWarning,
  });
  await bundle.write({
    dir: join(dist, PACKAGES),
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: false, // their licences stand beside them
    codeSplitting: { groups: [{ name: 'zod-shared', test: /[\\/]node_modules[\\/]zod[\\/]/ }] },
  });
  for (const { path, code } of files) {
    const to = (name: string): string =>
      `${relative(dirname(path), join(dist, PACKAGES))}/${fileName(name)}.js`;
    const moved = code.replaceAll(IMPORT, (line, names: string, from: string) =>
      imported.has(from) ? `import {${names}} from './${to(from)}'` : line,
    );
    if (moved !== code) writeFileSync(path, moved);
  }
  for (const name of JOINED) copyLicence(name, join(dist, PACKAGES));
}

/** The folder below `dist`. */
export const PACKAGES = 'packages';
const JOINED = [
  'kysely',
  'zod',
  'hono',
  '@hono/node-server',
  'undici',
  '@modelcontextprotocol/client',
  // What the client needs: the core would bring a second zod.
  '@modelcontextprotocol/core',
  'eventsource',
  'eventsource-parser',
  'pkce-challenge',
  'smol-toml',
  'yaml',
];
const OWN = '\0imported:';
const IMPORT = /import \{([^}]*)\} from '([^'.][^']*)'/g;

/** What our modules import of these packages, by the name that they import it from. */
function importedNames(codes: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, names = '', from = ''] of codes.flatMap((code) => [...code.matchAll(IMPORT)])) {
    if (!isJoined(from)) continue;
    const known = found.get(from) ?? new Set();
    found.set(from, known);
    for (const name of names.split(',')) {
      const [own = ''] = name.trim().split(' as ');
      if (own !== '') known.add(own);
    }
  }
  return found;
}

function isJoined(from: string): boolean {
  return JOINED.some((name) => from === name || from.startsWith(`${name}/`));
}

/** Entries that hand on the imported names; packages that those packages need stay where they are. */
function onlyTheirs(imported: ReadonlyMap<string, ReadonlySet<string>>): Plugin {
  return {
    name: 'only-theirs',
    resolveId: (id, importer) => {
      if (id.startsWith(OWN)) return id;
      if (importer?.startsWith(OWN) === true) return fileURLToPath(import.meta.resolve(id));
      return /^[./#]/.test(id) || isJoined(id) ? undefined : { id, external: true };
    },
    load: (id) => {
      if (!id.startsWith(OWN)) return undefined;
      const name = id.slice(OWN.length);
      return `export { ${[...(imported.get(name) ?? [])].join(', ')} } from ${JSON.stringify(name)};`;
    },
  };
}

function fileName(name: string): string {
  return name.replace('@', '').replaceAll('/', '-');
}

function copyLicence(name: string, folder: string): void {
  const root = fileURLToPath(new URL(`../node_modules/${name}/LICENSE`, import.meta.url));
  copyFileSync(root, join(folder, `LICENSE-${fileName(name)}`));
}
