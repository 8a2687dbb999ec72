// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from 'vitest';
import { LiveStore, NOTHING, standing, withChange, withSnapshot, type Live } from '../src/lib/live';
import type { Overview } from '../src/lib/types';

const overview = (sequence: number, startedMs = 1): Overview => ({
  sequence, startedMs, timeMs: 1_700_000_000_000 + sequence * 1000, masters: {}, reach: {}, totals: [], jobs: [], attention: [], attentionGroups: 0, cache: null, trouble: '',
});
const snapshot = (live: Live, sequence: number, at: number, startedMs = 1) => withSnapshot(live, { overview: overview(sequence, startedMs), columns: [], nodes: [] }, at);

test('what is shown grows old when nothing comes', () => {
  let live = snapshot(NOTHING, 1, 10_000);
  expect(standing(live, 11_000)).toMatchObject({ late: false, title: '' });
  expect(standing(live, 22_000)).toMatchObject({ late: true, title: '12 s old' });
  expect(standing(live, 22_000)).toMatchObject({ text: '12 s old', why: expect.stringContaining('tells nothing since') });
  live = withChange(live, { overview: overview(2), nodes: [], gone: [] }, 23_000);
  expect(standing(live, 23_500).late).toBe(false);
});

test('a console that says the same second again and again is old too', () => {
  let live = snapshot(NOTHING, 7, 10_000);
  for (let at = 11_000; at <= 20_000; at += 1000) live = snapshot(live, 7, at);
  expect(standing(live, 20_000).title).toBe('10 s old');
  expect(standing(snapshot(live, 8, 21_000), 21_500).late).toBe(false);
});

test('another process is a restart', () => {
  const live = snapshot(snapshot(NOTHING, 7, 10_000), 7, 11_000, 2);
  expect(live.restartedMs).toBe(2);
  expect(standing(live, 11_500)).toMatchObject({ late: false, title: 'restarted' });
  expect(snapshot(live, 8, 12_000, 2).restartedMs).toBe(2);
});

test('asking every few seconds is not late', () => {
  const live: Live = { ...snapshot(NOTHING, 7, 10_000), state: 'polling' };
  expect(standing(live, 16_000)).toMatchObject({ late: false });
  expect(standing(live, 16_000).text).toContain('every 5 s');
  expect(standing(live, 20_000).late).toBe(true);
});

test('before the first second', () => {
  expect(standing(NOTHING, 5).text).toBe('connecting');
  expect(standing({ ...NOTHING, state: 'lost' }, 5)).toMatchObject({ late: true, title: 'no answer' });
});

/** A stream as a browser has it, but for what comes over the wire. */
class Wire extends EventTarget {
  static readonly CLOSED = 2;
  static made: Wire[] = [];
  readyState = 1;
  constructor(readonly url: string) {
    super();
    Wire.made.push(this);
  }
  close() {
    this.readyState = Wire.CLOSED;
  }
  says(sequence: number) {
    this.dispatchEvent(new MessageEvent('snapshot', { data: JSON.stringify({ overview: overview(sequence), columns: [], nodes: [] }) }));
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Wire.made = [];
});

test('a stream that has died without a word is opened anew', () => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('EventSource', Wire);
  const store = new LiveStore('stream', () => Promise.reject(new Error('unused')));
  store.subscribe(() => undefined);
  for (let second = 1; second <= 20; second++) {
    vi.advanceTimersByTime(1000);
    Wire.made[0]?.says(second);
  }
  expect(Wire.made).toHaveLength(1);
  vi.advanceTimersByTime(16_000);
  expect(Wire.made).toHaveLength(2);
  expect(Wire.made[0]?.readyState).toBe(Wire.CLOSED);
  expect(store.get().state).toBe('lost');
  Wire.made[1]?.says(40);
  expect(store.get()).toMatchObject({ state: 'open', overview: { sequence: 40 } });
});

test('a slow line gets its first snapshot, and figures meanwhile if it takes long', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('EventSource', Wire);
  const asked: string[] = [];
  const store = new LiveStore('stream', (path) => {
    asked.push(path);
    return Promise.resolve(path === 'overview' ? overview(5) : { columns: [], nodes: [] });
  });
  store.subscribe(() => undefined);
  Wire.made[0]?.dispatchEvent(new Event('open'));
  await vi.advanceTimersByTimeAsync(50_000);
  expect(Wire.made).toHaveLength(1);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(Wire.made).toHaveLength(2);
  Wire.made[1]?.dispatchEvent(new Event('open'));
  await vi.advanceTimersByTimeAsync(100_000);
  expect(Wire.made).toHaveLength(2);
  expect(store.get().state).toBe('polling');
  Wire.made[1]?.says(200);
  expect(store.get().state).toBe('open');
  asked.length = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual([]);
});
