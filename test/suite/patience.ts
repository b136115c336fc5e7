/**
 * A limit of time of a test, for this machine as it is. Limits are written for a quiet machine on
 * which one test runs at a time, and keep a test from hanging: none of them promises speed.
 */
export function patience(ms: number): number {
  return Math.ceil(ms * FACTOR);
}

// vitest.config.ts measures it once a run; a script that borrows a fixture of the tests has not.
const FACTOR = Number(process.env['PLUG_TEST_PATIENCE'] ?? 1);
