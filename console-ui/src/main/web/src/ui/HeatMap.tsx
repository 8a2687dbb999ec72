// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { change, type Address } from '../lib/address';
import { bytes, percent } from '../lib/format';
import { useLive } from '../lib/hooks';
import { value } from '../lib/live';
import type { NodeRow } from '../lib/types';

const NATURAL = new Intl.Collator('en', { numeric: true });

/** One square for each node. Arrow keys move among them, so that Tab passes them all at once. */
export function HeatMap({ address }: { address: Address }) {
  const live = useLive();
  const rows = [...live.nodes.values()].sort((a, b) => NATURAL.compare(a.id, b.id));
  const [at, setAt] = useState(0);
  const pressed = (row: NodeRow) => (value(live, row.values, 'pressure') ?? 0) > 0;
  const level = (row: NodeRow) => {
    if (row.reach === 'STOCK' || row.reach === 'NEW' || (row.reach === 'OK' && !value(live, row.values, 'engines'))) {
      return 'hs';
    }
    if (row.reach !== 'OK') {
      return 'hx';
    }
    if (pressed(row)) {
      return 'h5';
    }
    const [used, cap] = [value(live, row.values, 'used'), value(live, row.values, 'cap')];
    if (used === null || cap === null) {
      return 'hs';
    }
    const share = cap > 0 ? used / cap : 0;
    return `h${Math.min(4, Math.floor(share * 5))}`;
  };
  const text = (row: NodeRow) =>
    row.reach === 'OK'
      ? `${row.id}: ${bytes(value(live, row.values, 'used'))} leased, ${percent(value(live, row.values, 'used'), value(live, row.values, 'cap'))}${pressed(row) ? ', under pressure' : ''}`
      : `${row.id}: ${row.reach.toLowerCase()}${row.reason ? `, ${row.reason}` : ''}`;
  const move = (event: React.KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 10, ArrowUp: -10, Home: -rows.length, End: rows.length }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(rows.length - 1, at + step));
      setAt(next);
      (event.currentTarget.children[next] as HTMLElement | undefined)?.focus();
    }
  };
  return (
    <div className={rows.length > 300 ? 'heat many' : 'heat'} role="group" aria-label="Nodes; arrow keys move, Enter opens" onKeyDown={move}>
      {rows.map((row, i) => (
        <a
          key={row.id}
          className={level(row)}
          href={change(address, { page: row.reach === 'OK' ? 'memory' : 'nodes', pick: { node: row.id } })}
          title={text(row)}
          aria-label={text(row)}
          tabIndex={i === Math.min(at, rows.length - 1) ? 0 : -1}
        />
      ))}
    </div>
  );
}
