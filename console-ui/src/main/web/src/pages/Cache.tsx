import { useMemo, useState } from 'react';
import { StackChart } from '../charts/StackChart';
import { change, type Address } from '../lib/address';
import { bytes, count, percent } from '../lib/format';
import { bounds, go, useAbout, useJson, useLive, useNow, useSeries } from '../lib/hooks';
import { value } from '../lib/live';
import type { CacheView, DataSet } from '../lib/types';
import { Outcome, useActions } from '../ui/Actions';
import { picker, Problem, Select, Stat } from '../ui/parts';
import { Table } from '../ui/Table';
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
    const column = (name: string) => one?.values[one.columns.indexOf(name)] ?? [];
    return {
      layers: [
        { name: 'cacheInput', label: 'Input in use', color: '--k-sort', values: column('cacheInput') },
        { name: 'cacheLocalized', label: 'Localized in use', color: '--k-send', values: column('cacheLocalized') },
      ],
      lines: [
        { name: 'cacheTotal', label: 'SSD space', color: '--cap', values: column('cacheTotal') },
        { name: 'cacheLent', label: 'Dynamic Pool lent to localized data', color: '--q-map', values: column('cacheLent'), dash: true },
      ],
    };
  }, [one]);
  const { data, error: readError } = useJson<CacheView>('cache', 3000);
  const named = useJson<{ sets: DataSet[] }>('cache/datasets', 6000);
  if (live.overview && live.nodes.size === 0) {
    return <Nothing />;
  }
  const v = (name: string) => value(live, live.overview?.totals, name);
  const master = data?.master ?? null;
  const counts = live.overview?.cache ?? null;
  if (live.overview && v('cacheTotal') === 0 && !counts) {
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
      <dl className="stats">
        <Stat label="Hit rate by bytes" value={percent(v('cacheHitBytes'), v('cacheHitBytes') + v('cacheMissBytes'))} note={`${bytes(v('cacheHitBytes'))} from SSD`} />
        <Stat label="Hit rate by blocks" value={percent(v('cacheHits'), v('cacheHits') + v('cacheMisses'))} note={`${count(v('cacheHits'))} of ${count(v('cacheHits') + v('cacheMisses'))}`} />
        <Stat label="Whole data sets read" value={counts ? percent(counts.roundsComplete, counts.rounds) : '–'} note={counts ? `${count(counts.roundsComplete)} of ${count(counts.rounds)} rounds` : 'no master'} />
        <Stat label="Complete data sets" value={counts ? count(counts.completeSets) : '–'} note={counts ? `of ${count(counts.cachedSets)} cached, ${count(counts.knownSets)} known` : ''} />
        <Stat label="Input Cache" value={bytes(v('cacheInput'))} of={[v('cacheInput'), v('cacheTotal')]} />
        <Stat label="Localized Cache" value={bytes(v('cacheLocalized'))} of={[v('cacheLocalized'), v('cacheTotal')]} />
        <Stat label="Policy" value={counts?.policy ?? '–'} />
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
          columns={[
            { name: 'node', label: 'Node', cell: (s) => <a href={change(address, { pick: { node: s.node } })}>{s.node}</a>, sort: (s) => s.node },
            { name: 'input', label: 'Input', number: true, cell: (s) => bytes(s.cache.inputUsed), sort: (s) => s.cache.inputUsed },
            { name: 'localized', label: 'Localized', number: true, cell: (s) => bytes(s.cache.localizedUsed), sort: (s) => s.cache.localizedUsed },
            { name: 'lent', label: 'Lent', number: true, cell: (s) => `${bytes(s.cache.lentBytes)} of ${bytes(s.cache.poolBytes)}`, sort: (s) => s.cache.lentBytes },
            { name: 'rate', label: 'Hits by bytes', number: true, cell: (s) => percent(s.cache.hitBytes, s.cache.hitBytes + s.cache.missBytes), sort: (s) => s.cache.hitBytes },
            { name: 'fills', label: 'To fill', number: true, cell: (s) => count(s.cache.fillsWaiting), sort: (s) => s.cache.fillsWaiting },
            { name: 'evicted', label: 'Evicted copies', number: true, cell: (s) => <span title={departures(s.cache.evictions)}>{count(evicted(s.cache.evictions))}</span>, sort: (s) => evicted(s.cache.evictions) },
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
