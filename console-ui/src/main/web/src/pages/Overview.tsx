// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'react';
import { drawn, without } from '../charts/geometry';
import { StackChart } from '../charts/StackChart';
import { change, type Address, type Page } from '../lib/address';
import { often, target, whom } from '../lib/attention';
import { bytes, count, minus, percent, plus, rate, span, UNKNOWN } from '../lib/format';
import { bounds, go, useAbout, useLive, useNow, useSeries } from '../lib/hooks';
import { KINDS } from '../lib/kinds';
import { total, value } from '../lib/live';
import { HeatMap } from '../ui/HeatMap';
import { JobTable } from '../ui/JobTable';
import { LatestEvents } from '../ui/LatestEvents';
import { Problem, Stat, Untold } from '../ui/parts';

const CLUSTER = ['cluster'];

export function Overview({ address }: { address: Address }) {
  const live = useLive();
  const about = useAbout();
  const now = useNow(address.range);
  const { series, error } = useSeries(CLUSTER, address.range);
  const cluster = series.get('cluster');
  const charts = useMemo(() => {
    const line = (name: string, label: string, color: string) => ({ name, label, color, ...drawn(cluster, name) });
    return {
      untold: without(cluster, 'enginesUntold'),
      memory: {
        layers: KINDS.map((kind) => line(kind.column, kind.label, kind.color)),
        whole: line('used', 'Leased', '--rss'),
        lines: [line('cap', 'Configured', '--cap'), { ...line('rss', 'RSS of engines', '--rss'), dash: true }],
      },
      disks: { layers: [], lines: [line('readRate', 'Read', '--k-receive'), line('writeRate', 'Written', '--k-send')] },
      tasks: { layers: [line('tasks', 'Tasks', '--k-sort')], lines: [line('waiters', 'Requests for memory that wait', '--cap')] },
    };
  }, [cluster]);
  const o = live.overview;
  if (!o) {
    return <p className="none">Waiting for the first second.</p>;
  }
  const nodes = Object.values(o.reach).reduce((a, b) => a + b, 0);
  if (nodes === 0) {
    return <Nothing />;
  }
  const v = (name: string) => total(live, name).figure;
  const of = (name: string) => total(live, name).why;
  const told = (o.reach.OK ?? 0) > 0;
  const dead = Object.entries(o.masters).filter(([, error]) => error !== '');
  const rows = [...live.nodes.values()];
  const pressed = v('pressure') === null ? null : rows.filter((row) => (value(live, row.values, 'pressure') ?? 0) > 0).length;
  const beingWritten = v('queueDepth') === 0 && (v('queueHeld') ?? 0) > 0;
  const ill = (o.reach.GONE ?? 0) + (o.reach.SLOW ?? 0) + (o.reach.REFUSED ?? 0) + (o.reach.FOREIGN ?? 0);
  const link = (page: Page) => change(address, { page });
  const common = {
    times: cluster?.times ?? [],
    grainMs: cluster?.grainMs ?? 1000,
    untold: charts.untold,
    domain: bounds(address.range, now),
    onRange: (from: number, to: number) => go(change(address, { range: { live: false, from, to } })),
  };
  return (
    <>
      {dead.map(([origin, error]) => (
        <p key={origin} className="problem" role="alert">
          <b>{origin}</b> does not do its work: {error}. {told ? 'Nodes are shown as they were known before.' : 'What it would tell is not known.'}
        </p>
      ))}
      <section aria-label="Needs attention">
        {o.attention.length === 0 ? (
          <p className="calm">Nothing needs attention.</p>
        ) : (
          <>
            <div className="head">
              <h2>Needs attention</h2>
              <small className="none">
                {o.attentionGroups > o.attention.length ? `the first ${o.attention.length} of ${count(o.attentionGroups)}` : count(o.attentionGroups)}
              </small>
            </div>
            <ul className="attention" tabIndex={0} aria-label="What needs attention">
              {o.attention.map((item) => (
                <li key={item.cause}>
                  <span className={`sev ${item.severity}`}>{item.severity === 'bad' ? 'problem' : 'warning'}</span>
                  <a href={change(address, target(item, live.nodes.has(item.subject)))}>{whom(item)}</a>
                  <span>
                    {item.text}
                    {often(item) && <small className="none"> ({often(item)})</small>}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      <Untold of={['engines', 'cache']} />
      {v('engines') === 0 && o.jobs.length === 0 && <Idle />}
      <dl className="stats">
        <Stat label="Memory leased" value={bytes(v('used'))} of={[v('used'), v('cap')]} note={`of ${bytes(v('cap'))} configured`} href={link('memory')} why={of('used')} />
        <Stat label="RSS of engines" value={bytes(v('rss'))} note={`${bytes(minus(v('rss'), v('used')))} beside what is leased`} why={of('rss')} />
        <Stat label="Map quota" value={bytes(v('mapQuota'))} note={`sort + send hold ${bytes(plus(v('sort'), v('send')))}`} why={of('mapQuota')} />
        <Stat label="Reduce quota" value={bytes(v('reduceQuota'))} note={`receive holds ${bytes(v('receive'))}`} why={of('reduceQuota')} />
        <Stat label="Nodes under pressure" value={count(pressed)} note={`${count(v('waiters'))} requests wait`} bad={(pressed ?? 0) > 0} why={of('pressure')} />
        <Stat label="Spill backlog" value={beingWritten ? 'none waits' : v('queueDepth') === null ? UNKNOWN : `${count(v('queueDepth'))} pieces`} note={beingWritten ? `${bytes(v('queueHeld'))} being written` : `${bytes(v('queueHeld'))}, oldest ${span(v('queueOldestMs'))}`} href={link('queues')} why={of('queueDepth')} />
        <Stat label="Written to disks" value={rate(v('writeRate'))} note={`${rate(v('readRate'))} read, ${count(v('ioErrors'))} errors`} bad={(v('ioErrors') ?? 0) > 0} why={of('writeRate')} />
        <Stat
          label="Cache hits by bytes"
          value={percent(v('cacheHitBytes'), plus(v('cacheHitBytes'), v('cacheMissBytes')))}
          note={`${percent(v('cacheHits'), plus(v('cacheHits'), v('cacheMisses')))} of block reads`}
          href={link('cache')}
          why={of('cacheHitBytes')}
        />
        <Stat
          label="Whole data sets"
          value={o.cache ? percent(o.cache.roundsComplete, o.cache.rounds) : UNKNOWN}
          note={o.cache ? `${count(o.cache.completeSets)} of ${count(o.cache.cachedSets)} cached sets complete` : 'no NameNode tells of a cache'}
        />
        <Stat label="Tasks in engines" value={count(v('tasks'))} note={`${count(v('fallbacks'))} fell back so far`} href={link('jobs')} why={of('tasks')} />
        <Stat
          label="Nodes"
          value={`${count(o.reach.OK ?? 0)} of ${count(nodes)}`}
          note={ill > 0 ? `${count(ill)} not readable, ${count(o.reach.STOCK ?? 0)} stock` : `${count(o.reach.STOCK ?? 0)} stock`}
          bad={ill > 0}
          href={link('nodes')}
        />
      </dl>
      <Problem error={error} what="History" />
      <div className="charts">
        <StackChart title="Memory of the cluster" {...common} {...charts.memory} format={bytes} height={190} />
        <StackChart quiet title="Disks, by engines" {...common} {...charts.disks} format={rate} height={190} />
        <StackChart quiet title="Tasks in engines" {...common} {...charts.tasks} base={1000} format={count} height={190} />
      </div>
      <div className="cols">
        <section aria-label="Nodes">
          <div className="head">
            <h2>Nodes</h2>
          </div>
          <HeatMap address={address} />
        </section>
        <LatestEvents address={address} />
      </div>
      <section aria-label="Running jobs">
        <div className="head">
          <h2>Running jobs</h2>
          {about && !about.all && <small className="none">yours only</small>}
        </div>
        <JobTable rows={o.jobs} address={address} columns={about?.jobColumns ?? []} />
      </section>
    </>
  );
}

/** What somebody sees who has just started a cluster. */
function Idle() {
  return (
    <p className="none">
      No engine runs. A node starts one with a user&apos;s first task, so run a job: <code>yarn jar share/hadoop/mapreduce/hadoop-mapreduce-examples-*.jar pi 4 1000</code>
    </p>
  );
}

/** A cluster with nothing on it, or one whose masters do not answer. */
export function Nothing() {
  const masters = Object.entries(useLive().overview?.masters ?? {});
  const failing = masters.filter(([, error]) => error !== '');
  return (
    <div className="welcome">
      <h2>{failing.length > 0 ? 'The cluster cannot be reached' : 'The cluster has no nodes yet'}</h2>
      {failing.length > 0 ? (
        <>
          <p>These masters were asked which nodes there are:</p>
          <ul>
            {masters.map(([origin, error]) => (
              <li key={origin}>
                <code>{origin}</code> – {error || 'answers'}
              </li>
            ))}
          </ul>
          <p>
            The addresses come from <code>yarn-site.xml</code> and <code>hdfs-site.xml</code>, or from <code>mammoth.console.resourcemanagers</code> and{' '}
            <code>mammoth.console.namenodes</code>. The console goes on asking.
          </p>
        </>
      ) : (
        <p>
          The ResourceManager and the NameNode answer, and know of no node. Start one with <code>yarn --daemon start nodemanager</code>; it will appear here
          within ten seconds.
        </p>
      )}
    </div>
  );
}
