// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'react';
import { change, type Address } from '../lib/address';
import { bytes, count, percent, type Figure } from '../lib/format';
import { value, type Live } from '../lib/live';
import type { NodeRow } from '../lib/types';
import { told } from './parts';
import { Table, type Column } from './Table';

/** The nodes with engines, those with the least free memory first; each leads to the decisions of its cache scheduler. */
export function MemoryOfNodes({ live, rows, address }: { live: Live; rows: NodeRow[]; address: Address }) {
  const columns = useMemo((): Column<NodeRow>[] => {
    const v = (row: NodeRow, name: string) => value(live, row.values, name);
    const number = (name: string, label: string, format: (figure: Figure) => string): Column<NodeRow> => ({
      name,
      label,
      number: true,
      cell: (row) => format(v(row, name)),
      sort: (row) => v(row, name),
    });
    const share = (row: NodeRow): Figure => {
      const [used, cap] = [v(row, 'used'), v(row, 'cap')];
      return used === null || cap === null || cap === 0 ? null : used / cap;
    };
    return [
      { name: 'node', label: 'Node', cell: (row) => <a href={change(address, { pick: { node: row.id } })}>{row.id}</a>, sort: (row) => row.id },
      { name: 'share', label: 'Leased', number: true, cell: (row) => percent(v(row, 'used'), v(row, 'cap')), sort: share },
      number('used', 'Bytes', bytes),
      number('cap', 'Configured', bytes),
      number('mapQuota', 'Map quota', bytes),
      number('reduceQuota', 'Reduce quota', bytes),
      number('borrowed', 'Borrowed by maps', bytes),
      number('waiters', 'Requests that wait', count),
      number('tasks', 'Tasks', count),
    ];
  }, [live, address]);
  return (
    <section aria-label="Memory by node">
      <div className="head">
        <h2>By node</h2>
        <small className="none">choose one to see each decision of its cache scheduler</small>
      </div>
      <Table label="Memory by node" rows={rows} columns={columns} id={(row) => row.id} sort="-share" height={360} empty={told(live.overview !== null, null, 'No engine runs.')} />
    </section>
  );
}
