import { useMemo } from 'react';
import { StackChart } from '../charts/StackChart';
import { change, type Address, type Page } from '../lib/address';
import { bytes, count, percent, rate, span } from '../lib/format';
import { bounds, go, useAbout, useLive, useNow, useSeries } from '../lib/hooks';
import { KINDS } from '../lib/kinds';
import { value } from '../lib/live';
import { HeatMap } from '../ui/HeatMap';
import { JobTable } from '../ui/JobTable';
import { Problem, Stat } from '../ui/parts';

const CLUSTER = ['cluster'];

export function Overview({ address }: { address: Address }) {
  const live = useLive();
  const about = useAbout();
  const now = useNow(address.range);
  const { series, error } = useSeries(CLUSTER, address.range);
  const cluster = series.get('cluster');
  const chart = useMemo(() => {
    const column = (name: string) => cluster?.values[cluster.columns.indexOf(name)] ?? [];
    return {
      layers: KINDS.map((kind) => ({ name: kind.column, label: kind.label, color: kind.color, values: column(kind.column) })),
      lines: [
        { name: 'cap', label: 'Configured', color: '--cap', values: column('cap') },
        { name: 'rss', label: 'RSS of engines', color: '--rss', values: column('rss'), dash: true },
      ],
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
  const v = (name: string) => value(live, o.totals, name);
  const rows = [...live.nodes.values()];
  const pressed = rows.filter((row) => value(live, row.values, 'pressure') > 0).length;
  const ill = (o.reach.GONE ?? 0) + (o.reach.SLOW ?? 0) + (o.reach.REFUSED ?? 0) + (o.reach.FOREIGN ?? 0);
  const link = (page: Page) => change(address, { page });
  return (
    <>
      <dl className="stats">
        <Stat label="Memory leased" value={bytes(v('used'))} of={[v('used'), v('cap')]} note={`of ${bytes(v('cap'))} configured`} href={link('memory')} />
        <Stat label="RSS of engines" value={bytes(v('rss'))} note={`${bytes(v('rss') - v('used'))} beside what is leased`} />
        <Stat label="Map quota" value={bytes(v('mapQuota'))} note={`sort + send hold ${bytes(v('sort') + v('send'))}`} />
        <Stat label="Reduce quota" value={bytes(v('reduceQuota'))} note={`receive holds ${bytes(v('receive'))}`} />
        <Stat label="Nodes under pressure" value={count(pressed)} note={`${count(v('waiters'))} requests wait`} bad={pressed > 0} />
        <Stat label="Spill backlog" value={`${count(v('queueDepth'))} pieces`} note={`${bytes(v('queueHeld'))}, oldest ${span(v('queueOldestMs'))}`} href={link('queues')} />
        <Stat label="Written to disks" value={rate(v('writeRate'))} note={`${rate(v('readRate'))} read, ${count(v('ioErrors'))} errors`} bad={v('ioErrors') > 0} />
        <Stat
          label="Cache hits by bytes"
          value={percent(v('cacheHitBytes'), v('cacheHitBytes') + v('cacheMissBytes'))}
          note={`${percent(v('cacheHits'), v('cacheHits') + v('cacheMisses'))} of block reads`}
          href={link('cache')}
        />
        <Stat
          label="Whole data sets"
          value={o.cache ? percent(o.cache.roundsComplete, o.cache.rounds) : '–'}
          note={o.cache ? `${count(o.cache.completeSets)} of ${count(o.cache.cachedSets)} cached sets complete` : 'no cache master'}
        />
        <Stat label="Tasks in engines" value={count(v('tasks'))} note={`${count(v('fallbacks'))} fell back so far`} href={link('jobs')} />
        <Stat
          label="Nodes"
          value={`${count(o.reach.OK ?? 0)} of ${count(nodes)}`}
          note={ill > 0 ? `${count(ill)} not readable, ${count(o.reach.STOCK ?? 0)} stock` : `${count(o.reach.STOCK ?? 0)} stock`}
          bad={ill > 0}
          href={link('nodes')}
        />
      </dl>
      <Problem error={error} what="History" />
      <StackChart
        title="Memory of the cluster"
        times={cluster?.times ?? []}
        grainMs={cluster?.grainMs ?? 1000}
        {...chart}
        domain={bounds(address.range, now)}
        format={bytes}
        height={230}
        onRange={(from, to) => go(change(address, { range: { live: false, from, to } }))}
      />
      <div className="cols">
        <section aria-label="Memory by node">
          <div className="head">
            <h2>Memory by node</h2>
            <small className="none">share of what is configured that is leased; red is pressure</small>
          </div>
          <HeatMap address={address} />
        </section>
        <section aria-label="Needs attention">
          <div className="head">
            <h2>Needs attention</h2>
            <small className="none">{o.attention.length || 'nothing'}</small>
          </div>
          {o.attention.length > 0 && (
            <ul className="attention" tabIndex={0} aria-label="What needs attention">
              {o.attention.map((item, i) => (
                <li key={i}>
                  <span className={`sev ${item.severity}`}>{item.severity === 'bad' ? 'problem' : 'warning'}</span>
                  <a href={change(address, { page: item.page as Page, pick: live.nodes.has(item.subject) ? { node: item.subject } : {} })}>{item.subject}</a>
                  <span>{item.text}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
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
