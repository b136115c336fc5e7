import { defineConfig } from 'vitest/config';
import { programsFolder } from './test/suite/bundle-programs.ts';
import { compileCache } from './test/suite/compile-cache.ts';
import { lastingFolder } from './test/suite/lasting-folder.ts';
import { LongestFirst } from './test/suite/longest-first.ts';
import { measureSlowness } from './test/suite/slowness.ts';

// Most tests wait for processes of their own, so that more of them than cores run at once; each
// then has less of a core, and its limits are longer by as much.
const WORKERS = 5;
const CROWD = 3;
const patience = measureSlowness() * CROWD;

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
    env: {
      PLUG_TEST_PATIENCE: String(patience),
      PLUG_TEST_PROGRAMS: programsFolder,
      PLUG_TEST_LASTING: lastingFolder,
      ...compileCache,
      // Hubs would ask the developer's own login shell for its PATH, one shell for each hub.
      SHELL: '',
    },
    // Bounds against hanging, not promises of speed: see test/suite/patience.ts.
    testTimeout: 60_000 * patience,
    hookTimeout: 90_000 * patience,
    expect: { poll: { timeout: 20_000 * patience } },
    globalSetup: ['test/suite/temporary.ts', 'test/suite/bundle-programs.ts', 'test/suite/share.ts'],
    setupFiles: 'test/suite/put-back.ts',
    sequence: { sequencer: LongestFirst },
    // A worker keeps the product loaded from one file to the next.
    isolate: false,
    maxWorkers: WORKERS,
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
