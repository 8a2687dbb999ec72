// SPDX-License-Identifier: Apache-2.0
import { change, type Address } from '../lib/address';
import { bytes, count, moment, span, UNKNOWN, type Figure } from '../lib/format';
import { useJson, useNow } from '../lib/hooks';
import { basis, gain, listed, times, type SavedJob, type SavedSum, type SavedView } from '../lib/past';
import { Problem, Stat } from './parts';
import { Table, type Column } from './Table';

const STEP = 60_000;

/** What Mammoth saved in the range, and which jobs it could not help. */
export function Saved({ address }: { address: Address }) {
  const now = useNow(address.range);
  const when = listed(address.range);
  const from = when.from ?? Math.max(0, Math.floor(now / STEP) * STEP - when.spanMs);
  const { data, error } = useJson<SavedView>(`saved?from=${from}${when.to === null ? '' : `&to=${when.to}`}`, STEP);
  if (!data) {
    return error ? <Problem error={error} what="What was saved" /> : <p className="none">Loading.</p>;
  }
  const { saved } = data;
  const { all } = saved;
  const pairs = saved.time.pairs;
  return (
    <>
      <section aria-label="Saved">
        <div className="head">
          <h2>What Mammoth saved, jobs {when.title}</h2>
          <small className="none">{all.jobs > 0 ? `${count(all.jobs)} jobs in engines: ${basis(all, pairs)}` : ''}</small>
        </div>
        <dl className="stats">
          <Stat label="Time saved, measured" value={<Gain ms={all.measuredMs} />} note={all.measured ? `of ${count(all.measured)} jobs, against their own runs on stock` : 'no job has a run on stock to go by'} />
          <Stat label="Time saved, estimate" value={<Gain ms={all.estimatedMs} />} note={estimate(all.estimated, saved.time)} />
          <Stat label="Task CPU saved, measured" value={<Gain ms={all.measuredCpuMs} />} note="by the tasks’ counters, which leave out what an engine does for all: collections, compiling, disks, network" />
          <Stat label="Task CPU saved, estimate" value={<Gain ms={all.estimatedCpuMs} />} note={estimate(all.estimated, saved.cpu)} />
          <Stat label="On stock" value={count(saved.stockRuns)} note="jobs that had no task in an engine" />
          <Stat label="Not known" value={count(saved.unknownRuns)} note="jobs with no evidence how they ran" />
        </dl>
        {data.todo && <p className="none untold">{data.todo}</p>}
        {data.trouble && <p className="problem">{data.trouble}</p>}
      </section>
      <div className="cols wide">
        <Sums title="By week" what="Week from" rows={saved.weeks} pairs={pairs} />
        <Sums title="By queue" what="Queue" rows={saved.queues} pairs={pairs} />
      </div>
      <Sums title="By job" what="Job, # for what differs" rows={saved.names} pairs={pairs} />
      <Jobs address={address} view={data} />
      <Fallbacks address={address} view={data} />
    </>
  );
}

function estimate(jobs: number, by: { ratio: Figure; pairs: number }): string {
  if (by.pairs === 0) {
    return 'no job ran both ways, so there is none';
  }
  return `of ${count(jobs)} jobs; stock takes ${times(by.ratio)} in the median of ${count(by.pairs)} ${by.pairs === 1 ? 'job' : 'jobs'} that ran both ways`;
}

/** A loss is one in words, too. */
function Gain({ ms }: { ms: Figure }) {
  return ms !== null && ms < 0 ? <span className="loss">{gain(-ms)} lost</span> : gain(ms);
}

function Mark({ job }: { job: SavedJob }) {
  if (job.basis === 'none') {
    return (
      <span className="none" title="no run of the job on stock, and no job that ran both ways">
        no number
      </span>
    );
  }
  return job.basis === 'measured' ? (
    <span className="mark-measured" title="against the median of the job's own runs on stock, scaled by input">
      measured, {count(job.runs)} {job.runs === 1 ? 'run' : 'runs'}
    </span>
  ) : (
    <span className="mark-estimated" title="no run of this job on stock; by jobs that ran both ways">
      estimate of {count(job.runs)} {job.runs === 1 ? 'pair' : 'pairs'}
    </span>
  );
}

function sumColumns(what: string, pairs: number): Column<SavedSum>[] {
  const number = (name: string, label: string, of: (sum: SavedSum) => Figure): Column<SavedSum> => ({
    name,
    label,
    number: true,
    cell: (sum) => <Gain ms={of(sum)} />,
    sort: (sum) => of(sum) ?? -Infinity,
  });
  return [
    { name: 'name', label: what, most: 220, cell: (sum) => sum.name, sort: (sum) => sum.name },
    { name: 'jobs', label: 'Jobs', number: true, cell: (sum) => <span title={basis(sum, pairs)}>{count(sum.jobs)}</span>, sort: (sum) => sum.jobs },
    number('measured', 'Measured', (sum) => sum.measuredMs),
    number('estimated', 'Estimate', (sum) => sum.estimatedMs),
    number('measuredCpu', 'Task CPU, measured', (sum) => sum.measuredCpuMs),
    number('estimatedCpu', 'Task CPU, estimate', (sum) => sum.estimatedCpuMs),
    { name: 'without', label: 'No number', number: true, cell: (sum) => count(sum.without), sort: (sum) => sum.without },
  ];
}

function Sums({ title, what, rows, pairs }: { title: string; what: string; rows: SavedSum[]; pairs: number }) {
  return (
    <section aria-label={title}>
      <div className="head">
        <h2>{title}</h2>
      </div>
      <Table label={title} rows={rows} id={(sum) => sum.name} height={230} empty="No job ran in engines." columns={sumColumns(what, pairs)} />
    </section>
  );
}

function Jobs({ address, view }: { address: Address; view: SavedView }) {
  const { jobs } = view.saved;
  return (
    <section aria-label="Each run">
      <div className="head">
        <h2>Each run</h2>
        <small className="none">{view.jobs > jobs.length ? `the latest ${count(jobs.length)} of ${count(view.jobs)}` : count(jobs.length)}</small>
      </div>
      <Table
        label="Each run"
        rows={jobs}
        id={(job) => job.id}
        height={320}
        sort="-started"
        empty="No job ran in engines."
        columns={[
          { name: 'id', label: 'Job', cell: (job) => <a href={change(address, { pick: { job: job.id, view: '' } })}>{job.id}</a>, sort: (job) => job.id },
          { name: 'name', label: 'Name', most: 150, cell: (job) => job.name, sort: (job) => job.name },
          { name: 'user', label: 'User', cell: (job) => job.user, sort: (job) => job.user },
          { name: 'queue', label: 'Queue', cell: (job) => job.queue, sort: (job) => job.queue },
          { name: 'started', label: 'Started', cell: (job) => moment(job.startedMs).slice(5, 16), sort: (job) => job.startedMs },
          { name: 'input', label: 'Input', number: true, cell: (job) => bytes(job.inputBytes), sort: (job) => job.inputBytes ?? -1 },
          { name: 'took', label: 'Took', number: true, cell: (job) => span(job.tookMs), sort: (job) => job.tookMs },
          { name: 'baseline', label: 'On stock', number: true, cell: (job) => span(job.baselineMs), sort: (job) => job.baselineMs ?? -1 },
          { name: 'saved', label: 'Saved', number: true, cell: (job) => <Gain ms={job.savedMs} />, sort: (job) => job.savedMs ?? -Infinity },
          { name: 'cpu', label: 'Task CPU saved', number: true, cell: (job) => <Gain ms={job.savedCpuMs} />, sort: (job) => job.savedCpuMs ?? -Infinity },
          { name: 'basis', label: 'By', cell: (job) => <Mark job={job} />, sort: (job) => job.basis },
        ]}
      />
    </section>
  );
}

function Fallbacks({ address, view }: { address: Address; view: SavedView }) {
  return (
    <section aria-label="Tasks in ordinary containers">
      <div className="head">
        <h2>Tasks in ordinary containers, and what would change it</h2>
      </div>
      <Table
        label="Tasks in ordinary containers"
        rows={view.fallbacks}
        id={(row) => row.reason}
        height={260}
        empty="No task of these jobs went to an ordinary container while the engine was on."
        columns={[
          { name: 'tasks', label: 'Tasks', number: true, cell: (row) => count(row.tasks), sort: (row) => row.tasks },
          { name: 'jobs', label: 'Jobs', number: true, cell: (row) => count(row.jobs), sort: (row) => row.jobs },
          {
            name: 'reason',
            label: 'Because',
            most: 420,
            cell: (row) => row.reason || 'not recorded: the console did not run, or the node keeps its last 64 only',
            sort: (row) => row.reason,
          },
          { name: 'key', label: 'Setting', cell: (row) => (row.key ? <code>{row.key}</code> : UNKNOWN), sort: (row) => row.key },
          { name: 'remedy', label: 'What to do', most: 320, cell: (row) => row.remedy, sort: (row) => row.remedy },
          {
            name: 'latest',
            label: 'Latest',
            cell: (row) => row.latest.slice(0, 1).map((job) => <a key={job.id} href={change(address, { pick: { job: job.id, view: '' } })} title={`${job.name} of ${job.user}`}>{job.id}</a>),
          },
        ]}
      />
    </section>
  );
}
