// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { parse } from '../src/lib/address';
import { attempts, basis, differs, failureAgainMs, figure, gain, heldMost, jobsQuery, listed, tick, ticked, times, wholeAgainMs, type Failure, type JobWhole } from '../src/lib/past';
import type { Task } from '../src/lib/types';

const NOW = 1_700_000_030_000;
const query = (hash: string) => new URLSearchParams(jobsQuery(parse(hash), 60_000, NOW).split('?')[1]);

describe('the list of jobs', () => {
  it('asks for what the address says, a page at a time', () => {
    const asked = query('#/jobs?find=night&user=ada&queue=etl&state=FAILED&sort=-took&offset=100&from=1000&to=2000');
    expect(Object.fromEntries(asked)).toEqual({
      name: 'night', user: 'ada', queue: 'etl', state: 'FAILED', sort: '-took', offset: '100', from: '1000', to: '2000', limit: '100',
    });
  });
  it('is of a day at least while it moves, and the same address for a minute', () => {
    const first = jobsQuery(parse('#/jobs?range=5m'), 60_000, NOW);
    expect(jobsQuery(parse('#/jobs?range=5m'), 60_000, NOW + 9_000)).toBe(first);
    expect(jobsQuery(parse('#/jobs?range=5m'), 60_000, NOW + 61_000)).not.toBe(first);
    expect(Number(query('#/jobs?range=5m').get('from'))).toBe(1_700_000_000_000 - (1_700_000_000_000 % 60_000) - 86_400_000);
    expect(listed(parse('#/jobs?range=5m').range).title).toBe('of the last day');
    expect(listed(parse('#/jobs?range=30d').range).title).toBe('of the last 30 days');
    expect(query('#/jobs').has('to')).toBe(false);
  });
  it('of a cause is of any time, and the console picks its jobs', () => {
    expect(Object.fromEntries(query('#/jobs?cause=abc&from=1000&to=2000&sort=name'))).toEqual({ cause: 'abc', sort: 'name', limit: '100' });
  });
});

describe('which jobs held the most', () => {
  it('is asked of the range, not of what runs now', () => {
    const asked = (from: number, to: number, live: boolean) => Object.fromEntries(new URLSearchParams(heldMost(live ? { live, name: '1h', spanMs: to - from } : { live, from, to }, from, to).split('?')[1]));
    expect(asked(120_500, 180_500, false)).toEqual({ from: '120000', to: '180500', sort: '-total', limit: '8' });
    expect(asked(121_500, 181_500, true)).toEqual({ from: '120000', sort: '-total', limit: '8' });
  });
});

describe('ticks', () => {
  it('are two at most, and the third takes the place of the first', () => {
    expect(tick([], 'job_1_1')).toBe('job_1_1');
    expect(tick(['job_1_1'], 'job_1_2')).toBe('job_1_1,job_1_2');
    expect(tick(['job_1_1', 'job_1_2'], 'job_1_3')).toBe('job_1_2,job_1_3');
    expect(tick(['job_1_1', 'job_1_2'], 'job_1_1')).toBe('job_1_2');
    expect(ticked(parse('#/jobs?with=job_1_1,job_1_2,job_1_3'))).toEqual(['job_1_1', 'job_1_2']);
    expect(ticked(parse('#/jobs?with=%3Cscript%3E'))).toEqual([]);
  });
});

describe('a comparison', () => {
  it('says numbers by what they count', () => {
    expect(figure('took ms', 61_000)).toBe('1 min 1 s');
    expect(figure('CPU_MILLISECONDS', 500)).toBe('500 ms');
    expect(figure('HDFS_BYTES_READ', 1024)).toBe('1.00 KiB');
    expect(figure('SPILLED_RECORDS', 1024)).toBe('1,024');
    expect(figure('SPILLED_RECORDS', null)).toBe('–');
    expect([times(1.5), times(0.05), times(0.00001), times(0), times(null)]).toEqual(['× 1.50', '× 0.050', '× < 0.001', '× 0.000', '–']);
  });
  it('shows what differs by more than a tenth, or that only one tells', () => {
    const pair = (a: number | null, b: number | null) => differs({ group: 'g', name: 'n', a, b, ratio: null });
    expect([pair(100, 109), pair(100, 112), pair(0, 0), pair(0, 1), pair(null, 0), pair(null, null)]).toEqual([false, true, false, true, true, false]);
  });
});

describe('what was saved', () => {
  it('is in hours, or minutes, and unknown is no 0', () => {
    expect([gain(3_600_000 * 23.44), gain(90_000), gain(-7_200_000), gain(0), gain(null)]).toEqual(['23.4 h', '1 min 30 s', '−2 h 0 min', '0 ms', '–']);
  });
  it('says what it goes by', () => {
    expect(basis({ measured: 3, estimated: 1, without: 2 }, 1)).toBe('3 measured, 1 by an estimate of 1 pair, 2 without a number');
    expect(basis({ measured: 0, estimated: 0, without: 0 }, 0)).toBe('');
  });
});

describe('attempts', () => {
  const task = (id: string, attempt: string, state: string): Task => ({ id, type: 'MAP', state, startedMs: 1, finishedMs: 2, attempt, node: 'n', where: 'engine', reason: '', merge: '' });
  it('are each drawn once: of tasks, seen beside them, and failed', () => {
    const view = { tasks: [task('t1', 'a1_1', 'SUCCEEDED'), task('t2', '', 'FAILED')], others: [task('t1', 'a1_0', '')] } as unknown as JobWhole;
    const failure = { attempts: [{ id: 'a1_0', task: 't1', type: 'MAP', node: 'm', startedMs: 1, finishedMs: 2 }, { id: 'a2_0', task: 't2', type: 'MAP', node: 'm', startedMs: 1, finishedMs: 2 }] } as unknown as Failure;
    expect(attempts(view, failure).map((t) => [t.attempt, t.state, t.node])).toEqual([['a1_1', 'SUCCEEDED', 'n'], ['a1_0', 'FAILED', 'n'], ['a2_0', 'FAILED', 'm']]);
    expect(attempts(view, null)).toHaveLength(3);
  });
});

describe('a job that runs', () => {
  it('is made to tell of many tasks less often', () => {
    const every = (tasks: number) => wholeAgainMs({ job: { finishedMs: 0 }, tasks: { length: tasks } } as unknown as JobWhole);
    expect(every(10)).toBe(2000);
    expect(every(5000)).toBe(10_000);
    expect(every(100_000)).toBe(30_000);
  });
});

describe('a job that has ended', () => {
  const view = (more: object) => wholeAgainMs({ job: { finishedMs: 9 }, kept: {}, tasksFrom: 'job', ...more } as unknown as JobWhole);
  it('is read until all of it is there, and then no more', () => {
    expect(view({ job: { finishedMs: 0 }, kept: null, tasks: [] })).toBe(2000);
    expect(view({ kept: null })).toBeGreaterThan(0);
    expect(view({ tasksFrom: 'engines' })).toBeGreaterThan(10_000);
    expect(view({})).toBe(0);
  });
  it('is asked why it failed until its logs are there, for some minutes', () => {
    const told = (untold: string, log: string) => ({ untold, attempts: [{ logs: [{ untold: log }] }] }) as unknown as Failure;
    expect(failureAgainMs(told('', ''), 1000)).toBe(0);
    expect(failureAgainMs(told('the history server does not tell', ''), 1000)).toBeGreaterThan(0);
    expect(failureAgainMs(told('', 'cannot be read'), 1000)).toBeGreaterThan(0);
    expect(failureAgainMs(told('', 'cannot be read'), 3_600_000)).toBe(0);
  });
});
