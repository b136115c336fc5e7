import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 5_000,
    hookTimeout: 60_000,
    // Two cores: more workers than cores only make real processes time out.
    maxWorkers: 2,
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
