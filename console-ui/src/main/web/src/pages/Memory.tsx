// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef } from 'react';
import { StackChart } from '../charts/StackChart';
import { drawn, without, type Layer, type Line } from '../charts/geometry';
import { change, type Address } from '../lib/address';
import { bytes, clock, count, shortAttempt, span, type Figure } from '../lib/format';
import { bounds, go, grows, Steady, useJson, useLive, useNow, useSeries } from '../lib/hooks';
import { COLORS, KINDS, RULES } from '../lib/kinds';
import { value } from '../lib/live';
import { heldMost, type JobsFound } from '../lib/past';
import type { Decision, NodeView, Series } from '../lib/types';
import { MemoryOfNodes } from '../ui/MemoryOfNodes';
import { picker, Problem, Select, told, Untold } from '../ui/parts';
import { Table, type Column } from '../ui/Table';
import { Nothing } from './Overview';

const KIND_COLUMNS = KINDS.map((kind) => kind.column);

export function Memory({ address }: { address: Address }) {
  const live = useLive();
  const now = useNow(address.range);
  const node = address.pick.node ?? '';
  const job = address.pick.job ?? '';
  const by = address.pick.by === 'job' && !job ? 'job' : 'kind';
  const jobs = useMemo(() => (live.overview?.jobs ?? []).map((row) => row.job), [live.overview]);
  const [from, to] = bounds(address.range, now);
  // Those of the range, which need not run now.
  const most = useJson<JobsFound>(by === 'job' ? heldMost(address.range, from, to) : null, address.range.live ? 10_000 : 0);
  const lastMost = useRef('');
  if (most.data) {
    // By name, so that two that change places are no reason to read all anew.
    lastMost.current = most.data.jobs.map((row) => row.job.id).sort().join(' ');
  }
  const jobIds = by === 'job' ? lastMost.current : '';
  const base = node ? `node|${node}` : 'cluster';
  const keys = useMemo(() => {
    const ofJob = (id: string) => (node ? `nodejob|${node}|${id}` : `job|${id}`);
    if (job) {
      return [ofJob(job)];
    }
    return by === 'job' ? [base, ...jobIds.split(' ').filter(Boolean).map(ofJob)] : [base];
  }, [node, job, by, base, jobIds]);
  const { series, error, ready } = useSeries(keys, address.range);
  const main = series.get(keys[0] ?? '');
  const chart = useMemo(() => layersOf(main, by, job, keys, series), [main, by, job, keys, series]);
  if (live.overview && live.nodes.size === 0) {
    return <Nothing />;
  }
  const at = address.pick.at === undefined ? undefined : Number(address.pick.at);
  const listed = [...live.nodes.values()].filter((row) => (value(live, row.values, 'cap') ?? 0) > 0 || row.id === node);
  return (
    <>
      <div className="controls">
        <Select
          label="Node"
          value={node}
          options={[['', 'all nodes'], ...listed.map((row): [string, string] => [row.id, row.id]), ...(node && !live.nodes.has(node) ? [[node, node] as [string, string]] : [])]}
          onChange={picker(address, 'node')}
        />
        <Select
          label="Job"
          value={job}
          options={[
            ['', 'all jobs'],
            ...jobs.map((one): [string, string] => [one.id, `${one.id} ${one.name.slice(0, 30)}`]),
            ...(job && !jobs.some((one) => one.id === job) ? [[job, job] as [string, string]] : []),
          ]}
          onChange={picker(address, 'job')}
        />
        {!job && (
          <Select
            label="Stacked by"
            value={by}
            options={[
              ['kind', 'kind of buffer'],
              ['job', 'job'],
            ]}
            onChange={picker(address, 'by')}
          />
        )}
        {node && <a href={change(address, { page: 'nodes', pick: { node } })}>this node whole</a>}
      </div>
      {!node && <Untold of={['engines']} />}
      <Problem error={error ?? most.error} what="History" />
      <StackChart
        title={`Memory of ${job || (node ? `node ${node}` : 'the cluster')} by ${by === 'job' ? 'job' : 'kind of buffer'}`}
        times={main?.times ?? []}
        grainMs={main?.grainMs ?? 1000}
        layers={chart.layers}
        lines={chart.lines}
        whole={chart.whole}
        untold={chart.untold}
        domain={[from, to]}
        format={bytes}
        height={300}
        at={at}
        onAt={(ms) => go(change(address, { pick: { at: String(ms) } }), true)}
        onRange={(a, b) => go(change(address, { range: { live: false, from: a, to: b } }))}
        note={ready ? '' : 'Loading.'}
      />
      {node ? (
        <Log address={address} node={node} job={job} from={from} to={to} now={now} at={at} />
      ) : (
        <MemoryOfNodes live={live} rows={listed} address={address} />
      )}
      {node && <Holders node={node} job={job} />}
    </>
  );
}

interface Chart {
  layers: Layer[];
  lines: Line[];
  whole: Layer;
  untold: Figure[];
}

/** What the chart shows; by job, those of `keys` after the first, and in one layer what all others hold. */
export function layersOf(main: Series | undefined, by: string, job: string, keys: string[], series: Map<string, Series>): Chart {
  const untold = job ? [] : without(main, 'enginesUntold');
  const whole: Layer = { name: 'whole', label: job ? 'All of the job' : 'Leased', color: '--rss', ...drawn(main, job ? 'total' : 'used') };
  const lines: Line[] = job
    ? []
    : [
        { name: 'cap', label: 'Configured', color: '--cap', ...drawn(main, 'cap') },
        { name: 'mapQuota', label: 'Map quota', color: '--q-map', ...drawn(main, 'mapQuota') },
        { name: 'reduceQuota', label: 'Reduce quota', color: '--q-reduce', ...drawn(main, 'reduceQuota'), dash: true },
      ];
  if (by !== 'job') {
    return {
      lines,
      whole,
      untold,
      layers: KINDS.map((kind) => ({ name: kind.column, label: kind.label, color: kind.color, ...drawn(main, kind.column) })),
    };
  }
  // Each job's rows are at times of their own; they are put where the node's rows are.
  const places = new Map((main?.times ?? []).map((t, i) => [t, i]));
  const layers = keys.slice(1).map((key, l): Layer => {
    const one = series.get(key);
    const values = new Array<number>(main?.times.length ?? 0).fill(0);
    const columns = KIND_COLUMNS.map((name) => one?.columns.indexOf(name) ?? -1).filter((c) => c >= 0);
    one?.times.forEach((t, i) => {
      const place = places.get(t);
      if (place !== undefined) {
        values[place] = columns.reduce((sum, c) => sum + (one.values[c]?.[i] ?? 0), 0);
      }
    });
    return { name: key, label: key.replace(/^.*\|/, ''), color: COLORS[l % COLORS.length] ?? '--j-0', values };
  });
  const held = whole.values.map((_, i) => layers.reduce((sum, layer) => sum + (layer.values[i] ?? 0), 0));
  const others = whole.values.map((all, i) => (all === null ? null : Math.max(0, all - (held[i] ?? 0))));
  return { lines, layers: [...layers, { name: 'others', label: 'all else', color: '--muted', values: others }], whole, untold };
}

/** How many decisions are asked for. */
const MOST_DECISIONS = 1000;

function Log(props: { address: Address; node: string; job: string; from: number; to: number; now: number; at: number | undefined }) {
  const { address, node, job, at } = props;
  // Around a marked moment, its own half minute; otherwise the end of the range.
  const from = at === undefined ? props.from : at - 15_000;
  const to = at === undefined ? props.to : at + 15_000;
  const moves = address.range.live && at === undefined;
  const step = moves ? 2000 : 1;
  const path = `decisions?node=${encodeURIComponent(node)}&from=${Math.max(0, Math.floor(from / step) * step)}&to=${Math.ceil(to / step) * step}&limit=${MOST_DECISIONS}`;
  const which = `${node} ${at ?? (address.range.live ? address.range.name : path)}`;
  const steady = useRef(new Steady()).current;
  const asked = steady.ask(path, which);
  // A span that moves is another address every two seconds; one that ends after the present is asked for until it has passed.
  const { data, error } = useJson<{ decisions: Decision[] }>(asked, !moves && grows({ live: false, from, to }, props.now) ? 2000 : 0);
  const last = useMemo(() => ({ rows: [] as Decision[], told: false }), [which]);
  if (data || error) {
    steady.heard(asked);
  }
  if (data) {
    last.rows = data.decisions;
    last.told = true;
  }
  const rows = last.rows.filter((d) => !job || d.job === job || d.victimJob === job);
  const columns: Column<Decision>[] = [
    {
      name: 'time',
      label: 'Time',
      cell: (d) => <a href={change(address, { pick: { at: String(d.timeMs) } })}>{clock(d.timeMs, true)}</a>,
      sort: (d) => d.timeMs * 1e4 + (d.sequence % 1e4),
    },
    { name: 'sequence', label: 'No.', number: true, cell: (d) => d.sequence, sort: (d) => d.sequence },
    { name: 'action', label: 'What', cell: (d) => <span className={`badge ${d.action.toLowerCase()}`}>{d.action.toLowerCase()}</span>, sort: (d) => d.action },
    { name: 'kind', label: 'Kind', cell: (d) => d.kind.toLowerCase(), sort: (d) => d.kind },
    { name: 'bytes', label: 'Bytes', number: true, cell: (d) => bytes(d.bytes), sort: (d) => d.bytes },
    { name: 'who', label: 'For', cell: (d) => <span title={d.attempt}>{d.attempt ? shortAttempt(d.attempt) : 'the scheduler'}</span>, sort: (d) => d.attempt },
    { name: 'user', label: 'User', cell: (d) => d.user, sort: (d) => d.user },
    { name: 'rule', label: 'Rule', cell: (d) => <span title={RULES[d.rule]}>{d.rule}</span>, sort: (d) => d.rule },
    { name: 'why', label: 'Why', cell: (d) => RULES[d.rule] ?? '' },
    { name: 'victim', label: 'Victim', cell: (d) => <span title={d.victim}>{d.victim ? shortAttempt(d.victim) : ''}</span>, sort: (d) => d.victim },
    { name: 'waited', label: 'Waited', number: true, cell: (d) => (d.waitedMs > 0 ? span(d.waitedMs) : ''), sort: (d) => d.waitedMs },
  ];
  return (
    <section aria-label="Decisions">
      <div className="head">
        <h2>Decisions</h2>
        <small className="none">
          {rows.length}
          {at === undefined ? ' in the range, newest first' : ` around ${clock(at, true)}`}
        </small>
        {at !== undefined && <a href={change(address, { pick: { at: '' } })}>unmark</a>}
      </div>
      <Problem error={error} what="Decisions" />
      <Table label="Decisions" rows={rows} columns={columns} id={(d) => `${d.engine}#${d.sequence}`} sort="-time" height={340} part={last.rows.length >= MOST_DECISIONS ? `, the latest ${count(MOST_DECISIONS)}` : ''} empty={told(last.told, error, 'The scheduler decided nothing in this span.')} />
    </section>
  );
}

function Holders({ node, job }: { node: string; job: string }) {
  const { data, error } = useJson<NodeView>(`nodes/${encodeURIComponent(node)}`, 1000);
  const engines = data?.node.sample?.engines ?? [];
  const leases = engines.flatMap((engine) => engine.memory.leases).filter((lease) => !job || lease.job === job);
  const waiters = engines.flatMap((engine) => engine.memory.waiters);
  return (
    <div className="cols">
      <section aria-label="Who holds memory now">
        <div className="head">
          <h2>Who holds memory now</h2>
        </div>
        <Problem error={error} what="Node" />
        <Table
          label="Who holds memory now"
          rows={leases}
          id={(l) => `${l.user} ${l.job} ${l.attempt} ${l.kind}`}
          sort="-bytes"
          height={240}
          columns={[
            { name: 'job', label: 'Job', cell: (l) => l.job || 'engine', sort: (l) => l.job },
            { name: 'attempt', label: 'Attempt', cell: (l) => (l.attempt ? shortAttempt(l.attempt) : `${l.attempts} ended`), sort: (l) => l.attempt },
            { name: 'kind', label: 'Kind', cell: (l) => l.kind.toLowerCase(), sort: (l) => l.kind },
            { name: 'bytes', label: 'Bytes', number: true, cell: (l) => bytes(l.bytes), sort: (l) => l.bytes },
          ]}
          empty={told(data !== null, error, 'Nobody holds memory.')}
        />
      </section>
      <section aria-label="Who waits">
        <div className="head">
          <h2>Who waits</h2>
        </div>
        <Table
          label="Who waits"
          rows={waiters}
          id={(w) => `${w.attempt} ${w.kind}`}
          height={240}
          empty={told(data !== null, error, 'Nobody waits for memory.')}
          columns={[
            { name: 'attempt', label: 'Attempt', cell: (w) => shortAttempt(w.attempt), sort: (w) => w.attempt },
            { name: 'kind', label: 'Kind', cell: (w) => w.kind.toLowerCase(), sort: (w) => w.kind },
            { name: 'waited', label: 'Waited', number: true, cell: (w) => span(w.waitedMs), sort: (w) => w.waitedMs },
            { name: 'passed', label: 'Passed by', number: true, cell: (w) => w.passedBy, sort: (w) => w.passedBy },
          ]}
        />
      </section>
    </div>
  );
}
