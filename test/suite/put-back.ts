import { afterAll, vi } from 'vitest';

// Test files share their worker's process: what one has replaced there ends with it.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
