// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef } from 'react';
import { drawn } from '../charts/geometry';
import { StackChart } from '../charts/StackChart';
import { TaskChart } from '../charts/TaskChart';
import { change, type Address } from '../lib/address';
import { bytes, clock, count, minus, moment, span, UNKNOWN, type Figure } from '../lib/format';
import { bounds, go, useAbout, useJson, useLive, useNow, useSeries } from '../lib/hooks';
import { most, nobody, taskCount } from '../lib/jobs';
import { KINDS } from '../lib/kinds';
import { attempts, failureAgainMs, jobsQuery, listed, tick, ticked, wholeAgainMs, type Failure, type JobsFound, type JobWhole, type Kept } from '../lib/past';
import type { JobPast, JobSample, Task } from '../lib/types';
import { CauseLine, useCause } from '../ui/Cause';
import { Comparison } from '../ui/Comparison';
import { EarlierRuns } from '../ui/EarlierRuns';
import { FailureView } from '../ui/FailureView';
import { JobFilters } from '../ui/JobFilters';
import { JobTable } from '../ui/JobTable';
import { Problem, Stat, told, Untold } from '../ui/parts';
import { LogSearch } from '../ui/LogSearch';
import { ReduceInput } from '../ui/ReduceInput';
import { Saved } from '../ui/Saved';
import { Table } from '../ui/Table';
import '../ui/jobs.css';

/** The list is asked for anew as time goes on in steps of so many milliseconds. */
const STEP = 60_000;

export function Jobs({ address }: { address: Address }) {
  const saved = address.pick.view === 'saved';
  const job = address.pick.job ?? '';
  return (
    <>
      <div className="views" role="navigation" aria-label="Views of jobs">
        <a href={change(address, { pick: { view: '' } })} aria-current={saved ? undefined : 'page'}>
          Jobs
        </a>
        <a href={change(address, { pick: { view: 'saved' } })} aria-current={saved ? 'page' : undefined}>
          Saved
        </a>
      </div>
      {saved ? (
        <Saved address={address} />
      ) : (
        <>
          {job && <One address={address} job={job} />}
          <List address={address} job={job} />
        </>
      )}
    </>
  );
}

function List({ address, job }: { address: Address; job: string }) {
  const about = useAbout();
  const now = useNow(address.range);
  const { data, error } = useJson<JobsFound>(jobsQuery(address, STEP, now), 3000);
  const last = useRef<JobsFound | null>(null);
  // The answer to another question takes a moment; until it is there the last one stays.
  if (data) {
    last.current = data;
  } else if (error) {
    // This question has none: rows and counts of the one before would look like it.
    last.current = null;
  }
  const found = data ?? last.current;
  const of = useCause(address);
  const ids = ticked(address);
  const when = listed(address.range);
  const month = { live: true as const, name: '30d', spanMs: 2_592_000_000 };
  return (
    <>
      {ids[0] && ids[1] && <Comparison address={address} a={ids[0]} b={ids[1]} />}
      <section aria-label={`Jobs ${when.title}`}>
        <div className="head">
          <h2>Jobs {when.title}</h2>
          <small className="none">
            {count(found?.matches ?? null)}
            {about && !about.all ? ', yours only' : ''}
            {found && found.matches === 0 && found.ever > 0 ? `; ${count(found.ever)} of the last ${found.days} days are kept` : ''}
          </small>
          {ids.length === 1 && <small className="none">tick another one to compare it with {ids[0]}</small>}
          {found?.matches === 0 && address.range.live && address.range.name !== '30d' && <a href={change(address, { range: month, pick: { offset: '' } })}>look in the last 30 days</a>}
        </div>
        <CauseLine address={address} of={of} what="jobs" />
        <Problem error={error} what="Jobs" />
        {found?.trouble && <p className="problem">{found.trouble}</p>}
        <JobFilters address={address} found={found} />
        <JobTable
          rows={found?.jobs ?? []}
          address={address}
          columns={found?.columns ?? []}
          selected={job}
          height={job ? 220 : 560}
          sort={address.pick.sort ?? '-started'}
          onSort={(sort) => go(change(address, { pick: { sort, offset: '' } }), true)}
          ticks={{ ids, tick: (id) => go(change(address, { pick: { with: tick(ids, id) } }), true) }}
          empty={told(found !== null, error, 'No such job.')}
          part={found && found.jobs.length < found.matches ? `, ${count(found.offset + 1)} to ${count(found.offset + found.jobs.length)} of ${count(found.matches)}` : ''}
        />
      </section>
    </>
  );
}

function One({ address, job }: { address: Address; job: string }) {
  const about = useAbout();
  const live = useLive();
  const now = useNow(address.range);
  const { data, error } = useJson<JobWhole>(`jobs/${encodeURIComponent(job)}`, wholeAgainMs);
  const bad = data !== null && (data.job.finalStatus === 'FAILED' || data.job.finalStatus === 'KILLED');
  const failure = useJson<Failure>(bad ? `jobs/${encodeURIComponent(job)}/failure` : null, (told) => failureAgainMs(told, (live.overview?.timeMs ?? Date.now()) - (data?.job.finishedMs ?? 0)));
  const keys = useMemo(() => [`job|${job}`], [job]);
  const { series } = useSeries(keys, address.range);
  const one = series.get(`job|${job}`);
  const drawnAttempts = useMemo(() => (data ? attempts(data, failure.data) : []), [data, failure.data]);
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
      {bad && <FailureView job={data.job} failure={failure.data} error={failure.error} />}
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
      {data.kept && <KeptLine kept={data.kept} />}
      <TaskChart tasks={drawnAttempts} from={data.job.startedMs} to={end} />
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
      <LogSearch key={job} job={job} />
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

/** How the job ran, what of it fell back, and how its reduces merged, as it was recorded at its end. */
function KeptLine({ kept }: { kept: Kept }) {
  const ran = { engine: 'It ran in engines', stock: 'It ran as on stock' }[kept.run] ?? 'How it ran is not known';
  const list = (of: Record<string, number>) =>
    Object.entries(of)
      .map(([what, n]) => `${count(n)} ${what}`)
      .join(', ');
  const failed = kept.attempts && kept.attempts.mapsFailed + kept.attempts.reducesFailed + kept.attempts.mapsKilled + kept.attempts.reducesKilled;
  return (
    <p className="none untold">
      {ran}: {kept.runWhy}.{kept.seenInEngine > 0 && ` ${count(kept.seenInEngine)} of its attempts were seen there.`}
      {failed ? ` ${count(kept.attempts?.mapsFailed ?? 0)} maps and ${count(kept.attempts?.reducesFailed ?? 0)} reduces failed, ${count((kept.attempts?.mapsKilled ?? 0) + (kept.attempts?.reducesKilled ?? 0))} attempts were killed.` : ''}
      {Object.keys(kept.merges).length > 0 && ` Reduces merged: ${list(kept.merges)}.`}
      {Object.keys(kept.fallbacks).length > 0 && ` Tasks in ordinary containers: ${list(Object.fromEntries(Object.entries(kept.fallbacks).map(([why, n]) => [`because ${why}`, n])))}.`}
    </p>
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
