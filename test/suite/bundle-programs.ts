import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { PROGRAMS } from './program-file.ts';

/** Where a run finds them; below node_modules, so that what stays outside of the bundle is found. */
export const programsFolder: string = fileURLToPath(
  new URL('../../node_modules/.cache/plugboard-test-programs', import.meta.url),
);

/** Joins the programs of program-file.ts before the first test. */
export default async function bundlePrograms(): Promise<void> {
  const source = (name: string): string => fileURLToPath(new URL(`../${name}.ts`, import.meta.url));
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((name) => [name, source(name)])),
    platform: 'node',
    tsconfig: false,
    // Packages that were not made to be joined: of many files, or with a library of the machine's own.
    external: [/^oidc-provider/, /^@napi-rs\/keyring/, /^jsonc-parser/],
    onLog: () => undefined,
  });
  await bundle.write({ dir: programsFolder, entryFileNames: '[name].js', chunkFileNames: '[name].js' });
}
