import { defineConfig } from 'vitest/config';

const NUMBERS = 'test/e2e/**/*numbers.e2e.ts';

const COMMON = { testTimeout: 90_000, hookTimeout: 300_000, teardownTimeout: 30_000 };

export default defineConfig({
  test: {
    globalSetup: ['test/e2e/setup.ts'],
    projects: [
      {
        test: {
          ...COMMON,
          name: 'pages',
          include: ['test/e2e/**/*.e2e.ts'],
          exclude: [NUMBERS],
          // A file starts one SillyTavern and one browser and uses them for all its tests, in order. Most of the time it
          // waits for them, so that two files get along on two cores.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'numbers',
          include: [NUMBERS],
          // What is measured is measured alone.
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
