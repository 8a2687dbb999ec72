// SPDX-License-Identifier: Apache-2.0
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { bytes } from '../src/lib/format';
import { silence, sources, whole } from '../src/lib/input';
import type { JobView, Task } from '../src/lib/types';
import { ReduceInput } from '../src/ui/ReduceInput';

const GIB = 2 ** 30;
const input = { memoryBytes: 5 * GIB, diskBytes: GIB, networkBytes: 2 * GIB };
const task = (type: string): Task => ({ id: `task_1_0001_${type}`, type, state: 'SUCCEEDED', startedMs: 1, finishedMs: 2, attempt: '', node: '', where: 'engine', reason: '', merge: '' });
const shuffled = (total: number) => [{ group: 'TaskCounter', name: 'REDUCE_SHUFFLE_BYTES', map: 0, reduce: total, total }];
const view: JobView = {
  timeMs: 9,
  job: {
    id: 'job_1_0001',
    application: 'application_1_0001',
    name: 'sort',
    user: 'u',
    queue: 'default',
    state: 'FINISHED',
    finalStatus: 'SUCCEEDED',
    progress: 100,
    startedMs: 1,
    finishedMs: 8,
    allocatedMb: 0,
    runningContainers: 0,
    trackingUrl: '',
    tasks: null,
  },
  nodes: [],
  tasks: [task('MAP'), task('REDUCE')],
  tasksFrom: 'job',
  counters: shuffled(8 * GIB),
  reduceInput: input,
  past: { fromMs: 0, toMs: 0, peaks: [], untold: '' },
};
const running = { ...view.job, finishedMs: 0 };

describe("where the reduces' input came from", () => {
  it('is three parts, whatever the job shuffled is known or not', () => {
    for (const all of [8 * GIB, undefined]) {
      const parts = sources(input, all);
      expect(parts.map((part) => [part.name, part.bytes / GIB])).toEqual([
        ['memory', 5],
        ['disk', 1],
        ['network', 2],
      ]);
      expect(whole(parts)).toBe(8 * GIB);
    }
  });
  it('keeps apart what reduces in ordinary containers took in', () => {
    const parts = sources(input, 10 * GIB);
    expect(parts.at(-1)).toMatchObject({ name: 'untold', bytes: 2 * GIB });
    expect(whole(parts)).toBe(10 * GIB);
  });
  it('is drawn and written, a part of nothing written only', () => {
    const page = renderToStaticMarkup(<ReduceInput view={{ ...view, reduceInput: { ...input, diskBytes: 0 }, counters: shuffled(7 * GIB) }} />);
    expect(page).toContain('aria-label="Memory 5.00 GiB, 71 %; Disk 0 B, 0 %; Network 2.00 GiB, 29 %"');
    expect(page.match(/<span class="s-[a-z]+"/g)).toEqual(['<span class="s-memory"', '<span class="s-network"']);
    expect(page).toContain('of 7.00 GiB');
    expect(page).not.toContain('Not told');
  });
  it('is not told by stock, and is not drawn as zero then', () => {
    const page = renderToStaticMarkup(<ReduceInput view={{ ...view, reduceInput: null }} />);
    expect(page).toContain('8.00 GiB of map output. Where it came from is not told');
    expect(page).not.toContain('split');
    expect(page).not.toMatch(/0 B|%/);
  });
});

describe('why it is not told', () => {
  const without = (change: Partial<JobView>) => silence({ ...view, reduceInput: null, ...change }, bytes);
  it('has no reason where it is told', () => {
    expect(silence(view, bytes)).toBeNull();
  });
  it('tells a job that does not answer from one without reduces', () => {
    expect(without({ counters: [], tasksFrom: 'engines', tasks: [task('MAP')] })).toBe('The job does not tell its counters.');
    expect(without({ tasks: [task('MAP')], counters: shuffled(0) })).toBe('The job has no reduces.');
  });
  it('waits for the first reduce of a job that runs', () => {
    expect(without({ job: running, counters: shuffled(0) })).toBe('No reduce has taken in map output yet.');
    expect(without({ job: running, counters: shuffled(0), reduceInput: { memoryBytes: 0, diskBytes: 0, networkBytes: 0 } })).toBe('No reduce has taken in map output yet.');
    expect(without({ counters: shuffled(0) })).toBe('No reduce took in any map output.');
  });
});
