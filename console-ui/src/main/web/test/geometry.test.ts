import { describe, expect, it } from 'vitest';
import { ceiling, nearest, runs, stack, zoomed } from '../src/charts/geometry';
import { joined } from '../src/lib/hooks';
import { NOTHING, value, withChange, withSnapshot } from '../src/lib/live';
import type { NodeRow, Overview, Series } from '../src/lib/types';

const layer = (name: string, values: number[]) => ({ name, label: name, color: '--x', values });

describe('charts', () => {
  it('stacks layers, and counts what is missing as nothing', () => {
    expect(stack([layer('a', [1, 2, 3]), layer('b', [10, 20])], 3)).toEqual([
      [1, 2, 3],
      [11, 22, 3],
    ]);
  });
  it('breaks where nothing was recorded', () => {
    expect(runs([0, 1000, 2000, 9000, 10000], 1000)).toEqual([
      [0, 2],
      [3, 4],
    ]);
    expect(runs([], 1000)).toEqual([]);
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

describe('live data', () => {
  it('grows at its end and forgets its beginning', () => {
    const now = joined(series([1000, 2000, 3000], [1, 2, 3]), series([4000], [4]), 2000);
    expect(now.times).toEqual([2000, 3000, 4000]);
    expect(now.values).toEqual([[2, 3, 4]]);
  });
  it('follows snapshot and changes', () => {
    const row = (id: string, used: number): NodeRow => ({ id, host: id, rack: '', yarnState: '', version: '', reach: 'OK', reason: '', values: [0, used] });
    const overview = { sequence: 1, totals: [0, 3] } as unknown as Overview;
    let live = withSnapshot(NOTHING, { overview, columns: ['cap', 'used'], nodes: [row('a', 1), row('b', 2)] }, 5);
    expect(value(live, live.nodes.get('b')?.values, 'used')).toBe(2);
    live = withChange(live, { overview, nodes: [row('b', 7), row('c', 1)], gone: ['a'] }, 6);
    expect([...live.nodes.keys()]).toEqual(['b', 'c']);
    expect(value(live, live.nodes.get('b')?.values, 'used')).toBe(7);
    expect(value(live, live.nodes.get('b')?.values, 'unheard of')).toBe(0);
    expect(value(NOTHING, undefined, 'used')).toBe(0);
  });
});
