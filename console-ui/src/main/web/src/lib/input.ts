// SPDX-License-Identifier: Apache-2.0
import type { JobView, ReduceInput } from './types';

/** A part of what a job's reduces took in. */
export interface Source {
  name: 'memory' | 'disk' | 'network' | 'untold';
  label: string;
  bytes: number;
  what: string;
}

/**
 * Where the reduces' input came from, in the order it is drawn. `shuffled` is the job's own count of all of it, if known: what is beyond the three
 * was taken in by reduces that do not tell.
 */
export function sources(input: ReduceInput, shuffled: number | undefined): Source[] {
  const { memoryBytes, diskBytes, networkBytes } = input;
  const untold = (shuffled ?? 0) - memoryBytes - diskBytes - networkBytes;
  const three: Source[] = [
    { name: 'memory', label: 'Memory', bytes: memoryBytes, what: "of the reduce's own node, out of its engine's memory" },
    { name: 'disk', label: 'Disk', bytes: diskBytes, what: "of the reduce's own node, off its disks" },
    { name: 'network', label: 'Network', bytes: networkBytes, what: 'of other nodes' },
  ];
  return untold > 0 ? [...three, { name: 'untold', label: 'Not told', bytes: untold, what: 'of reduces in ordinary containers, which do not tell' }] : three;
}

export function whole(parts: Source[]): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0);
}

/** What there is to say in place of the numbers; null if they are there. */
export function silence(view: JobView, bytes: (n: number) => string): string | null {
  const shuffled = counted(view);
  if (view.reduceInput && whole(sources(view.reduceInput, shuffled)) > 0) {
    return null;
  }
  if (view.counters.length === 0) {
    return 'The job does not tell its counters.';
  }
  if (view.tasksFrom === 'job' && view.tasks.length > 0 && view.tasks.every((task) => task.type === 'MAP')) {
    return 'The job has no reduces.';
  }
  if (!shuffled) {
    return view.job.finishedMs > 0 ? 'No reduce took in any map output.' : 'No reduce has taken in map output yet.';
  }
  return `Reduces took in ${bytes(shuffled)} of map output. Where it came from is not told: they ran in ordinary containers, or with a release of Mammoth that does not count it.`;
}

/** All map output the job's reduces took in, by the counter every job has. */
export function counted(view: JobView): number | undefined {
  return view.counters.find((c) => c.group === 'TaskCounter' && c.name === 'REDUCE_SHUFFLE_BYTES')?.total;
}
