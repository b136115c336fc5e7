import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'],
    // A bound against hanging, not a promise of speed: real processes start slowly on a busy machine.
    testTimeout: 20_000,
    hookTimeout: 90_000,
    // Two cores: more workers than cores only make real processes time out.
    maxWorkers: 2,
    // On a machine shared with others a real process may lose a race against its time limit once;
    // a test that fails twice has failed. At a desk every failure shows at once.
    retry: process.env['CI'] ? 1 : 0,
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
