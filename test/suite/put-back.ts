import { configureGlobal } from 'fast-check';
import { afterAll, vi } from 'vitest';

// The same cases in every run: a change is judged by its own faults. Another number looks for others.
configureGlobal({ seed: Number(process.env['PLUG_TEST_SEED'] ?? 1) });

// Test files share their worker's process: what one has replaced there ends with it.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
