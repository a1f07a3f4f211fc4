import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    // Thousands of books or entries in one test take seconds on a busy machine; what must be quick is measured by its test.
    testTimeout: 30_000,
    exclude: ['test/e2e/**', '**/node_modules/**'],
  },
});
