// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { at, hottest, layOut, owner, short, tree } from '../src/lib/flame';

describe('a flame graph', () => {
  it('adds stacks up, whatever they are: parents hold their children, levels do not overlap', () => {
    let seed = 11;
    const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
    for (let round = 0; round < 100; round++) {
      const stacks: Record<string, number> = {};
      for (let i = 0; i < 1 + random(30); i++) {
        stacks[Array.from({ length: 1 + random(6) }, () => 'abc'[random(3)]).join(';')] = 1 + random(100);
      }
      const root = tree(stacks);
      const sum = Object.values(stacks).reduce((a, b) => a + b, 0);
      expect(root.total).toBe(sum);
      expect(hottest(root).reduce((a, b) => a + b.self, 0)).toBe(sum);
      const bars = layOut(root, 0);
      for (const bar of bars) {
        const called = bar.frame.calls.reduce((a, b) => a + b.total, 0);
        expect(bar.frame.self + called).toBe(bar.frame.total);
        expect(at(root, bar.path)).toBe(bar.frame);
      }
      for (const depth of new Set(bars.map((bar) => bar.depth))) {
        const level = bars.filter((bar) => bar.depth === depth).sort((a, b) => a.left - b.left);
        level.slice(1).forEach((bar, i) => expect(bar.left).toBeGreaterThanOrEqual((level[i]?.left ?? 0) + (level[i]?.width ?? 0) - 1e-9));
      }
    }
  });
  it('leaves out what is too narrow to see', () => {
    expect(layOut(tree({ 'a;b': 999, 'a;c': 1 }), 0.01).map((bar) => bar.frame.name)).toEqual(['all', 'a', 'b']);
  });
  it('of nothing is empty, not an error', () => {
    expect(layOut(tree({}), 0.001)).toEqual([]);
  });
  it('tells whose code a frame is', () => {
    expect(['java.lang.Thread.run', 'org.mammoth.engine.sort.merge.MergeQueue.next', 'org.apache.hadoop.mapreduce.Mapper.run', 'user.Tokenizer.<init>', 'writer-…', 'attempt_1_0001_m_000007_0'].map(owner)).toEqual(['jdk', 'mammoth', 'hadoop', 'job', 'thread', 'thread']);
    expect(short('org.mammoth.engine.sort.merge.MergeQueue.next')).toBe('MergeQueue.next');
    expect(short('writer-…')).toBe('writer-…');
  });
});
