// SPDX-License-Identifier: Apache-2.0
import { change, type Address } from '../lib/address';
import { bytes, count, moment, percent, span } from '../lib/format';
import { useJson } from '../lib/hooks';
import { sources, whole, type Source } from '../lib/input';
import type { Run } from '../lib/types';
import { Problem } from './parts';
import { Table, type Column } from './Table';

type Counter = [string, string, (n: number) => string];

const SHUFFLED: Counter = ['REDUCE_SHUFFLE_BYTES', 'Shuffled', bytes];

/** What was shuffled, by where it came from. */
const SOURCES: [Source['name'], string][] = [
  ['memory', 'of it memory'],
  ['disk', 'of it disk'],
  ['network', 'of it network'],
];

const COUNTERS: Counter[] = [
  ['HDFS_BYTES_READ', 'From HDFS', bytes],
  ['FILE_BYTES_READ', 'From local disks', bytes],
  ['FILE_BYTES_WRITTEN', 'To local disks', bytes],
  ['SPILLED_RECORDS', 'Spilled records', count],
  ['CPU_MILLISECONDS', 'CPU', span],
  ['GC_TIME_MILLIS', 'Collections', span],
];

const told = ([name, label, format]: Counter): Column<Run> => ({
  name,
  label,
  number: true,
  cell: (r) => (r.counters[name] === undefined ? '–' : format(r.counters[name])),
  sort: (r) => r.counters[name] ?? null,
});

const from = ([name, label]: [Source['name'], string]): Column<Run> => {
  const parts = (r: Run) => (r.reduceInput ? sources(r.reduceInput, r.counters.REDUCE_SHUFFLE_BYTES) : []);
  const part = (r: Run) => parts(r).find((p) => p.name === name)?.bytes;
  return {
    name,
    label,
    number: true,
    cell: (r) => {
      const there = part(r);
      return there === undefined ? '–' : `${bytes(there)}, ${percent(there, whole(parts(r)))}`;
    },
    sort: (r) => part(r) ?? null,
  };
};

/** A job beside its earlier runs, each number with what it was the time before. */
export function EarlierRuns({ address, job, now }: { address: Address; job: string; now: number }) {
  const { data, error } = useJson<{ runs: Run[] }>(`jobs/${encodeURIComponent(job)}/earlier`, 15_000);
  const runs = data?.runs ?? [];
  const took = (run: Run) => (run.finishedMs || now) - run.startedMs;
  const before = runs.slice(1).filter((run) => run.state === 'SUCCEEDED');
  const median = [...before].sort((a, b) => took(a) - took(b))[Math.floor(before.length / 2)];
  return (
    <section aria-label="Earlier runs">
      <div className="head">
        <h2>Against its earlier runs</h2>
        <small className="none">
          {runs.length < 2
            ? 'no earlier job of this name and user is known'
            : median
              ? `${count(runs.length - 1)} before it, ${span(took(median))} in the median of those that succeeded`
              : `${count(runs.length - 1)} before it, none succeeded`}
        </small>
      </div>
      <Problem error={error} what="Earlier runs" />
      {runs.length > 1 && (
        <Table
          label="Earlier runs"
          rows={runs}
          id={(r) => r.id}
          selected={job}
          height={220}
          columns={[
            { name: 'id', label: 'Job', cell: (r) => <a href={change(address, { page: 'jobs', pick: { job: r.id } })}>{r.id}</a>, sort: (r) => r.id },
            { name: 'started', label: 'Started', cell: (r) => moment(r.startedMs), sort: (r) => r.startedMs },
            { name: 'state', label: 'State', cell: (r) => r.state.toLowerCase(), sort: (r) => r.state },
            { name: 'took', label: 'Took', number: true, cell: (r) => span(took(r)), sort: took },
            told(SHUFFLED),
            ...SOURCES.map(from),
            ...COUNTERS.map(told),
          ]}
        />
      )}
      {runs.length > 1 && runs.some((run) => !run.reduceInput && run.counters.REDUCE_SHUFFLE_BYTES) && (
        <p className="hint">Where the input of a run's reduces came from is missing if they ran in ordinary containers, or with a release of Mammoth that does not count it.</p>
      )}
    </section>
  );
}
