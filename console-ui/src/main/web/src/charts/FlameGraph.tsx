// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { at, hottest, layOut, owner, short, type Frame } from '../lib/flame';
import { Table } from '../ui/Table';
import './flame.css';

const ROW = 18;
const OWNERS = [
  ['job', 'the job'],
  ['hadoop', 'Hadoop'],
  ['mammoth', 'Mammoth'],
  ['jdk', 'Java'],
  ['thread', 'threads'],
] as const;

/** Who calls whom, as wide as it takes: callers above, a click shows one frame as the whole. The hottest methods are a table beside it. */
export function FlameGraph({ title, root, format }: { title: string; root: Frame; format: (value: number) => string }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  const [path, setPath] = useState(root.name);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(Math.max(200, box.current?.clientWidth ?? 900)));
    if (box.current) {
      observer.observe(box.current);
    }
    return () => observer.disconnect();
  }, []);
  const whole = at(root, path);
  const base = whole === root ? root.name : path;
  const bars = useMemo(() => layOut(whole, 2 / width), [whole, width]);
  const rows = useMemo(() => hottest(whole), [whole]);
  const deepest = Math.max(0, ...bars.map((bar) => bar.depth));
  const share = (value: number) => `${((100 * value) / Math.max(1, root.total)).toFixed(1)} %`;
  return (
    <figure>
      <figcaption>
        <h2>{title}</h2>
        <ul className="legend">
          {OWNERS.map(([name, label]) => (
            <li key={name}>
              <i className={`swatch f-${name}`} />
              {label}
            </li>
          ))}
        </ul>
        {whole !== root && (
          <span className="buttons">
            <button type="button" onClick={() => setPath(root.name)}>
              all of it
            </button>
          </span>
        )}
      </figcaption>
      {root.total === 0 ? (
        <p className="none">Nothing ran within these seconds.</p>
      ) : (
        <div className="flame" ref={box} style={{ height: (deepest + 1) * ROW }} role="group" aria-label={`${title}; the table below has the same methods`}>
          {bars.map((bar) => {
            const full = bar.path.replace(whole.name, base);
            return (
              <button
                type="button"
                key={bar.path}
                className={`f-${owner(bar.frame.name)}`}
                style={{ left: `${100 * bar.left}%`, width: `${100 * bar.width}%`, top: bar.depth * ROW }}
                title={`${bar.frame.name}\n${format(bar.frame.total)}, ${share(bar.frame.total)}; itself ${format(bar.frame.self)}`}
                tabIndex={bar.depth === 0 ? 0 : -1}
                onClick={() => setPath(full)}
              >
                {bar.width * width > 40 ? short(bar.frame.name) : ''}
              </button>
            );
          })}
        </div>
      )}
      <Table
        label={`${title}, hottest methods`}
        rows={rows}
        id={(row) => row.name}
        sort="-self"
        height={240}
        columns={[
          { name: 'name', label: 'Method', cell: (row) => row.name, sort: (row) => row.name },
          { name: 'self', label: 'Itself', number: true, cell: (row) => format(row.self), sort: (row) => row.self },
          { name: 'share', label: 'Share', number: true, cell: (row) => share(row.self), sort: (row) => row.self },
        ]}
      />
    </figure>
  );
}
