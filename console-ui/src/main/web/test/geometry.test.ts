// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { ceiling, drawn, largest, nearest, partial, runs, stack, without, zoomed } from '../src/charts/geometry';
import { joined } from '../src/lib/hooks';
import { NOTHING, value, withChange, withSnapshot } from '../src/lib/live';
import type { NodeRow, Overview, Series } from '../src/lib/types';

const layer = (name: string, values: (number | null)[]) => ({ name, label: name, color: '--x', values });

describe('charts', () => {
  it('stacks layers, and knows no sum of what is not known', () => {
    expect(stack([layer('a', [1, 2, 3]), layer('b', [10, 0, null])], 3)).toEqual([
      [1, 2, 3],
      [11, 2, null],
    ]);
  });
  it('breaks where nothing was recorded', () => {
    expect(runs([0, 1000, 2000, 9000, 10000], 1000)).toEqual([
      [0, 2],
      [3, 4],
    ]);
    expect(runs([], 1000)).toEqual([]);
    expect(runs([0, 1000, 2000, 3000, 4000], 1000, [null, 1, 0, null, 7])).toEqual([
      [1, 2],
      [4, 4],
    ]);
  });
  it('shows where a sum is without some nodes', () => {
    expect(partial([0, 1000, 2000, 3000], 1000, [0, 1, 1, 0])).toEqual([[1, 2]]);
    expect(partial([0, 1000], 1000, [])).toEqual([]);
    const series = (nodes: number[], untold: (number | null)[], most?: (number | null)[]) =>
      ({ columns: ['nodes', 'enginesUntold'], times: nodes, values: [nodes, untold], maxima: most ? [nodes, most] : null }) as unknown as Series;
    expect(without(series([3, 2, 2], [0, 1, null]), 'enginesUntold')).toEqual([0, 1, 0]);
    expect(without(series([999, 900], [1, 100]), 'enginesUntold'), 'one of a thousand is often late').toEqual([0, 100]);
    expect(without(series([3, 3], [0, 0], [0, 1]), 'enginesUntold'), 'a mean of less than a half').toEqual([0, 1]);
    expect(without(undefined, 'enginesUntold')).toEqual([]);
  });
  it('ends at a round number above the largest', () => {
    for (let v = 1; v < 2 ** 42; v = v * 3 + 1) {
      expect(ceiling(v, 1024)).toBeGreaterThanOrEqual(v);
      expect(ceiling(v, 1024)).toBeLessThan(2.1 * v + 1);
    }
    expect(ceiling(5, 1000)).toBe(8);
  });
  it('finds the nearest time', () => {
    const times = [10, 20, 30];
    expect([0, 14, 16, 25, 99].map((t) => nearest(times, t))).toEqual([0, 0, 1, 2, 2]);
    expect(nearest([], 5)).toBe(-1);
  });
  it('keeps the point under the pointer when it zooms', () => {
    const [from, to] = zoomed([0, 100_000], 25_000, 0.5);
    expect(from).toBe(12_500);
    expect(to).toBe(62_500);
    const least = zoomed([0, 100_000], 50_000, 1e-9);
    expect(least[1] - least[0]).toBe(10_000);
  });
});

const series = (times: number[], values: number[]): Series => ({
  key: 'cluster', fromMs: 0, toMs: 0, grainMs: 1000, columns: ['used'], times, values: [values], maxima: null,
});

describe('peaks', () => {
  it('are drawn of what was recorded of them, and count for the height', () => {
    const folded = { ...series([60_000, 120_000], [1, 2]), maxima: [[5, null]] };
    expect(drawn(folded, 'used')).toEqual({ values: [1, 2], peaks: [5, null] });
    expect(drawn(folded, 'no such')).toEqual({ values: [], peaks: undefined });
    expect(drawn(undefined, 'used').values).toEqual([]);
    expect(largest([[1, 2], [5, null], undefined])).toBe(5);
  });
});

describe('live data', () => {
  it('grows at its end and forgets its beginning', () => {
    const now = joined(series([1000, 2000, 3000], [1, 2, 3]), series([4000], [4]), 2000);
    expect(now.times).toEqual([2000, 3000, 4000]);
    expect(now.values).toEqual([[2, 3, 4]]);
    expect(now.maxima).toBeNull();
  });
  it('keeps the peaks of what has some', () => {
    const folded = { ...series([1000, 2000], [1, 2]), maxima: [[5, 9]] };
    expect(joined(folded, series([4000], [4]), 2000).maxima).toEqual([[9, 4]]);
    expect(joined(series([1000], [1]), folded, 0).maxima).toEqual([[1, 5, 9]]);
  });
  it('follows snapshot and changes', () => {
    const row = (id: string, used: number): NodeRow => ({ id, host: id, rack: '', yarnState: '', version: '', reach: 'OK', reason: '', values: [0, used] });
    const overview = { sequence: 1, totals: [0, 3] } as unknown as Overview;
    let live = withSnapshot(NOTHING, { overview, columns: ['cap', 'used'], nodes: [row('a', 1), row('b', 2)] }, 5);
    expect(value(live, live.nodes.get('b')?.values, 'used')).toBe(2);
    live = withChange(live, { overview, nodes: [row('b', 7), row('c', 1)], gone: ['a'] }, 6);
    expect([...live.nodes.keys()]).toEqual(['b', 'c']);
    expect(value(live, live.nodes.get('b')?.values, 'used')).toBe(7);
    expect(value(live, live.nodes.get('b')?.values, 'unheard of')).toBeNull();
    expect(value(NOTHING, undefined, 'used')).toBeNull();
  });
});
