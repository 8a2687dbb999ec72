// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { held, most, taskCount, tasksOf } from '../src/lib/jobs';
import type { JobPast, JobRow, JobView } from '../src/lib/types';

const columns = ['sort', 'maps', 'reduces', 'total'];
const nothing: JobPast = { fromMs: 0, toMs: 0, peaks: [null, null, null, null], untold: 'nothing was recorded of it: it ran in no engine' };
const row = (finishedMs: number, tasks: JobRow['job']['tasks'], past: JobPast | null, use: JobRow['use'] = [null, null, null, null], finalStatus = 'SUCCEEDED') =>
  ({ job: { finishedMs, tasks, finalStatus }, use, past }) as unknown as JobRow;

describe('a job that has ended', () => {
  it('has the counts of the history server and the peaks that were recorded, no zeros', () => {
    const ended = row(9, { maps: 402, mapsDone: 401, reduces: 8, reducesDone: 8 }, { fromMs: 1, toMs: 9, peaks: [4096, 12, 2, 8192], untold: '' });
    expect(tasksOf(ended, columns, 'maps')).toEqual({ figure: 402, why: '401 succeeded' });
    expect(tasksOf(ended, columns, 'reduces').figure).toBe(8);
    expect(held(ended, columns, 'sort')).toEqual({ figure: 4096, why: 'the most at any time' });
  });
  it('of one that failed, says that only those are counted that succeeded', () => {
    const failed = row(9, { maps: 0, mapsDone: 0, reduces: 0, reducesDone: 0 }, nothing, undefined, 'FAILED');
    expect(tasksOf(failed, columns, 'maps').why).toContain('counts no others');
  });
  it('says so where nobody knows', () => {
    const ended = row(9, null, nothing);
    expect(tasksOf(ended, columns, 'maps')).toEqual({ figure: null, why: 'the history server does not tell of this job' });
    expect(held(ended, columns, 'total')).toEqual({ figure: null, why: nothing.untold });
    expect(most(nothing, columns, 'a column of a later version').figure).toBeNull();
  });
});

describe('a job that runs', () => {
  it('has what it holds now', () => {
    const runs = row(0, null, null, [2048, 3, 0, 2048]);
    expect(held(runs, columns, 'sort')).toEqual({ figure: 2048, why: '' });
    expect(tasksOf(runs, columns, 'reduces')).toEqual({ figure: 0, why: 'run in engines now' });
    expect(held(row(0, null, null), columns, 'sort').figure).toBeNull();
  });
});

describe('how many tasks a job has', () => {
  const view = (change: object) => ({ job: { tasks: null, finishedMs: 9 }, tasks: [{ type: 'MAP' }, { type: 'REDUCE' }], tasksFrom: 'engines', ...change }) as unknown as JobView;
  it('is not how many were seen in engines', () => {
    expect(taskCount(view({}))).toEqual({ all: null, maps: null, note: 'the history server does not tell; 2 were seen in engines' });
    expect(taskCount(view({ tasksFrom: 'job' }))).toEqual({ all: 2, maps: 1, note: '' });
    expect(taskCount(view({ job: { tasks: { maps: 7, reduces: 1 }, finishedMs: 9, finalStatus: 'SUCCEEDED' } })).all).toBe(8);
    expect(taskCount(view({ job: { tasks: { maps: 0, reduces: 0 }, finishedMs: 9, finalStatus: 'FAILED' } })).all).toBeNull();
    expect(taskCount(view({ job: { tasks: { maps: 0, reduces: 0 }, finishedMs: 9, finalStatus: 'FAILED' }, tasksFrom: 'job' })).all).toBe(2);
  });
});
