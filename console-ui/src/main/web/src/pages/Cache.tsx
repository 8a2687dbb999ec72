// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState, type ReactNode } from 'react';
import { drawn, without } from '../charts/geometry';
import { StackChart } from '../charts/StackChart';
import { change, type Address } from '../lib/address';
import { bytes, count, percent, plus, UNKNOWN, type Figure } from '../lib/format';
import { bounds, go, useAbout, useJson, useLive, useNow, useSeries } from '../lib/hooks';
import { total } from '../lib/live';
import type { CacheSample, CacheView, DataSet, Slave } from '../lib/types';
import { Outcome, useActions } from '../ui/Actions';
import { picker, Problem, Select, Stat, Untold } from '../ui/parts';
import { Table, type Column } from '../ui/Table';
import { admissionText, departures, evicted, why } from '../ui/why';
import { WhatIf } from '../ui/WhatIf';
import { Nothing } from './Overview';

export function Cache({ address }: { address: Address }) {
  const live = useLive();
  const now = useNow(address.range);
  const node = address.pick.node ?? '';
  const key = node ? `node|${node}` : 'cluster';
  const keys = useMemo(() => [key], [key]);
  const { series, error } = useSeries(keys, address.range);
  const one = series.get(key);
  const chart = useMemo(() => {
    return {
      untold: node ? [] : without(one, 'cacheUntold'),
      layers: [
        { name: 'cacheInput', label: 'Input in use', color: '--k-sort', ...drawn(one, 'cacheInput') },
        { name: 'cacheLocalized', label: 'Localized in use', color: '--k-send', ...drawn(one, 'cacheLocalized') },
      ],
      whole: { name: 'cacheUsed', label: 'In use', color: '--rss', ...drawn(one, 'cacheUsed') },
      lines: [
        { name: 'cacheTotal', label: 'SSD space', color: '--cap', ...drawn(one, 'cacheTotal') },
        { name: 'cacheLent', label: 'Dynamic Pool lent to localized data', color: '--q-map', ...drawn(one, 'cacheLent'), dash: true },
      ],
    };
  }, [one, node]);
  const { data, error: readError } = useJson<CacheView>('cache', 3000);
  const named = useJson<{ sets: DataSet[] }>('cache/datasets', 6000);
  if (live.overview && live.nodes.size === 0) {
    return <Nothing />;
  }
  const v = (name: string) => total(live, name).figure;
  const of = (name: string) => total(live, name).why;
  const master = data?.master ?? null;
  const counts = live.overview?.cache ?? null;
  // That no node has one is known once each has been asked.
  if (live.overview && v('cacheTotal') === null && v('cacheUntold') === 0 && !counts) {
    return (
      <div className="welcome">
        <h2>No node has an SSD cache</h2>
        <p>
          No DataNode reports <code>MpCacheSlave</code> and no NameNode <code>MpCacheMaster</code>. It is switched on with <code>mammoth.mpcache.*</code>; see
          docs/mpcache.md.
        </p>
      </div>
    );
  }
  return (
    <>
      <Untold of={['cache']} />
      <dl className="stats">
        <Stat label="SSD space" value={bytes(v('cacheTotal'))} note={v('cacheTotal') === null ? of('cacheTotal') : `${bytes(v('cacheUsed'))} in use`} why={of('cacheTotal')} />
        <Stat label="Hit rate by bytes" value={percent(v('cacheHitBytes'), plus(v('cacheHitBytes'), v('cacheMissBytes')))} note={`${bytes(v('cacheHitBytes'))} from SSD`} why={of('cacheHitBytes')} />
        <Stat label="Hit rate by blocks" value={percent(v('cacheHits'), plus(v('cacheHits'), v('cacheMisses')))} note={`${count(v('cacheHits'))} of ${count(plus(v('cacheHits'), v('cacheMisses')))}`} why={of('cacheHits')} />
        <Stat label="Whole data sets read" value={counts ? percent(counts.roundsComplete, counts.rounds) : UNKNOWN} note={counts ? `${count(counts.roundsComplete)} of ${count(counts.rounds)} rounds` : 'no NameNode tells of a cache'} />
        <Stat label="Complete data sets" value={count(counts?.completeSets)} note={counts ? `of ${count(counts.cachedSets)} cached, ${count(counts.knownSets)} known` : ''} />
        <Stat label="Input Cache" value={bytes(v('cacheInput'))} of={[v('cacheInput'), v('cacheTotal')]} why={of('cacheInput')} />
        <Stat label="Localized Cache" value={bytes(v('cacheLocalized'))} of={[v('cacheLocalized'), v('cacheTotal')]} why={of('cacheLocalized')} />
        <Stat label="Policy" value={counts?.policy ?? UNKNOWN} />
      </dl>
      <div className="controls">
        <Select label="Node" value={node} options={[['', 'all nodes'], ...(data?.slaves ?? []).map((s): [string, string] => [s.node, s.node])]} onChange={picker(address, 'node')} />
      </div>
      <Problem error={error} what="History" />
      <StackChart
        title={`SSD space of ${node || 'the cluster'}`}
        times={one?.times ?? []}
        grainMs={one?.grainMs ?? 1000}
        {...chart}
        domain={bounds(address.range, now)}
        format={bytes}
        height={220}
        onRange={(from, to) => go(change(address, { range: { live: false, from, to } }))}
      />
      <Problem error={readError} what="Slaves" />
      <DataSets sets={named.data?.sets ?? null} error={named.error} />
      <section aria-label="Slaves">
        <div className="head">
          <h2>Slaves</h2>
        </div>
        <Table
          label="Slaves"
          rows={data?.slaves ?? []}
          id={(s) => s.node}
          height={320}
          empty={data ? 'No DataNode tells of an SSD cache.' : 'Loading.'}
          columns={[
            { name: 'node', label: 'Node', cell: (s) => <a href={change(address, { pick: { node: s.node } })}>{s.node}</a>, sort: (s) => s.node },
            slave('input', 'Input', (c) => c.inputUsed, (c) => bytes(c.inputUsed)),
            slave('localized', 'Localized', (c) => c.localizedUsed, (c) => bytes(c.localizedUsed)),
            slave('lent', 'Lent', (c) => c.lentBytes, (c) => `${bytes(c.lentBytes)} of ${bytes(c.poolBytes)}`),
            slave('rate', 'Hits by bytes', (c) => c.hitBytes, (c) => percent(c.hitBytes, c.hitBytes + c.missBytes)),
            slave('fills', 'To fill', (c) => c.fillsWaiting, (c) => count(c.fillsWaiting)),
            slave('evicted', 'Evicted copies', (c) => evicted(c.evictions), (c) => <span title={departures(c.evictions)}>{count(evicted(c.evictions))}</span>),
            ...((data?.slaves ?? []).some((s) => s.untold) ? [{ name: 'untold', label: 'Why not known', cell: (s: Slave) => s.untold, sort: (s: Slave) => s.untold }] : []),
          ]}
        />
        {master && Object.keys(master.refusals).length > 0 && (
          <p className="hint">
            Rounds not admitted: {Object.entries(master.refusals).map(([reason, n]) => `${admissionText(reason)}: ${count(n)}`).join(', ')}.
          </p>
        )}
      </section>
      <WhatIf />
    </>
  );
}

/** A number of a slave, or a dash with the reason where the slave does not tell. */
function slave(name: string, label: string, of: (cache: CacheSample) => Figure, cell: (cache: CacheSample) => ReactNode): Column<Slave> {
  return {
    name,
    label,
    number: true,
    cell: (s) => (s.cache ? cell(s.cache) : <span title={s.untold}>{UNKNOWN}</span>),
    sort: (s) => s.cache && of(s.cache),
  };
}

/** What HDFS lets this user see of the cache; administrators also order. */
function DataSets({ sets, error }: { sets: DataSet[] | null; error: Error | null }) {
  const about = useAbout();
  const { busy, done, post } = useActions();
  const [path, setPath] = useState('');
  const order = (action: string, question: string, target: string) => post(question, `cache/actions/${action}?path=${encodeURIComponent(target)}`);
  return (
    <section aria-label="Data sets">
      <div className="head">
        <h2>Data sets</h2>
        <small className="none">{sets ? `${count(sets.length)} that you may read` : ''}</small>
      </div>
      <Problem error={error} what="Data sets" />
      {about?.admin && (
        <form
          className="controls"
          onSubmit={(event) => {
            event.preventDefault();
            order('warm', `Have the files at and below ${path} cached, as far as the policy admits them?`, path);
          }}
        >
          <label className="select">
            Path
            <input type="text" placeholder="/absolute/path" required pattern="/.*" value={path} onChange={(event) => setPath(event.target.value)} />
          </label>
          <button type="submit" disabled={busy}>
            warm
          </button>
          <button type="button" disabled={busy || !path.startsWith('/')} onClick={() => order('pin', `Pin what is at and below ${path}, until the NameNode restarts or fails over?`, path)}>
            pin
          </button>
          <button type="button" disabled={busy || !path.startsWith('/')} onClick={() => order('evict', `Evict what is at and below ${path}?`, path)}>
            evict
          </button>
        </form>
      )}
      {about?.admin && <Outcome done={done} />}
      {about?.noActions && <p className="unproven none">{about.noActions}</p>}
      <Table
        label="Data sets"
        rows={sets ?? []}
        id={(s) => s.path}
        sort="-copyBytes"
        height={320}
        empty={sets ? 'No data set was read yet that you may read.' : error ? 'The NameNode does not tell.' : 'Loading.'}
        columns={[
          { name: 'path', label: 'Path', most: 290, cell: (s) => s.path, sort: (s) => s.path },
          { name: 'size', label: 'Size', number: true, cell: (s) => bytes(s.bytes), sort: (s) => s.bytes },
          { name: 'complete', label: 'Blocks cached', number: true, cell: (s) => `${s.cachedBlocks} / ${s.blocks}`, sort: (s) => s.cachedBlocks / s.blocks },
          { name: 'copyBytes', label: 'Copies', number: true, cell: (s) => bytes(s.copyBytes), sort: (s) => s.copyBytes },
          { name: 'accesses', label: 'Rounds', number: true, cell: (s) => count(s.accesses), sort: (s) => s.accesses },
          { name: 'hits', label: 'Block hits', number: true, cell: (s) => count(s.hits), sort: (s) => s.hits },
          { name: 'priority', label: 'Priority', number: true, cell: (s) => (s.cachedBlocks > 0 ? s.priority.toFixed(2) : '–'), sort: (s) => s.priority },
          { name: 'why', label: 'Why', most: 230, cell: (s) => why(s), sort: (s) => s.admission },
          { name: 'pinned', label: 'Pinned', cell: (s) => (s.pinned ? 'pinned' : ''), sort: (s) => (s.pinned ? 0 : 1) },
          ...(about?.admin
            ? [
                {
                  name: 'act',
                  label: 'Action',
                  cell: (s: DataSet) => (
                    <>
                      <button type="button" disabled={busy} aria-label={`Evict ${s.path}`} onClick={() => order('evict', `Evict ${s.path} from the cache?`, s.path)}>
                        evict
                      </button>{' '}
                      {s.pinned ? (
                        <button type="button" disabled={busy} aria-label={`Unpin ${s.path}`} onClick={() => order('unpin', `Take the pin of ${s.path} back?`, s.path)}>
                          unpin
                        </button>
                      ) : (
                        <button type="button" disabled={busy} aria-label={`Pin ${s.path}`} onClick={() => order('pin', `Pin ${s.path}, until the NameNode restarts or fails over?`, s.path)}>
                          pin
                        </button>
                      )}
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}
