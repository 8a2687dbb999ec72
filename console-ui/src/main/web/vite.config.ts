// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Relative addresses: the page works below any path a reverse proxy gives it.
  base: './',
  build: {
    outDir: process.env.MAMMOTH_PAGE ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': process.env.MAMMOTH_CONSOLE ?? 'http://localhost:8288' } },
  test: { environment: 'node', include: ['test/**/*.test.ts', 'test/**/*.test.tsx'] },
});
