// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'react';
import { drawn } from '../charts/geometry';
import { StackChart } from '../charts/StackChart';
import { TaskChart } from '../charts/TaskChart';
import { change, type Address } from '../lib/address';
import { bytes, clock, count, minus, moment, span, UNKNOWN, type Figure } from '../lib/format';
import { bounds, go, useAbout, useJson, useLive, useNow, useSeries } from '../lib/hooks';
import { most, nobody, taskCount } from '../lib/jobs';
import { KINDS } from '../lib/kinds';
import type { JobPast, JobRow, JobSample, JobView, Task } from '../lib/types';
import { CauseLine, useCause } from '../ui/Cause';
import { EarlierRuns } from '../ui/EarlierRuns';
import { JobTable } from '../ui/JobTable';
import { Problem, Stat, Untold } from '../ui/parts';
import { ReduceInput } from '../ui/ReduceInput';
import { Table } from '../ui/Table';

export function Jobs({ address }: { address: Address }) {
  const about = useAbout();
  const { data, error } = useJson<{ jobs: JobRow[]; columns: string[] }>('jobs', 3000);
  const job = address.pick.job ?? '';
  const of = useCause(address);
  const rows = (data?.jobs ?? []).filter((row) => !of.subjects || of.subjects.has(row.job.id));
  return (
    <>
      <Problem error={error} what="Jobs" />
      {job && <One address={address} job={job} />}
      <section aria-label="Jobs of the last day">
        <div className="head">
          <h2>Jobs of the last day</h2>
          <small className="none">
            {count(data ? rows.length : null)}
            {about && !about.all ? ', yours only' : ''}
          </small>
        </div>
        <CauseLine address={address} of={of} what="jobs" />
        <JobTable
          rows={rows}
          address={address}
          columns={data?.columns ?? []}
          selected={job}
          height={job ? 220 : 560}
          empty={data ? 'No job ran.' : error ? 'The console does not tell.' : 'Loading.'}
        />
      </section>
    </>
  );
}

function One({ address, job }: { address: Address; job: string }) {
  const about = useAbout();
  const live = useLive();
  const now = useNow(address.range);
  const { data, error } = useJson<JobView>(`jobs/${encodeURIComponent(job)}`, 2000);
  const keys = useMemo(() => [`job|${job}`], [job]);
  const { series } = useSeries(keys, address.range);
  const one = series.get(`job|${job}`);
  const layers = useMemo(
    () => KINDS.map((kind) => ({ name: kind.column, label: kind.label, color: kind.color, ...drawn(one, kind.column) })),
    [one],
  );
  const whole = useMemo(() => ({ name: 'total', label: 'All of the job', color: '--rss', ...drawn(one, 'total') }), [one]);
  if (!data) {
    return <Problem error={error} what={job} />;
  }
  const columns = about?.jobColumns ?? [];
  const ended = data.job.finishedMs > 0;
  const tasks = taskCount(data);
  const inEngine = data.tasks.filter((task) => task.where === 'engine').length;
  const end = data.job.finishedMs || (live.overview?.timeMs ?? Date.now());
  const mammoth = data.counters.filter((c) => /mammoth/i.test(c.group));
  const yarn = about?.resourceManager ?? '';
  return (
    <>
      <div className="head">
        <h2>
          {data.job.id} {data.job.name}
        </h2>
        <a href={`${yarn}/cluster/app/${data.job.application}`}>YARN</a>
        {data.job.finishedMs > 0 && about && <a href={`${about.historyServer}/jobhistory/job/${data.job.id}`}>history</a>}
        {data.job.finishedMs === 0 && <a href={`${yarn}/proxy/${data.job.application}/`}>ApplicationMaster</a>}
        <a href={change(address, { page: 'memory', pick: { job } })}>memory</a>
        <a href={change(address, { page: 'jobs', range: { live: false, from: data.job.startedMs, to: end } })}>its whole time</a>
      </div>
      <dl className="stats">
        <Stat label="State" value={(data.job.finishedMs ? data.job.finalStatus : data.job.state).toLowerCase()} note={`${data.job.progress.toFixed(1)} % of ${data.job.user}'s job`} />
        <Stat label="Took" value={span(end - data.job.startedMs)} note={`since ${moment(data.job.startedMs)}`} />
        <Stat label="Tasks" value={count(tasks.all)} note={tasks.note || `${count(tasks.maps)} maps, ${count(minus(tasks.all, tasks.maps))} reduces`} why={tasks.note} />
        <Stat label="Seen in an engine" value={count(inEngine)} of={[inEngine, tasks.all]} note={data.tasksFrom === 'engines' ? nobody(data.job) : inEngine < data.tasks.length ? 'others ended too soon to be seen, or ran as containers' : 'all of them'} />
        {HELD.map(([name, label, write]) => {
          const peak = most(data.past, columns, name);
          const now = data.nodes.reduce((sum, node) => sum + (node.use[columns.indexOf(name)] ?? 0), 0);
          return ended ? (
            <Stat key={name} label={label} value={write(peak.figure)} note={peak.figure === null ? 'not recorded' : 'at its peak'} why={peak.figure === null ? peak.why : ''} />
          ) : (
            <Stat key={name} label={label} value={write(now)} note={`${write(peak.figure)} at its peak so far`} />
          );
        })}
      </dl>
      <p className="none untold">{recorded(data.past, data.job.startedMs)}</p>
      {!ended && <Untold of={['engines']} />}
      <TaskChart tasks={data.tasks} from={data.job.startedMs} to={end} />
      <StackChart
        title="Memory of the job"
        times={one?.times ?? []}
        grainMs={one?.grainMs ?? 1000}
        layers={layers}
        whole={whole}
        domain={bounds(address.range, now)}
        format={bytes}
        height={160}
        onRange={(from, to) => go(change(address, { range: { live: false, from, to } }))}
      />
      <ReduceInput view={data} />
      <EarlierRuns address={address} job={job} now={end} />
      <div className="cols">
        <section aria-label="Tasks">
          <div className="head">
            <h2>Tasks</h2>
          </div>
          <Tasks job={data.job} tasks={data.tasks} address={address} end={end} />
        </section>
        <section aria-label="Counters">
          <div className="head">
            <h2>Counters</h2>
            <small className="none">{mammoth.length > 0 ? 'of Mammoth first' : ''}</small>
          </div>
          <Table
            label="Counters"
            rows={[...mammoth, ...data.counters.filter((c) => !mammoth.includes(c))]}
            id={(c) => `${c.group} ${c.name}`}
            height={300}
            empty="The job does not tell its counters."
            columns={[
              { name: 'name', label: 'Counter', cell: (c) => c.name },
              { name: 'map', label: 'Map', number: true, cell: (c) => count(c.map) },
              { name: 'reduce', label: 'Reduce', number: true, cell: (c) => count(c.reduce) },
              { name: 'total', label: 'Total', number: true, cell: (c) => count(c.total) },
              { name: 'group', label: 'Group', most: 110, cell: (c) => c.group },
            ]}
          />
        </section>
      </div>
    </>
  );
}

/** What is told of a job's memory, by JobUse's columns. */
const HELD: [string, string, (value: Figure) => string][] = [
  ['total', 'Memory', bytes],
  ['sort', 'Sort', bytes],
  ['send', 'Send', bytes],
  ['receive', 'Receive', bytes],
  ['nodes', 'Nodes', count],
];

/** Of which time of the job its peaks are; what began or ended unseen may have been more. */
function recorded(past: JobPast, startedMs: number): string {
  if (past.untold) {
    return `What it held is not known: ${past.untold}.`;
  }
  const late = past.fromMs - startedMs > 120_000 ? '; what was before is not known' : '';
  return `Peaks are of what was recorded between ${moment(past.fromMs)} and ${moment(past.toMs)}${late}.`;
}

const MERGES: Record<string, string> = {
  push: 'pushed and fetched into memory; what finds none goes to disk',
  spill: 'fetched into memory, nothing is pushed; what finds none goes to disk',
  levitated: 'stays at its node until the merge needs it',
  virtual: 'stays at its node; only some segments hold fetched bytes at a time',
  node: 'each node merges what its maps wrote, and sends one sorted stream',
};

/** How a reduce gets hold of other nodes' output, as chosen and as done. */
function Merge({ said }: { said: string }) {
  const done = said.replace(/^.*: (\w+, some )?/, '');
  return <span title={said ? MERGES[done] : 'the reduce was not seen in an engine, or its release does not tell'}>{said || UNKNOWN}</span>;
}

function Tasks({ job, tasks, address, end }: { job: JobSample; tasks: Task[]; address: Address; end: number }) {
  const about = useAbout();
  // The page of a task's attempts, which leads to their logs.
  const logs = (task: string) =>
    job.finishedMs > 0 ? `${about?.historyServer ?? ''}/jobhistory/task/${task}` : `${about?.resourceManager ?? ''}/proxy/${job.application}/mapreduce/task/${task}`;
  return (
    <Table
      label="Tasks"
      rows={tasks}
      id={(t) => t.id}
      sort="id"
      height={300}
      columns={[
        { name: 'id', label: 'Task', cell: (t) => t.id.replace(/^task_\d+_\d+_/, ''), sort: (t) => t.id },
        { name: 'state', label: 'State', cell: (t) => t.state.toLowerCase(), sort: (t) => t.state },
        { name: 'where', label: 'Where', cell: (t) => (t.where === 'engine' ? 'engine' : t.where === 'container' ? <span title={t.reason}>container</span> : 'not seen'), sort: (t) => t.where },
        { name: 'node', label: 'Node', cell: (t) => (t.node ? <a href={change(address, { page: 'memory', pick: { node: t.node } })}>{t.node}</a> : ''), sort: (t) => t.node },
        ...(tasks.some((t) => t.type === 'REDUCE')
          ? [{ name: 'merge', label: 'Merge', cell: (t: Task) => (t.type === 'REDUCE' ? <Merge said={t.merge} /> : ''), sort: (t: Task) => t.merge }]
          : []),
        { name: 'started', label: 'Started', cell: (t) => (t.startedMs ? clock(t.startedMs) : ''), sort: (t) => t.startedMs },
        { name: 'took', label: 'Took', number: true, cell: (t) => (t.startedMs ? span((t.finishedMs || end) - t.startedMs) : ''), sort: (t) => (t.finishedMs || end) - t.startedMs },
        { name: 'logs', label: 'Logs', cell: (t) => <a href={logs(t.id)} aria-label={`Attempts and logs of ${t.id}`}>attempts</a> },
        ...(tasks.some((t) => t.reason) ? [{ name: 'reason', label: 'Why not in an engine', cell: (t: Task) => t.reason, sort: (t: Task) => t.reason }] : []),
      ]}
    />
  );
}
