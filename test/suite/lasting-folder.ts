import { tmpdir } from 'node:os';

/**
 * Where files are kept from one run to the next: the machine's own folder for temporary files.
 * That of a run (temporary.ts) goes when it ends. vitest.config.ts remembers it for the workers.
 */
export const lastingFolder: string = process.env['PLUG_TEST_LASTING'] ?? tmpdir();
