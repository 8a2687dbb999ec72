// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef, useState } from 'react';
import { change, type Address } from '../lib/address';
import { level, METRICS, racks } from '../lib/health';
import { useLive } from '../lib/hooks';
import { value } from '../lib/live';
import type { NodeRow } from '../lib/types';
import { picker, Select } from './parts';

const NATURAL = new Intl.Collator('en', { numeric: true });

/** One square for each node, by rack, coloured by a chosen metric. Arrow keys move among them, so that Tab passes them all at once. */
export function HeatMap({ address }: { address: Address }) {
  const live = useLive();
  const metric = METRICS.find((m) => m.name === (address.pick.heat ?? '')) ?? METRICS[0];
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const groups = useMemo(() => racks([...live.nodes.values()].sort((a, b) => NATURAL.compare(a.id, b.id))), [live.nodes]);
  if (!metric) {
    return null;
  }
  const all = groups.flatMap(([, rows]) => rows);
  const text = (row: NodeRow) =>
    row.reach === 'OK' || row.reach === 'STOCK'
      ? `${row.id}: ${level(live, row, metric) === 'hs' ? 'does not tell' : metric.text((column) => value(live, row.values, column))}`
      : `${row.id}: ${row.reach.toLowerCase()}${row.reason ? `, ${row.reason}` : ''}`;
  const move = (event: React.KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 10, ArrowUp: -10, Home: -all.length, End: all.length }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(all.length - 1, at + step));
      setAt(next);
      box.current?.querySelectorAll('a')[next]?.focus();
    }
  };
  let place = 0;
  return (
    <>
      <div className="controls heat-by">
        <Select label="Colour by" value={metric.name} options={METRICS.map((m): [string, string] => [m.name, m.label])} onChange={picker(address, 'heat')} />
        <small className="none">{metric.help}</small>
      </div>
      <div ref={box} className={groups.length > 1 ? 'racks' : undefined} role="group" aria-label="Nodes; arrow keys move, Enter opens" onKeyDown={move}>
        {groups.map(([rack, rows]) => (
          <div key={rack} className="rack">
            {rack && <small className="none">{rack}</small>}
            <div className={all.length > 300 ? 'heat many' : 'heat'}>
              {rows.map((row) => {
                const mine = place++;
                return (
                  <a
                    key={row.id}
                    className={level(live, row, metric)}
                    href={change(address, metric.name ? { page: 'health', pick: { node: row.id, heat: metric.name } } : { page: row.reach === 'OK' ? 'memory' : 'nodes', pick: { node: row.id } })}
                    title={text(row)}
                    aria-label={text(row)}
                    tabIndex={mine === Math.min(at, all.length - 1) ? 0 : -1}
                  />
                );
              })}
            </div>
          </div>
        ))}
      </div>
    </>
  );
}
