// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState, type ReactNode } from 'react';
import { saveCsv } from '../lib/save';
import { useTall } from '../lib/screen';

export interface Column<T> {
  name: string;
  label: string;
  /** Right-aligned, largest first when first sorted by. */
  number?: boolean;
  /** Widest it gets, in pixels, or more in a wide window; what does not fit is cut, and there when pointed at if the cell is a text. */
  most?: number;
  cell: (row: T) => ReactNode;
  /** Null where it is not known, which comes before all that is. */
  sort?: (row: T) => number | string | null;
  /** What a file of the table has, if that is not what it is sorted by. */
  saved?: (row: T) => number | string | null;
}

interface Props<T> {
  label: string;
  rows: T[];
  columns: Column<T>[];
  id: (row: T) => string;
  /** Column it is sorted by, with − before it for the largest first. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** The rows come in the order of `sort` already, of which they may be a part: whoever tells them sorts. */
  sorted?: boolean;
  selected?: string | undefined;
  /** Most, in a window of 900 pixels; more in a taller one. */
  height?: number;
  empty?: string;
  /** Which part of all there is the rows are, as ', 1 to 100 of 2,000'; empty if they are all. */
  part?: string;
}

/** node9 before node10. */
const NATURAL = new Intl.Collator('en', { numeric: true });
const ROW = 24;
const AHEAD = 12;

/** A table of any length: only the rows in sight are in the document. */
export function Table<T>(props: Props<T>) {
  const { columns, rows, id } = props;
  const [own, setOwn] = useState(props.sort ?? '');
  const [top, setTop] = useState(0);
  const sort = props.onSort ? (props.sort ?? '') : own;
  const name = sort.replace(/^-/, '');
  const by = columns.find((column) => column.name === name)?.sort;
  // Columns are mostly made anew with each drawing; only other rows, or another order, are a reason to sort 100,000 of them again.
  const sorts = by !== undefined;
  const sorted = useMemo(() => {
    if (!by || props.sorted) {
      return rows;
    }
    const sign = sort.startsWith('-') ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [x, y] = [by(a), by(b)];
      if (typeof x === 'string' && typeof y === 'string') {
        return sign * NATURAL.compare(x, y);
      }
      if (x === null || y === null) {
        return sign * (Number(x !== null) - Number(y !== null));
      }
      return sign * (x < y ? -1 : x > y ? 1 : 0);
    });
  }, [rows, name, sort, sorts, props.sorted]);
  const height = useTall(props.height ?? 420);
  const first = Math.max(0, Math.floor(top / ROW) - AHEAD);
  const last = Math.min(sorted.length, Math.ceil((top + height) / ROW) + AHEAD);
  const choose = (column: Column<T>) => {
    const down = column.number ? sort !== `-${column.name}` : sort === column.name;
    const next = (down ? '-' : '') + column.name;
    setOwn(next);
    props.onSort?.(next);
  };
  return (
    <div
      className="rows"
      role="group"
      aria-label={props.label}
      tabIndex={0}
      style={{ maxHeight: height }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table aria-rowcount={sorted.length + 1} aria-label={props.label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={column.number ? 'n' : undefined}
                aria-sort={column.name === name ? (sort.startsWith('-') ? 'descending' : 'ascending') : undefined}
              >
                {column.sort ? (
                  <button type="button" onClick={() => choose(column)}>
                    {column.label}
                    <span aria-hidden="true">{column.name === name ? (sort.startsWith('-') ? ' ↓' : ' ↑') : ''}</span>
                  </button>
                ) : (
                  column.label
                )}
              </th>
            ))}
            {sorted.length > 0 && (
              <td className="save">
                <button type="button" title={`Save ${props.label}${props.part ?? ''} as a CSV file`} onClick={() => saveCsv(`${props.label}${props.part ?? ''}`, file(columns, sorted))}>
                  CSV
                </button>
              </td>
            )}
          </tr>
        </thead>
        <tbody>
          {first > 0 && (
            <tr aria-hidden="true" style={{ height: first * ROW }}>
              <td colSpan={columns.length + 1} />
            </tr>
          )}
          {sorted.slice(first, last).map((row, i) => (
            <tr key={id(row)} aria-rowindex={first + i + 2} className={id(row) === props.selected ? 'chosen' : undefined}>
              {columns.map((column) => (
                <td key={column.name} className={column.number ? 'n' : undefined}>
                  {column.most ? <Cut most={column.most}>{column.cell(row)}</Cut> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {last < sorted.length && (
            <tr aria-hidden="true" style={{ height: (sorted.length - last) * ROW }}>
              <td colSpan={columns.length + 1} />
            </tr>
          )}
          {sorted.length === 0 && (
            <tr>
              <td colSpan={columns.length + 1} className="none">
                {props.empty ?? 'Nothing.'}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

/** What is saved: labels, then each row's own numbers, not their shortened forms. */
function file<T>(columns: Column<T>[], rows: T[]): (string | number | null)[][] {
  const told = columns.filter((column) => column.saved ?? column.sort);
  return [told.map((column) => column.label), ...rows.map((row) => told.map((column) => (column.saved ?? column.sort)?.(row) ?? null))];
}

function Cut({ most, children }: { most: number; children: ReactNode }) {
  return (
    <span className="cut" style={{ maxWidth: `max(${most}px, 16vw)` }} title={typeof children === 'string' ? children : undefined}>
      {children}
    </span>
  );
}
