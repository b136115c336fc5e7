import { defineConfig } from 'vitest/config';

/** A run that must fail: see suite.test.ts. */
export default defineConfig({
  test: { include: ['test/suite/planted-failure.ts'], globalSetup: 'test/suite/share.ts' },
});
