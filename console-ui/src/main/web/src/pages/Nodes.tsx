// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { change, type Address } from '../lib/address';
import { bytes, clock, count, minus, moment, percent, shortAttempt, span, UNKNOWN, type Figure } from '../lib/format';
import { go, useAbout, useJson, useLive } from '../lib/hooks';
import { ratio } from '../lib/health';
import { value } from '../lib/live';
import type { Engine, NodeRow, NodeView } from '../lib/types';
import { CauseLine, useCause } from '../ui/Cause';
import { ConfigurationDifferences, RollingRecycle } from '../ui/Fleet';
import { NodeActions } from '../ui/NodeActions';
import { Problem, Reach, Stat } from '../ui/parts';
import { Profile } from '../ui/Profile';
import { Table, type Column } from '../ui/Table';
import { Nothing } from './Overview';

const FLEET: Record<string, string> = { '': 'all nodes', differences: 'configuration differences', recycle: 'new engines, node by node' };

export function Nodes({ address }: { address: Address }) {
  const live = useLive();
  const node = address.pick.node ?? '';
  const find = address.pick.find ?? '';
  const of = useCause(address);
  const about = useAbout();
  if (live.overview && live.nodes.size === 0) {
    return <Nothing />;
  }
  const among = [...live.nodes.values()].filter((row) => !of.subjects || of.subjects.has(row.id));
  const rows = among.filter((row) => !find || row.id.includes(find) || row.rack.includes(find) || row.reach.toLowerCase().includes(find.toLowerCase()));
  const v = (row: NodeRow, name: string) => value(live, row.values, name);
  const number = (name: string, label: string, format: (n: Figure) => string): Column<NodeRow> => ({
    name,
    label,
    number: true,
    cell: (row) => <Known figure={v(row, name)} format={format} row={row} />,
    sort: (row) => v(row, name),
  });
  const fleet = !node && about?.admin ? (address.pick.view ?? '') : '';
  return (
    <>
      {node && <One address={address} id={node} />}
      {!node && about?.admin && (
        <div className="head">
          {Object.entries(FLEET).map(([view, label]) => (
            <a key={view} href={change(address, { pick: { view } })} aria-current={fleet === view ? 'true' : undefined}>
              {fleet === view ? <b>{label}</b> : label}
            </a>
          ))}
        </div>
      )}
      {fleet === 'differences' && <ConfigurationDifferences />}
      {fleet === 'recycle' && <RollingRecycle admin={about?.admin ?? false} />}
      <section aria-label="Nodes">
        <div className="head">
          <h2>Nodes</h2>
          <small className="none">
            {count(rows.length)} of {count(live.nodes.size)}
          </small>
          <label className="select">
            Find
            <input type="search" value={find} onChange={(event) => go(change(address, { pick: { find: event.target.value } }), true)} />
          </label>
        </div>
        <CauseLine address={address} of={of} what="nodes" />
        <Table
          label="Nodes"
          rows={rows}
          id={(row) => row.id}
          selected={node}
          height={node ? 260 : 640}
          sort={address.pick.sort ?? 'id'}
          onSort={(sort) => go(change(address, { pick: { sort } }), true)}
          columns={[
            { name: 'id', label: 'Node', cell: (row) => <a href={change(address, { pick: { node: row.id } })}>{row.id}</a>, sort: (row) => row.id },
            { name: 'reach', label: 'State', cell: (row) => <Reach reach={row.reach === 'OK' && v(row, 'engines') === null ? 'CACHE' : row.reach} reason={row.reason} />, sort: (row) => row.reach },
            { name: 'yarn', label: 'YARN', cell: (row) => row.yarnState.toLowerCase(), sort: (row) => row.yarnState },
            number('used', 'Leased', bytes),
            { name: 'share', label: 'Share', number: true, cell: (row) => percent(v(row, 'used'), v(row, 'cap')), sort: (row) => ratio(v(row, 'used'), v(row, 'cap')) },
            number('cap', 'Configured', bytes),
            number('rss', 'RSS', bytes),
            { name: 'pressure', label: 'Pressure', cell: (row) => ((v(row, 'pressure') ?? 0) > 0 ? 'pressure' : ''), sort: (row) => -(v(row, 'pressure') ?? 0) },
            number('waiters', 'Wait', count),
            number('tasks', 'Tasks', count),
            number('queueDepth', 'Queue', count),
            number('queueOldestMs', 'Oldest', span),
            number('fallbacks', 'Fell back', count),
            { name: 'rack', label: 'Rack', cell: (row) => row.rack, sort: (row) => row.rack },
            { name: 'version', label: 'Hadoop', cell: (row) => row.version, sort: (row) => row.version },
            { name: 'reason', label: 'Why', cell: (row) => row.reason, sort: (row) => row.reason },
          ]}
        />
      </section>
    </>
  );
}

const NOT_TOLD: Record<string, string> = {
  OK: 'the node runs no engines of Mammoth, or its engine has not told yet',
  STOCK: 'the node runs stock Hadoop',
  NEW: 'the node was not read yet',
};

function Known({ figure, format, row }: { figure: Figure; format: (n: Figure) => string; row: NodeRow }) {
  return figure === null ? <span title={NOT_TOLD[row.reach] ?? row.reason}>{UNKNOWN}</span> : format(figure);
}

function One({ address, id }: { address: Address; id: string }) {
  const about = useAbout();
  const { data, error } = useJson<NodeView>(`nodes/${encodeURIComponent(id)}`, 1000);
  const view = address.pick.view ?? 'engines';
  if (!data) {
    return <Problem error={error} what={id} />;
  }
  const { node } = data;
  const tabs = about?.admin ? ['engines', 'configuration', 'threads', 'profile'] : ['engines'];
  return (
    <>
      <div className="head">
        <h2>{id}</h2>
        <Reach reach={node.reach} reason={node.reason} />
        <small className="none">
          {node.host} {node.rack}, Hadoop {node.version || 'unknown'}
          {node.yarnState ? `, YARN: ${node.yarnState.toLowerCase()}` : ', no NodeManager'}
        </small>
        {node.nodeManager && <a href={`${node.nodeManager}/node`}>NodeManager</a>}
        {node.nodeManager && <a href={`${node.nodeManager}/logs/`}>logs</a>}
        {node.dataNode && <a href={node.dataNode}>DataNode</a>}
        <a href={change(address, { page: 'memory', pick: { node: id } })}>memory</a>
        <a href={change(address, { page: 'queues', pick: { node: id } })}>queues</a>
        {tabs.length > 1 &&
          tabs.map((tab) => (
            <a key={tab} href={change(address, { pick: { view: tab === 'engines' ? '' : tab } })} aria-current={view === tab ? 'true' : undefined}>
              {view === tab ? <b>{tab}</b> : tab}
            </a>
          ))}
      </div>
      {about?.admin && node.nodeManager && node.reach !== 'STOCK' && <NodeActions key={id} node={node} />}
      {about?.noActions && <p className="unproven none">{about.noActions}</p>}
      {node.reason && (
        <p className="problem" role="alert">
          {node.reason}
        </p>
      )}
      {node.reach === 'STOCK' && <p>This node runs stock Hadoop: its NodeManager has no engines to show.</p>}
      {node.reach === 'OK' && !node.sample && <p>Its DataNode has an SSD cache; its NodeManager has no engines of Mammoth.</p>}
      {view === 'configuration' && <Configuration id={id} />}
      {view === 'threads' && <Threads id={id} />}
      {view === 'profile' && <Profile node={id} engines={(node.sample?.engines ?? []).map((engine) => engine.id)} />}
      {view === 'engines' && node.sample && (
        <>
          {!node.sample.enabled && <p className="problem">Engines are switched off on this node.</p>}
          {node.sample.engines.length === 0 && <p className="none">No engine runs; the first task starts one.</p>}
          {node.sample.engines.map((engine) => (
            <EngineView key={engine.id} engine={engine} address={address} />
          ))}
          {node.sample.fallbacks > 0 && (
            <section aria-label="Fall-backs">
              <div className="head">
                <h2>Tasks that fell back to ordinary containers</h2>
                <small className="none">{count(node.sample.fallbacks)}</small>
              </div>
              <ul>
                {Object.entries(node.sample.fallbackReasons).map(([reason, n]) => (
                  <li key={reason}>
                    {count(n)} because {reason}
                  </li>
                ))}
                {node.sample.lastFallbacks.slice(-5).map((last) => (
                  <li key={last.container}>
                    {clock(last.atMs)} {last.task}: {last.reason}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
    </>
  );
}

function EngineView({ engine, address }: { engine: Engine; address: Address }) {
  const { memory, jvm, counts } = engine;
  const now = useLive().overview?.timeMs ?? Date.now();
  if (engine.ageMs < 0) {
    return (
      <section aria-label={`Engine ${engine.id}`}>
        <div className="head">
          <h2>{engine.id}</h2>
          <small className="none">
            of {engine.user}, process {engine.pid}: nothing is known of it yet{engine.problem && ` (${engine.problem})`}
          </small>
        </div>
      </section>
    );
  }
  // No process takes 0 bytes: the kernel does not tell.
  const rss = jvm.rss || null;
  return (
    <section aria-label={`Engine ${engine.id}`}>
      <div className="head">
        <h2>{engine.id}</h2>
        <small className="none">
          {engine.role === 'TASKS' ? 'runs tasks' : 'runs ApplicationMasters'} of {engine.user}, process {engine.pid}, up {span(now - engine.startedMs)}
          {engine.open ? '' : ', takes no more'}
          {engine.draining && `, is drained: ${engine.draining}`}
          {engine.problem && `, ${engine.problem}`}
        </small>
      </div>
      <dl className="stats">
        {memory.cap > 0 && (
          <>
            <Stat label="Leased" value={bytes(memory.used)} of={[memory.used, memory.cap]} note={`of ${bytes(memory.cap)}`} bad={memory.pressure} />
            <Stat label="Pool" value={bytes(memory.poolUsed)} of={[memory.poolUsed, memory.poolLimit]} note={`of ${bytes(memory.poolBytes)}${memory.poolLimit < memory.poolBytes ? `, limited to ${bytes(memory.poolLimit)} beside other users` : ''}, units of ${bytes(memory.unit)}`} />
            <Stat label="Map quota" value={bytes(memory.mapQuota)} note={`${bytes(memory.borrowed)} borrowed, ${memory.runningMaps} maps`} />
            <Stat label="Reduce quota" value={bytes(memory.reduceQuota)} note={`${memory.reduces.length} reduces`} />
          </>
        )}
        <Stat label="RSS" value={bytes(rss)} note={memory.cap > 0 ? `${bytes(minus(rss, memory.used))} beside what is leased` : ''} why={rss === null ? 'the kernel does not tell' : ''} />
        <Stat label="Heap" value={bytes(jvm.heapUsed)} of={[jvm.heapUsed, jvm.heapMax]} note={`of ${bytes(jvm.heapMax)}`} />
        <Stat label="Direct buffers" value={bytes(jvm.direct)} />
        <Stat label="Collections" value={count(jvm.gcCount)} note={`${span(jvm.gcMs)}, ${percent(jvm.gcMs, now - engine.startedMs)} of its time`} />
        <Stat label="Threads" value={count(jvm.threads)} note={`${count(jvm.classes)} classes`} />
        <Stat label="Tasks" value={count(counts.running)} note={`${count(counts.finished)} ended, ${count(counts.failed)} failed, ${count(counts.killed)} killed`} />
        <Stat label="Lingering" value={count(counts.lingering)} bad={counts.lingering > 0} note={`${count(counts.aborted)} aborted`} />
      </dl>
      <Table
        label={`Tasks of ${engine.id}`}
        rows={engine.tasks}
        id={(t) => t.attempt}
        sort="attempt"
        height={200}
        empty="No task runs."
        columns={[
          { name: 'attempt', label: 'Slot', cell: (t) => shortAttempt(t.attempt), sort: (t) => t.attempt },
          { name: 'job', label: 'Job', cell: (t) => <a href={change(address, { page: 'jobs', pick: { job: t.job } })}>{t.job}</a>, sort: (t) => t.job },
          { name: 'user', label: 'User', cell: (t) => t.user, sort: (t) => t.user },
          { name: 'phase', label: 'Phase', cell: (t) => t.phase.toLowerCase(), sort: (t) => t.phase },
          { name: 'memory', label: 'YARN gave', number: true, cell: (t) => bytes(t.memoryMb * 1048576), sort: (t) => t.memoryMb },
          {
            name: 'programs',
            label: 'Programs',
            number: true,
            cell: (t) => (t.programs > 0 ? <span title="which it has started, with what they have resident">{`${count(t.programs)}, ${bytes(t.programBytes)}`}</span> : ''),
            sort: (t) => t.programBytes,
          },
          { name: 'since', label: 'Since', cell: (t) => moment(t.sinceMs), sort: (t) => t.sinceMs },
          { name: 'container', label: 'Container', cell: (t) => t.container, sort: (t) => t.container },
        ]}
      />
    </section>
  );
}

function Configuration({ id }: { id: string }) {
  const { data, error } = useJson<{ properties: { name: string; value: string; source: string }[] }>(`nodes/${encodeURIComponent(id)}/configuration`, 0);
  const [all, setAll] = useState(false);
  const rows = (data?.properties ?? []).filter((p) => all || p.name.startsWith('mammoth.'));
  return (
    <section aria-label="Configuration in force">
      <div className="head">
        <h2>Configuration in force</h2>
        <label>
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> all keys
        </label>
      </div>
      <Problem error={error} what="Configuration" />
      <Table
        label="Configuration"
        rows={rows}
        id={(p) => p.name}
        sort="name"
        height={360}
        empty={data ? 'No key of Mammoth is set; all have their defaults.' : 'Loading.'}
        columns={[
          { name: 'name', label: 'Key', cell: (p) => p.name, sort: (p) => p.name },
          { name: 'value', label: 'Value', cell: (p) => p.value, sort: (p) => p.value },
          { name: 'source', label: 'From', cell: (p) => p.source, sort: (p) => p.source },
        ]}
      />
    </section>
  );
}

function Threads({ id }: { id: string }) {
  const [asked, setAsked] = useState(1);
  const { data, error } = useJson<{ text: string }>(`nodes/${encodeURIComponent(id)}/threads?asked=${asked}`, 'once');
  return (
    <section aria-label="Threads of the NodeManager">
      <div className="head">
        <h2>Threads of the NodeManager</h2>
        <button type="button" onClick={() => setAsked(asked + 1)}>
          Ask again
        </button>
      </div>
      <Problem error={error} what="Threads" />
      <pre tabIndex={0}>{data?.text ?? (error ? '' : 'Loading.')}</pre>
    </section>
  );
}
