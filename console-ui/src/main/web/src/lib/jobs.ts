// SPDX-License-Identifier: Apache-2.0
import { count, type Figure } from './format';
import type { JobPast, JobRow, JobSample, JobView } from './types';

/** A number of a job, and what is to be said of it: what it is, or why it is not known. */
export interface Said {
  figure: Figure;
  why: string;
}

/** How many maps or reduces: of a job that runs those in engines now, of one that has ended all it had. */
export function tasksOf(row: JobRow, columns: string[], type: 'maps' | 'reduces'): Said {
  const { tasks, finishedMs } = row.job;
  if (finishedMs === 0) {
    const figure = row.use[columns.indexOf(type)] ?? null;
    return { figure, why: figure === null ? 'not all engines are known' : 'run in engines now' };
  }
  if (tasks && row.job.finalStatus !== 'SUCCEEDED') {
    return { figure: tasks[type], why: 'succeeded; of a job that did not, the history server counts no others' };
  }
  return tasks ? { figure: tasks[type], why: `${count(tasks[`${type}Done`])} succeeded` } : { figure: null, why: 'the history server does not tell of this job' };
}

/** The most of a column, as far as it was recorded. */
export function most(past: JobPast | null, columns: string[], name: string): Said {
  const figure = past?.peaks[columns.indexOf(name)] ?? null;
  return { figure, why: figure === null ? past?.untold || 'nothing was recorded of it' : 'the most at any time' };
}

/** What a job holds now, or the most it held if it has ended. */
export function held(row: JobRow, columns: string[], name: string): Said {
  if (row.job.finishedMs > 0) {
    return most(row.past, columns, name);
  }
  const figure = row.use[columns.indexOf(name)] ?? null;
  return { figure, why: figure === null ? 'not all engines are known' : '' };
}

/** All tasks of a job, and how many of them are maps; unknown if only some were seen in engines. */
export function taskCount(view: JobView): { all: Figure; maps: Figure; note: string } {
  const { tasks } = view.job;
  if (tasks && view.job.finalStatus === 'SUCCEEDED') {
    return { all: tasks.maps + tasks.reduces, maps: tasks.maps, note: '' };
  }
  if (view.tasksFrom === 'job') {
    return { all: view.tasks.length, maps: view.tasks.filter((task) => task.type === 'MAP').length, note: '' };
  }
  return { all: null, maps: null, note: `${nobody(view.job)}; ${count(view.tasks.length)} were seen in engines` };
}

/** Who ought to tell of a job's tasks, and does not. */
export function nobody(job: JobSample): string {
  return job.finishedMs > 0 ? 'the history server does not tell' : 'the job itself does not answer';
}
