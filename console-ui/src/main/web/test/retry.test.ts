// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../src/lib/answers';
import { getJson, retryMs, Steady } from '../src/lib/hooks';

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

test('a question that moves waits for the answer to the one before, but not for one to something else', () => {
  const steady = new Steady();
  expect(steady.ask('from=1', 'node a')).toBe('from=1');
  expect(steady.ask('from=2', 'node a')).toBe('from=1');
  steady.heard('from=1');
  expect(steady.ask('from=3', 'node a')).toBe('from=3');
  expect(steady.ask('from=4', 'node b')).toBe('from=4');
  steady.heard('from=3');
  expect(steady.ask('from=5', 'node b')).toBe('from=4');
});

/** A connection that died without a word: nothing ever comes, until whoever asked gives up. */
const dead = (_: string, { signal }: { signal: AbortSignal }) =>
  new Promise((_answer, fail) => {
    const stop = () => fail(signal.reason as Error);
    if (signal.aborted) {
      stop();
    }
    signal.addEventListener('abort', stop);
  });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an answer that never comes is given up after a minute', async () => {
  vi.stubGlobal('fetch', dead);
  let error: Error | null = null;
  getJson('overview').catch((e: Error) => {
    error = e;
  });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(error).toBeNull();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(error).toMatchObject({ message: 'no answer within 60 s' });
});

test('who asks may still give up before', async () => {
  vi.stubGlobal('fetch', dead);
  const abort = new AbortController();
  const asked = getJson('overview', abort.signal);
  abort.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  await expect(getJson('overview', abort.signal)).rejects.toThrow('gone');
});
