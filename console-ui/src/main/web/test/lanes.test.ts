// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { barAt, lanes, type Bar } from '../src/charts/lanes';

/** Numbers that look random and are the same each time. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

describe('lanes', () => {
  it('hold every bar once, none over another, no more lanes than bars at once', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = numbers(seed);
      const bars: Bar[] = Array.from({ length: 300 }, () => {
        const from = next(1000);
        return { node: `n${next(4)}`, from, to: from + next(90) };
      });
      const made = lanes([...bars]);
      expect(new Set(made.lanes.flat()).size).toBe(300);
      for (const lane of made.lanes) {
        expect(new Set(lane.map((bar) => bar.node)).size).toBe(1);
        lane.slice(1).forEach((bar, i) => expect(bar.from).toBeGreaterThanOrEqual(lane[i]?.to ?? Infinity));
      }
      for (const group of made.groups) {
        const own = bars.filter((bar) => bar.node === group.node);
        const most = Math.max(...own.map((bar) => own.filter((other) => other.from <= bar.from && (other.to > bar.from || other === bar)).length));
        expect(group.count).toBeLessThanOrEqual(most);
        expect(made.lanes[group.first]?.[0]?.node).toBe(group.node);
      }
    }
  });
  it('come in the order of nodes, what is not known last', () => {
    const bar = (node: string) => ({ node, from: 0, to: 1 });
    expect(lanes(['', 'n10', 'n9'].map(bar)).groups.map((group) => group.node)).toEqual(['n9', 'n10', '']);
    expect(lanes([]).lanes).toEqual([]);
  });
  it('take a hundred thousand bars', () => {
    const next = numbers(7);
    const bars = Array.from({ length: 100_000 }, () => {
      const from = next(100_000);
      return { node: '', from, to: from + 20_000 };
    });
    expect(lanes(bars).lanes.flat()).toHaveLength(100_000);
  });
  it('tell which bar is pointed at', () => {
    const lane = [{ node: 'n', from: 10, to: 20 }, { node: 'n', from: 30, to: 40 }];
    expect(barAt(lane, 15, 2)).toBe(lane[0]);
    expect(barAt(lane, 29, 2)).toBe(lane[1]);
    expect(barAt(lane, 25, 2)).toBeNull();
    expect(barAt(undefined, 25, 2)).toBeNull();
  });
});
