// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'react';
import { drawn } from '../charts/geometry';
import { StackChart } from '../charts/StackChart';
import { change, type Address } from '../lib/address';
import { bytes, count, rate, span, timeToEmpty } from '../lib/format';
import { bounds, go, useJson, useLive, useNow, useSeries } from '../lib/hooks';
import type { Lane, Queue, QueuesView } from '../lib/types';
import { CauseLine, useCause } from '../ui/Cause';
import { picker, Problem, Select, told } from '../ui/parts';
import { Table } from '../ui/Table';
import { Nothing } from './Overview';

const CLASSES = [
  { column: 'active', label: 'Active', color: '--k-io' },
  { column: 'receive', label: 'Receive', color: '--k-receive' },
  { column: 'send', label: 'Send', color: '--k-send' },
  { column: 'sort', label: 'Sort', color: '--k-sort' },
];

interface Row {
  queue: Queue;
  depth: number;
  held: number;
  oldest: number;
  write: number;
  read: number;
  errors: number;
}

function sum(lanes: Lane[], of: (lane: Lane) => number) {
  return lanes.reduce((total, lane) => total + of(lane), 0);
}

export function Queues({ address }: { address: Address }) {
  const live = useLive();
  const now = useNow(address.range);
  const { data, error } = useJson<QueuesView>('queues', 1000);
  const node = address.pick.node ?? '';
  const silent = (data?.silent ?? []).filter((s) => !node || s.node === node);
  const rows = useMemo(
    () =>
      (data?.queues ?? []).map((queue): Row => {
        const { lanes } = queue.disk;
        return {
          queue,
          depth: sum(lanes, (l) => l.depth),
          held: sum(lanes, (l) => l.heldBytes),
          oldest: Math.max(0, ...lanes.map((l) => l.oldestAgeMs)),
          write: sum(lanes.filter((l) => l.direction === 'WRITE'), (l) => l.bytesPerSecond),
          read: sum(lanes.filter((l) => l.direction === 'READ'), (l) => l.bytesPerSecond),
          errors: sum(lanes, (l) => l.errors),
        };
      }),
    [data],
  );
  const of = useCause(address);
  const listed = of.subjects ? rows.filter((row) => of.subjects?.has(row.queue.node)) : rows;
  const own = rows.filter((row) => row.queue.node === node);
  const disk = own.find((row) => row.queue.disk.name === address.pick.disk) ?? own[0];
  const key = disk ? `disk|${disk.queue.node}|${disk.queue.disk.name}` : 'cluster';
  const keys = useMemo(() => [key], [key]);
  const { series, error: historyError } = useSeries(keys, address.range);
  const one = series.get(key);
  const layers = useMemo(() => {
    return disk
      ? CLASSES.map((c) => ({ name: c.column, label: c.label, color: c.color, ...drawn(one, c.column) }))
      : [{ name: 'queueDepth', label: 'Pieces that wait', color: '--k-sort', ...drawn(one, 'queueDepth') }];
  }, [one, disk === undefined]);
  const whole = useMemo(() => ({ name: 'whole', label: 'All that wait', color: '--rss', ...drawn(one, disk ? 'depth' : 'queueDepth') }), [one, disk === undefined]);
  if (live.overview && live.nodes.size === 0) {
    return <Nothing />;
  }
  return (
    <>
      <div className="controls">
        <Select
          label="Node"
          value={node}
          options={[['', 'all nodes'], ...[...new Set(rows.map((row) => row.queue.node))].map((id): [string, string] => [id, id])]}
          onChange={picker(address, 'node')}
        />
        {node && own.length > 1 && (
          <Select label="Disk" value={disk?.queue.disk.name ?? ''} options={own.map((row) => [row.queue.disk.name, row.queue.disk.name])} onChange={picker(address, 'disk')} />
        )}
      </div>
      <Problem error={error ?? historyError} what="Queues" />
      <StackChart
        title={disk ? `Requests that wait at ${disk.queue.disk.name} of ${node}, by class` : 'Requests that wait at all disks'}
        times={one?.times ?? []}
        grainMs={one?.grainMs ?? 1000}
        layers={layers}
        whole={whole}
        domain={bounds(address.range, now)}
        format={count}
        base={1000}
        height={200}
        onRange={(from, to) => go(change(address, { range: { live: false, from, to } }))}
      />
      {node && own.length > 0 && (
        <div className="lanes">
          {own.map((row) => (
            <DiskCard key={row.queue.engine + row.queue.disk.name} row={row} />
          ))}
        </div>
      )}
      <section aria-label="Disks">
        <div className="head">
          <h2>Disks</h2>
          <small className="none">{count(listed.length)}</small>
        </div>
        <CauseLine address={address} of={of} what="nodes" />
        {silent.length > 0 && (
          <p className="none untold">
            {count(silent.length)} nodes are not in this list, as they do not tell of their disks: {silent.slice(0, 5).map((s) => `${s.node} (${s.reason || 'not read yet'})`).join(', ')}
            {silent.length > 5 ? ', …' : ''}
          </p>
        )}
        <Table
          label="Disks"
          rows={listed}
          id={(r) => `${r.queue.node} ${r.queue.engine} ${r.queue.disk.name}`}
          sort={address.pick.sort ?? '-depth'}
          onSort={(sort) => go(change(address, { pick: { sort } }), true)}
          empty={told(data !== null, error, 'No engine has reported a disk.')}
          columns={[
            { name: 'node', label: 'Node', cell: (r) => <a href={change(address, { pick: { node: r.queue.node, disk: r.queue.disk.name } })}>{r.queue.node}</a>, sort: (r) => r.queue.node },
            { name: 'disk', label: 'Disk', cell: (r) => r.queue.disk.name, sort: (r) => r.queue.disk.name },
            { name: 'depth', label: 'Depth', number: true, cell: (r) => count(r.depth), sort: (r) => r.depth },
            { name: 'held', label: 'Holds', number: true, cell: (r) => bytes(r.held), sort: (r) => r.held },
            { name: 'oldest', label: 'Oldest', number: true, cell: (r) => span(r.oldest), sort: (r) => r.oldest },
            { name: 'write', label: 'Written', number: true, cell: (r) => rate(r.write), sort: (r) => r.write },
            { name: 'read', label: 'Read', number: true, cell: (r) => rate(r.read), sort: (r) => r.read },
            { name: 'empty', label: 'Empty in', number: true, cell: (r) => emptyIn(r.held, r.write), sort: (r) => timeToEmpty(r.held, r.write) ?? Infinity },
            { name: 'flight', label: 'In flight', number: true, cell: (r) => r.queue.disk.inFlight, sort: (r) => r.queue.disk.inFlight },
            { name: 'errors', label: 'Errors', number: true, cell: (r) => count(r.errors), sort: (r) => r.errors },
            { name: 'dirs', label: 'Left out', cell: (r) => r.queue.disk.dirs.filter((d) => d.reason).map((d) => `${d.path}: ${d.reason}`).join('; ') },
          ]}
        />
      </section>
    </>
  );
}

function emptyIn(held: number, perSecond: number): string {
  const left = timeToEmpty(held, perSecond);
  return left === null ? 'stands still' : left === 0 ? '–' : span(left);
}

/** One disk's lanes as queues: the longer the bar, the more waits. */
function DiskCard({ row }: { row: Row }) {
  const { disk } = row.queue;
  const most = Math.max(8, ...disk.lanes.map((lane) => lane.depth));
  return (
    <section className="lane" aria-label={`Disk ${disk.name}`}>
      <div className="head">
        <h2>{disk.name}</h2>
        <small className="none">
          {disk.inFlight} in flight{disk.inFlight > 0 ? `, longest ${span(disk.longestInFlightMs)}` : ''}
          {disk.dirs.length > 0 && `; ${disk.dirs.map((d) => d.state.toLowerCase()).join(', ')}`}
        </small>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col">Queue</th>
            <th scope="col" className="n">Depth</th>
            <th scope="col" className="n">Oldest</th>
            <th scope="col" className="n">Rate</th>
            <th scope="col" className="n">Moved</th>
            <th scope="col" className="n">Empty in</th>
            <th scope="col" className="n">Errors</th>
          </tr>
        </thead>
        <tbody>
          {disk.lanes.map((lane) => (
            <tr key={lane.ioClass + lane.direction}>
              <td>
                {lane.ioClass.toLowerCase()} {lane.direction.toLowerCase()}
              </td>
              <td>
                <span className="pipe">
                  <span className={`c-k-${lane.ioClass === 'ACTIVE' ? 'io' : lane.ioClass.toLowerCase()}`} style={{ width: `${(100 * lane.depth) / most}%` }} />
                </span>
              </td>
              <td className="n">{count(lane.depth)}</td>
              <td className="n">{lane.oldestAgeMs > 0 ? span(lane.oldestAgeMs) : ''}</td>
              <td className="n">{rate(lane.bytesPerSecond)}</td>
              <td className="n">{lane.totalBytes > 0 ? bytes(lane.totalBytes) : ''}</td>
              <td className="n">{lane.depth > 0 ? emptyIn(lane.heldBytes, lane.bytesPerSecond) : ''}</td>
              <td className="n">{lane.errors > 0 ? count(lane.errors) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
