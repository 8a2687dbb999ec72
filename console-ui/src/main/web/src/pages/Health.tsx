// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'react';
import { drawn, scaled, without as unheard, type Layer } from '../charts/geometry';
import { StackChart } from '../charts/StackChart';
import { change, type Address } from '../lib/address';
import { bytes, count, minus, percent, rate, UNKNOWN, type Figure } from '../lib/format';
import { cores, without, type HdfsHealth, type HealthView, type YarnQueue } from '../lib/health';
import { bounds, go, useJson, useLive, useNow, useSeries } from '../lib/hooks';
import { value } from '../lib/live';
import { HeatMap } from '../ui/HeatMap';
import { picker, Problem, Select, Stat, told } from '../ui/parts';
import { Table, type Column } from '../ui/Table';
import { Nothing } from './Overview';
import './health.css';

const whole = (figure: Figure | undefined) => (figure === null || figure === undefined ? UNKNOWN : figure.toFixed(figure < 10 && figure > 0 ? 1 : 0));
const share = (figure: Figure) => (figure === null ? UNKNOWN : `${figure.toFixed(figure > 0 && figure < 10 ? 1 : 0)} %`);

/** CPU, memory, network, disks and space of hosts, whoever uses them; YARN's queues; HDFS. */
export function Health({ address }: { address: Address }) {
  const live = useLive();
  const now = useNow(address.range);
  const node = address.pick.node ?? '';
  const key = node ? `node|${node}` : 'cluster';
  const keys = useMemo(() => [key], [key]);
  const { series, error } = useSeries(keys, address.range);
  const { data, error: askError } = useJson<HealthView>('health', 5000);
  const one = series.get(key);
  const charts = useMemo(() => {
    const line = (name: string, label: string, color: string) => ({ name, label, color, ...drawn(one, name) });
    const memory = drawn(one, 'hostMemory');
    const available = drawn(one, 'hostMemoryAvailable');
    const used: Layer = { name: 'used', label: 'In use', color: '--k-sort', values: memory.values.map((all, i) => minus(all, available.values[i] ?? null)) };
    return {
      untold: node ? [] : unheard(one, 'enginesUntold'),
      cpu: {
        layers: [{ name: 'hostCpu', label: 'Busy cores', color: '--k-sort', ...scaled(drawn(one, 'hostCpu'), 0.001) }],
        lines: [line('hostCores', 'Cores', '--cap')],
      },
      memory: { layers: [used], lines: [line('hostMemory', 'Memory', '--cap'), { ...line('rss', 'RSS of engines', '--rss'), dash: true }] },
      network: { layers: [], lines: [line('networkIn', 'Received', '--k-receive'), line('networkOut', 'Sent', '--k-send')] },
      disks: { layers: [], lines: [line('hostDiskRead', 'Read', '--k-receive'), line('hostDiskWritten', 'Written', '--k-send')] },
    };
  }, [one, node]);
  if (live.overview && live.nodes.size === 0) {
    return <Nothing />;
  }
  const all = [...live.nodes.values()];
  const rows = node ? all.filter((row) => row.id === node) : all;
  const values = node ? rows[0]?.values : live.overview?.totals;
  const v = (column: string) => value(live, values, column);
  const why = (column: string) => without(live, rows, column);
  const common = {
    times: one?.times ?? [],
    grainMs: one?.grainMs ?? 1000,
    untold: charts.untold,
    domain: bounds(address.range, now),
    onRange: (from: number, to: number) => go(change(address, { range: { live: false, from, to } })),
  };
  const full = (v('localDirsUsed') ?? 0) >= 90 || (v('localDirsBad') ?? 0) > 0;
  return (
    <>
      <div className="controls">
        <Select label="Of" value={node} options={[['', all.length === 1 ? 'the only node' : `all ${count(all.length)} nodes`], ...all.map((row): [string, string] => [row.id, row.id])]} onChange={picker(address, 'node')} />
        {node && rows.length === 0 && <span className="problem">There is no node {node} any more.</span>}
        {node && <a href={change(address, { page: 'nodes', pick: { node } })}>its engines</a>}
      </div>
      <dl className="stats">
        <Stat label="CPU" value={`${cores(v('hostCpu'))} cores`} of={[v('hostCpu'), v('hostCores') === null ? null : 1000 * (v('hostCores') ?? 0)]} note={`of ${count(v('hostCores'))} busy`} why={why('hostCpu')} />
        <Stat label="Memory available" value={bytes(v('hostMemoryAvailable'))} of={[minus(v('hostMemory'), v('hostMemoryAvailable')), v('hostMemory')]} note={`of ${bytes(v('hostMemory'))}`} why={why('hostMemoryAvailable')} />
        <Stat label="Network in" value={rate(v('networkIn'))} note={`${rate(v('networkOut'))} out`} why={why('networkIn')} />
        <Stat label="Disks busy" value={percent(v('hostDiskBusy'), v('hostDisks') === null ? null : 1000 * (v('hostDisks') ?? 0))} note={`of the time of ${count(v('hostDisks'))} disks`} why={why('hostDiskBusy')} />
        <Stat label="Disk traffic" value={rate(v('hostDiskRead'))} note={`read; ${rate(v('hostDiskWritten'))} written`} why={why('hostDiskRead')} />
        <Stat
          label={node ? 'Local folders' : 'Fullest local folders'}
          value={v('localDirsUsed') === null ? UNKNOWN : `${v('localDirsUsed')} %`}
          of={[v('localDirsUsed'), 100]}
          note={(v('localDirsBad') ?? 0) > 0 ? `${count(v('localDirsBad'))} out of use` : 'yarn.nodemanager.local-dirs'}
          bad={full}
          why={why('localDirsUsed')}
        />
        <Stat
          label="HDFS space left"
          value={bytes(v('dfsRemaining'))}
          of={[minus(v('dfsCapacity'), v('dfsRemaining')), v('dfsCapacity')]}
          note={`of ${bytes(v('dfsCapacity'))}${(v('dfsVolumesFailed') ?? 0) > 0 ? `, ${count(v('dfsVolumesFailed'))} volumes failed` : ''}`}
          bad={(v('dfsVolumesFailed') ?? 0) > 0}
          why={why('dfsCapacity')}
        />
      </dl>
      <Problem error={error} what="History" />
      <div className="four">
        <StackChart title="CPU" {...common} {...charts.cpu} base={1000} format={whole} />
        <StackChart quiet title="Memory of hosts" {...common} {...charts.memory} format={bytes} />
        <StackChart quiet title="Network" {...common} {...charts.network} format={rate} />
        <StackChart quiet title="Disks" {...common} {...charts.disks} format={rate} />
      </div>
      <section aria-label="Nodes by a metric">
        <div className="head">
          <h2>Nodes</h2>
        </div>
        <HeatMap address={address} />
      </section>
      <Problem error={askError} what="Queues and HDFS" />
      <div className="cols">
        <section aria-label="Queues of YARN">
          <div className="head">
            <h2>Queues of YARN</h2>
            <small className="none">{data?.queuesUntold}</small>
          </div>
          <Queues rows={data?.queues ?? []} empty={told(data !== null, askError, 'No queue is told.')} />
        </section>
        <section aria-label="HDFS">
          <div className="head">
            <h2>HDFS</h2>
            {data && data.hdfs.length === 0 && <small className="none">no active NameNode answers</small>}
          </div>
          {data?.hdfs.map((hdfs) => <Hdfs key={hdfs.nameNode} hdfs={hdfs} many={data.hdfs.length > 1} />)}
        </section>
      </div>
    </>
  );
}

function Queues({ rows, empty }: { rows: YarnQueue[]; empty: string }) {
  const number = (name: keyof YarnQueue, label: string, format: (figure: Figure) => string): Column<YarnQueue> => ({
    name,
    label,
    number: true,
    cell: (row) => format(row[name] as Figure),
    sort: (row) => row[name] as Figure,
  });
  return (
    <Table
      label="Queues of YARN"
      rows={rows}
      id={(row) => row.path}
      sort="path"
      height={320}
      empty={empty}
      columns={[
        { name: 'path', label: 'Queue', cell: (row) => row.path, sort: (row) => row.path },
        { name: 'state', label: 'State', cell: (row) => row.state.toLowerCase(), sort: (row) => row.state },
        { name: 'bar', label: 'Use', cell: (row) => <Use row={row} /> },
        number('usedPercent', 'Used', share),
        number('guaranteedPercent', 'Guaranteed', share),
        number('runningApplications', 'Run', count),
        number('waitingApplications', 'Wait', count),
        number('waitingContainers', 'Containers wait', count),
        number('maximumPercent', 'Maximum', share),
        number('usedMemory', 'Memory', bytes),
        number('usedVcores', 'Vcores', count),
      ]}
    />
  );
}

/** A bar of the cluster: what is used, a tick at what is guaranteed. */
function Use({ row }: { row: YarnQueue }) {
  if (row.usedPercent === null) {
    return UNKNOWN;
  }
  return (
    <span className="use" role="img" aria-label={`${share(row.usedPercent)} used, ${share(row.guaranteedPercent)} guaranteed`}>
      <span className={row.guaranteedPercent !== null && row.usedPercent > row.guaranteedPercent ? 'over' : undefined} style={{ width: `${Math.min(100, row.usedPercent)}%` }} />
      {row.guaranteedPercent !== null && <i style={{ left: `${Math.min(100, row.guaranteedPercent)}%` }} />}
    </span>
  );
}

function Hdfs({ hdfs, many }: { hdfs: HdfsHealth; many: boolean }) {
  const ill = (figure: Figure) => (figure ?? 0) > 0;
  return (
    <>
      {many && <p className="none">{hdfs.nameNode}</p>}
      {hdfs.safeMode && (
        <p className="problem" role="alert">
          In safe mode, so that nothing can be written: {hdfs.safeMode}
        </p>
      )}
      <dl className="stats">
        <Stat label="Space left" value={bytes(hdfs.remaining)} of={[minus(hdfs.capacity, hdfs.remaining), hdfs.capacity]} note={`of ${bytes(hdfs.capacity)}`} />
        <Stat label="DataNodes" value={count(hdfs.liveDataNodes)} note={`${count(hdfs.deadDataNodes)} dead, ${count(hdfs.staleDataNodes)} stale`} bad={ill(hdfs.deadDataNodes) || ill(hdfs.staleDataNodes)} />
        <Stat label="Missing blocks" value={count(hdfs.missingBlocks)} note={`${count(hdfs.corruptBlocks)} corrupt`} bad={ill(hdfs.missingBlocks)} />
        <Stat label="Low redundancy" value={count(hdfs.lowRedundancyBlocks)} note="blocks with fewer copies than asked for" />
        <Stat label="Files" value={count(hdfs.files)} note={`${count(hdfs.blocks)} blocks`} />
      </dl>
    </>
  );
}
