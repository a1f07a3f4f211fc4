import { defineConfig } from 'vitest/config';

// Tests of code without a page and without state: its modules need not be loaded anew for each file.
const PURE = ['core', 'containers', 'formats', 'inspection', 'properties', 'cases', 'parity'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
const COMMON = {
  // Thousands of books or entries in one test take seconds on a busy machine; what must be quick is measured by its test.
  testTimeout: 30_000,
};
const ELSEWHERE = ['test/e2e/**', '**/node_modules/**'];

export default defineConfig({
  test: {
    projects: [
      { test: { ...COMMON, name: 'pure', include: PURE, exclude: ELSEWHERE, isolate: false } },
      {
        test: {
          ...COMMON,
          name: 'rest',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: [...ELSEWHERE, ...PURE],
        },
      },
    ],
  },
});
