import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for a script or a test; it goes with the block that holds it. */
export function scratchFolder(): { readonly path: string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'sign-in-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
