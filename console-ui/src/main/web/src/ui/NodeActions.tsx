// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import type { NodeView } from '../lib/types';
import { Outcome, useActions } from './Actions';
import { Select } from './parts';

const ENGINE = 'mammoth.engine.enabled';
const WARM = 'mammoth.appmaster.warm';

/** What an administrator may do to a node. The node itself judges once more, and says what came of it. */
export function NodeActions({ node }: { node: NodeView['node'] }) {
  const { busy, done, post, fetch } = useActions();
  const [engine, setEngine] = useState('');
  const [key, setKey] = useState(ENGINE);
  const open = (node.sample?.engines ?? []).filter((e) => e.open).map((e) => e.id);
  const which = open.includes(engine) ? engine : '';
  const base = `nodes/${encodeURIComponent(node.id)}`;
  const only = which ? `?engine=${encodeURIComponent(which)}` : '';
  const target = which || `all ${open.length} open engines of ${node.id}`;
  const turn = (action: string, word: string) =>
    post(`Switch ${key} ${word} on ${node.id}, until its NodeManager restarts?`, `${base}/actions/${action}?key=${encodeURIComponent(key)}`);
  return (
    <section aria-label="Actions">
      <div className="controls">
        <Select label="Engine" value={which} options={[['', `all (${open.length})`], ...open.map((id): [string, string] => [id, id])]} onChange={setEngine} />
        <button type="button" disabled={busy || open.length === 0} onClick={() => post(`Drain ${target}? Running tasks end as ever; no more are taken.`, `${base}/actions/drain${only}`)}>
          drain
        </button>
        <button type="button" disabled={busy || open.length === 0} onClick={() => post(`Replace ${target}? Running tasks end as ever in the old one.`, `${base}/actions/recycle${only}`)}>
          recycle
        </button>
        <Select
          label="Acceleration"
          value={key}
          options={[
            [ENGINE, 'tasks in engines'],
            [WARM, 'standing ApplicationMasters'],
            ['mammoth.shuffle.push.enabled', 'pushed shuffle'],
            ['mammoth.sort.enabled', 'sort in the pool'],
          ]}
          onChange={setKey}
        />
        <button type="button" disabled={busy} onClick={() => turn('disable', 'off')}>
          switch off
        </button>
        <button type="button" disabled={busy} onClick={() => turn('enable', 'on')}>
          switch on
        </button>
        <button type="button" disabled={busy} onClick={() => fetch(`Collect a support bundle of ${node.id}? It names jobs, users and hosts; secrets of the configuration are masked.`, `${base}/bundle`)}>
          support bundle
        </button>
      </div>
      <Outcome done={done} />
    </section>
  );
}
