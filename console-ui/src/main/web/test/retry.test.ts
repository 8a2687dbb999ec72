// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { ApiError } from '../src/lib/answers';
import { retryMs } from '../src/lib/hooks';

const refused = (status: number) => new ApiError(status, 'no');

test('what has failed is tried again by itself', () => {
  expect(retryMs(new Error('gone'), 0)).toBe(5000);
  expect(retryMs(new Error('gone'), 1000)).toBe(1000);
  expect(retryMs(refused(503), 60_000)).toBe(5000);
  expect(retryMs(refused(404), 'by what was read')).toBe(5000);
});

test('what is read once and was refused is seldom tried again', () => {
  expect(retryMs(refused(404), 0)).toBe(60_000);
  expect(retryMs(refused(429), 0)).toBe(5000);
});

test('what is dear to answer is asked for by people only', () => {
  expect(retryMs(refused(504), 'once')).toBe(0);
});
