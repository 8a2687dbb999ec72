// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { KINDS } from '../src/lib/kinds';
import type { Series } from '../src/lib/types';
import { layersOf } from '../src/pages/Memory';
import { looked } from '../src/ui/LogSearch';
import { told } from '../src/ui/parts';

const series = (columns: string[], times: number[], values: (number | null)[][]): Series => ({ key: '', fromMs: 0, toMs: 9, grainMs: 1000, columns, times, values, maxima: null });

test('what is held by none of the jobs that are drawn is a layer of its own', () => {
  const main = series(['used', 'cap'], [1000, 2000, 3000], [[10, 3, null], [12, 12, 12]]);
  const one = series([KINDS[0]?.column ?? ''], [1000, 2000], [[4, 4]]);
  const { layers } = layersOf(main, 'job', '', ['cluster', 'job|job_1_1'], new Map([['job|job_1_1', one]]));
  expect(layers.map((layer) => layer.label)).toEqual(['job_1_1', 'all else']);
  expect(layers[0]?.values).toEqual([4, 4, 0]);
  expect(layers[1]?.values).toEqual([6, 0, null]);
});

test('that there is nothing is said once somebody has told', () => {
  expect(told(false, null, 'Nothing was decided.')).toBe('Loading.');
  expect(told(false, new Error('gone'), 'Nothing was decided.')).toBe('The console does not tell.');
  expect(told(true, null, 'Nothing was decided.')).toBe('Nothing was decided.');
});

test('a search in logs says what of files it has not looked at', () => {
  const found = { file: 'syslog', lines: [], attempts: 1, unread: 0, unreadWhy: '', tasks: 1, searched: 1, cut: '', ends: 0, more: 0 };
  expect(looked(found)).toBe('0 lines in syslog of 1 attempts, 1 of 1 tasks.');
  expect(looked({ ...found, ends: 1, more: 2 })).toBe('0 lines in syslog of 1 attempts, 1 of 1 tasks; of 1 only the last MiB was looked at; 2 have more such lines than are shown.');
});
