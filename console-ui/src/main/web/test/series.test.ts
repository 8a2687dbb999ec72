// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { continued, grows, joined } from '../src/lib/hooks';
import type { Series } from '../src/lib/types';

const NOW = 1_700_000_000_000;
const series = (times: number[]): Series => ({ key: 'cluster', fromMs: times[0] ?? 0, toMs: times.at(-1) ?? 0, grainMs: 1000, columns: ['cap'], times, values: [times.map((_, i) => i)], maxima: null });

test('a span grows until it has passed, also one that stands still', () => {
  expect(grows({ live: true, name: '15m', spanMs: 900_000 }, NOW)).toBe(true);
  expect(grows({ live: false, from: NOW - 1000, to: NOW + 900_000 }, NOW)).toBe(true);
  expect(grows({ live: false, from: NOW - 9000, to: NOW - 1000 }, NOW)).toBe(true);
  expect(grows({ live: false, from: NOW - 9000, to: NOW - 5000 }, NOW)).toBe(false);
});

test('a series is gone on with where it ends, but not over a gap as long as the span', () => {
  const old = series([NOW - 3000, NOW - 2000]);
  expect(continued(old, NOW - 900_000)).toBe(NOW - 1999);
  expect(continued(old, NOW)).toBeNull();
  expect(continued(undefined, NOW)).toBeNull();
  expect(joined(old, series([NOW - 1000, NOW]), NOW - 2000).times).toEqual([NOW - 2000, NOW - 1000, NOW]);
});
