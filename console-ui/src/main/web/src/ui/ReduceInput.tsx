// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { bytes, percent } from '../lib/format';
import { counted, silence, sources, whole } from '../lib/input';
import type { JobView } from '../lib/types';
import { Table } from './Table';

const TITLE = "Where the reduces' input came from";

/** Memory, disk and network as parts of one bar, each in words too; or why there is none. */
export function ReduceInput({ view }: { view: JobView }) {
  const [table, setTable] = useState(false);
  const nothing = silence(view, bytes);
  if (nothing !== null || !view.reduceInput) {
    return (
      <section aria-label={TITLE}>
        <div className="head">
          <h2>{TITLE}</h2>
          <small className="none">{nothing}</small>
        </div>
      </section>
    );
  }
  const parts = sources(view.reduceInput, counted(view));
  const all = whole(parts);
  const said = (part: { label: string; bytes: number }) => `${part.label} ${bytes(part.bytes)}, ${percent(part.bytes, all)}`;
  return (
    <figure>
      <figcaption>
        <h2>{TITLE}</h2>
        <ul className="legend">
          {parts.map((part) => (
            <li key={part.name}>
              <i className={`swatch s-${part.name}`} />
              {said(part)}
            </li>
          ))}
        </ul>
        <small className="none">of {bytes(all)}</small>
        <button type="button" aria-pressed={table} onClick={() => setTable(!table)}>
          Table
        </button>
      </figcaption>
      {table ? (
        <Table
          label={`${TITLE}, as a table`}
          rows={parts}
          id={(part) => part.name}
          columns={[
            { name: 'from', label: 'From', cell: (part) => part.label, sort: (part) => part.label },
            { name: 'bytes', label: 'Bytes', number: true, cell: (part) => bytes(part.bytes), sort: (part) => part.bytes },
            { name: 'share', label: 'Share', number: true, cell: (part) => percent(part.bytes, all), sort: (part) => part.bytes },
            { name: 'what', label: 'Map output', cell: (part) => part.what },
          ]}
        />
      ) : (
        <div className="split" role="img" aria-label={parts.map(said).join('; ')}>
          {parts
            .filter((part) => part.bytes > 0)
            .map((part) => (
              <span key={part.name} className={`s-${part.name}`} style={{ flexGrow: (100 * part.bytes) / all }} title={`${said(part)}: ${part.what}`} />
            ))}
        </div>
      )}
    </figure>
  );
}
