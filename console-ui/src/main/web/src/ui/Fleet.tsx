// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { count, moment, span } from '../lib/format';
import { order, useJson, useLive } from '../lib/hooks';
import { Problem, Select } from './parts';
import { Table } from './Table';

interface Variant {
  value: string;
  nodes: string[];
}

interface Differences {
  compared: number;
  silent: Record<string, string>;
  differences: { name: string; variants: Variant[] }[];
}

interface Row {
  name: string;
  variant: Variant;
  most: boolean;
}

const FEW = 3;

const named = (nodes: string[]) => (nodes.length <= FEW ? nodes.join(', ') : `${nodes.slice(0, FEW).join(', ')} and ${count(nodes.length - FEW)} more`);

/** Keys that have another value on some NodeManagers than on others. */
export function ConfigurationDifferences() {
  const { data, error } = useJson<Differences>('fleet/differences', 0);
  const [find, setFind] = useState('');
  const rows = (data?.differences ?? [])
    .filter((difference) => difference.name.includes(find))
    .flatMap((difference): Row[] => difference.variants.map((variant, i) => ({ name: difference.name, variant, most: i === 0 })));
  const silent = Object.entries(data?.silent ?? {});
  return (
    <section aria-label="Differences between configurations">
      <div className="head">
        <h2>Differences between configurations</h2>
        <small className="none">{data ? `${count(data.differences.length)} keys differ between ${count(data.compared)} NodeManagers` : 'asking all NodeManagers'}</small>
        <label className="select">
          Find
          <input type="search" value={find} onChange={(event) => setFind(event.target.value)} />
        </label>
      </div>
      <Problem error={error} what="Configurations" />
      {silent.length > 0 && (
        <p className="none">
          Not among them: {named(silent.map(([node]) => node))} ({silent[0]?.[1]})
        </p>
      )}
      <Table
        label="Differences between configurations"
        rows={rows}
        id={(row) => `${row.name} ${row.variant.value}`}
        height={560}
        empty={data ? 'All NodeManagers have the same configuration, but for their own names.' : 'Loading.'}
        columns={[
          { name: 'name', label: 'Key', cell: (row) => (row.most ? row.name : ''), saved: (row) => row.name },
          { name: 'value', label: 'Value', most: 480, cell: (row) => row.variant.value || '(not set)', saved: (row) => row.variant.value },
          { name: 'count', label: 'Nodes', number: true, cell: (row) => count(row.variant.nodes.length), saved: (row) => row.variant.nodes.length },
          { name: 'nodes', label: 'Which', most: 420, cell: (row) => (row.most ? '' : named(row.variant.nodes)), saved: (row) => row.variant.nodes.join(' ') },
        ]}
      />
      <p className="hint">A node’s own name in a value stands as {'${host}'} and is no difference; secrets are masked before they are compared.</p>
    </section>
  );
}

interface Progress {
  user: string;
  rack: string;
  startedMs: number;
  done: string[];
  current: string;
  doing: string;
  waiting: string[];
  stopped: string;
  endedMs: number;
}

/** New engines on one node after the other. */
export function RollingRecycle({ admin }: { admin: boolean }) {
  const live = useLive();
  const { data, error: unread } = useJson<Progress | null>('fleet/recycle', 1000);
  const [rack, setRack] = useState('');
  const [error, setError] = useState('');
  const racks = [...new Set([...live.nodes.values()].map((row) => row.rack).filter(Boolean))].sort();
  const goes = data !== null && data.endedMs === 0;
  const ask = (question: string, path: string) => {
    if (window.confirm(question)) {
      setError('');
      order<Progress>(path).catch((e: Error) => setError(e.message));
    }
  };
  const now = live.overview?.timeMs ?? 0;
  const where = rack ? `rack ${rack}` : 'the cluster';
  return (
    <section aria-label="New engines node by node">
      <div className="head">
        <h2>New engines, node by node</h2>
        <small className="none">after a change of configuration or jars: the next node’s turn comes when the last has a new engine that has finished a task, or has lived for 30 s; the first trouble stops it</small>
      </div>
      {admin && (
        <div className="controls">
          <Select label="Of" value={rack} options={[['', 'all racks'], ...racks.map((name): [string, string] => [name, name])]} onChange={setRack} />
          <button type="button" disabled={goes} onClick={() => ask(`Replace the engines of ${where}, one node after the other? Running tasks end as ever in the old ones.`, `fleet/recycle${rack ? `?rack=${encodeURIComponent(rack)}` : ''}`)}>
            begin
          </button>
          <button type="button" disabled={!goes} onClick={() => ask('Go on to no further node? What the present one was asked for goes on.', 'fleet/stop')}>
            stop
          </button>
        </div>
      )}
      {error && (
        <p className="problem" role="alert">
          {error}
        </p>
      )}
      <Problem error={unread} what="How far it is" />
      {data && (
        <p className={data.stopped ? 'problem' : 'done'} role="status">
          {data.stopped ? `Stopped: ${data.stopped}. ` : ''}
          {count(data.done.length)} of {count(data.done.length + data.waiting.length + (data.current ? 1 : 0))} nodes have new engines
          {goes && data.current && `; ${data.current}: ${data.doing}`}
          {data.waiting.length > 0 && `; ${count(data.waiting.length)} to come`}. Begun by {data.user} at {moment(data.startedMs)}
          {data.endedMs > 0 ? `, over after ${span(data.endedMs - data.startedMs)}` : `, ${span(Math.max(0, now - data.startedMs))} ago`}.
        </p>
      )}
    </section>
  );
}
