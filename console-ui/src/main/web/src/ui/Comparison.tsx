// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { change, type Address } from '../lib/address';
import { count, moment, span } from '../lib/format';
import { useJson } from '../lib/hooks';
import { differs, figure, times, type Comparison as View, type Side } from '../lib/past';
import { Problem } from './parts';
import { Table } from './Table';

/** Two jobs side by side, every number with how many times the first the second is. */
export function Comparison({ address, a, b }: { address: Address; a: string; b: string }) {
  const { data, error } = useJson<View>(`jobs/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`, 15_000);
  const [only, setOnly] = useState(true);
  const pairs = (data?.pairs ?? []).filter((pair) => !only || differs(pair) || pair.group === 'Job');
  return (
    <section aria-label="Two jobs compared">
      <div className="head">
        <h2>Two jobs compared</h2>
        <label className="select">
          <input type="checkbox" checked={only} onChange={(event) => setOnly(event.target.checked)} />
          only what differs by more than a tenth
        </label>
        <small className="none">{data ? `${count(pairs.length)} of ${count(data.pairs.length)} numbers` : ''}</small>
        <a href={change(address, { pick: { with: `${b},${a}` } })}>the other way round</a>
        <a href={change(address, { pick: { with: '' } })}>close</a>
      </div>
      <Problem error={error} what="The comparison" />
      {data && (
        <>
          <p className="none untold compared">
            A: <One side={data.a} address={address} />
          </p>
          <p className="none untold compared">
            B: <One side={data.b} address={address} />
          </p>
          <Table
            label="Two jobs compared"
            rows={pairs}
            id={(pair) => `${pair.group} ${pair.name}`}
            height={360}
            empty="Nothing differs."
            columns={[
              { name: 'name', label: 'What', cell: (pair) => pair.name.replace(/ ms$/, ''), sort: (pair) => pair.name },
              { name: 'a', label: 'A', number: true, cell: (pair) => figure(pair.name, pair.a), sort: (pair) => pair.a ?? -1 },
              { name: 'b', label: 'B', number: true, cell: (pair) => figure(pair.name, pair.b), sort: (pair) => pair.b ?? -1 },
              { name: 'ratio', label: 'B by A', number: true, cell: (pair) => times(pair.ratio), sort: (pair) => pair.ratio ?? -1 },
              { name: 'group', label: 'Group', most: 200, cell: (pair) => pair.group, sort: (pair) => pair.group },
            ]}
          />
        </>
      )}
    </section>
  );
}

function One({ side, address }: { side: Side; address: Address }) {
  const { job } = side;
  const ran = { engine: 'in engines', stock: 'as on stock', unknown: 'not known how' }[side.run] ?? side.run;
  return (
    <>
      <a href={change(address, { pick: { job: job.id, with: '' } })}>{job.id}</a> {job.name} of {job.user}, {moment(job.startedMs)},{' '}
      {job.finishedMs > 0 ? `${job.finalStatus.toLowerCase()} after ${span(job.finishedMs - job.startedMs)}` : 'runs'}, ran{' '}
      <span className="partial" title={side.runWhy}>
        {ran}
      </span>
      {side.untold && `; ${side.untold}`}
    </>
  );
}
