// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { cores, level, METRICS, racks, without } from '../src/lib/health';
import { NOTHING, type Live } from '../src/lib/live';
import type { NodeRow } from '../src/lib/types';

const COLUMNS = ['hostCpu', 'hostCores', 'localDirsUsed', 'localDirsBad', 'used', 'cap', 'pressure'];
const live: Live = { ...NOTHING, columns: new Map(COLUMNS.map((name, i) => [name, i])) };
const row = (values: (number | null)[], reach = 'OK', rack = '/r') => ({ id: 'n', host: 'n', rack, yarnState: 'RUNNING', version: '', reach, reason: '', values }) as NodeRow;
const metric = (name: string) => {
  const found = METRICS.find((m) => m.name === name);
  if (!found) throw new Error(name);
  return found;
};

describe('the map of nodes', () => {
  it('is darker the more of the cores are busy, and red when all are', () => {
    const at = (cpu: number | null) => level(live, row([cpu, 8, null, null, null, null, null]), metric('cpu'));
    expect([at(0), at(1700), at(7000), at(8000), at(null)]).toEqual(['h0', 'h1', 'h4', 'h5', 'hs']);
  });
  it('is red where a local folder is out of use, however empty the others are', () => {
    expect(level(live, row([null, null, 10, 1, null, null, null]), metric('local'))).toBe('h5');
    expect(level(live, row([null, null, 10, 0, null, null, null]), metric('local'))).toBe('h0');
  });
  it('shows of a node that cannot be read only that', () => {
    expect(level(live, row([1, 8, 1, 1, 1, 1, 1], 'GONE'), metric('cpu'))).toBe('hx');
  });
  it('has a place of its own for what a stock node does not tell', () => {
    expect(level(live, row([null, null, null, null, null, null, null], 'STOCK'), metric(''))).toBe('hs');
  });
  it('is by rack where there are several', () => {
    expect(racks([row([], 'OK', '/r10'), row([], 'OK', '/r9'), row([], 'OK', '/r10')]).map(([rack, rows]) => [rack, rows.length])).toEqual([
      ['/r9', 1],
      ['/r10', 2],
    ]);
    expect(racks([row([])])[0]?.[0]).toBe('');
  });
  it('has only metrics of columns, each with words for what is unknown', () => {
    for (const m of METRICS) {
      expect(m.share(() => null)).toBeNull();
      expect(m.text(() => null)).toContain('–');
    }
  });
});

describe('sums of hosts', () => {
  it('say of how many nodes they are without', () => {
    const rows = [row([1, 8]), row([null, 8])];
    expect(without(live, rows, 'hostCpu')).toBe('without 1 of 2 nodes, which do not tell it');
    expect(without(live, rows, 'hostCores')).toBe('');
    expect(without(live, [row([null])], 'hostCpu')).toBe('no node tells it');
  });
  it('count cores', () => {
    expect(cores(2500)).toBe('2.5');
    expect(cores(null)).toBe('–');
  });
});
