// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { pointAt, useCursor } from '../lib/cursor';
import { count, moment, type Figure } from '../lib/format';
import { savePng } from '../lib/save';
import { useTall } from '../lib/screen';
import { Table, type Column } from '../ui/Table';
import { ceiling, largest, nearest, stack, zoomed, type Layer, type Line } from './geometry';
import { EventMarks } from './EventMarks';
import './events.css';
import { BOTTOM, LEFT, paint, RIGHT, TOP } from './paint';
import { Tip } from './Tip';

interface Props {
  title: string;
  times: number[];
  grainMs: number;
  layers: Layer[];
  lines?: Line[];
  /** The sum of the layers, as it was recorded itself: its peaks are not the sum of theirs. */
  whole?: Layer | undefined;
  /** Of sums: how many nodes they are without at each time. */
  untold?: Figure[];
  domain: [number, number];
  format: (value: Figure | undefined) => string;
  base?: 1000 | 1024;
  /** In a window of 900 pixels; more in a taller one. */
  height?: number;
  at?: number | undefined;
  onAt?: (ms: number) => void;
  onRange?: (from: number, to: number) => void;
  note?: string;
  /** How to use it is said beside another chart. */
  quiet?: boolean;
}

/** Stacked areas and lines over time, drawn on a canvas; what it shows is also there as a table. */
export function StackChart(props: Props) {
  const { title, times, grainMs, layers, whole, domain, format, at, onAt, onRange } = props;
  const lines = useMemo(() => props.lines ?? [], [props.lines]);
  const untold = useMemo(() => props.untold ?? [], [props.untold]);
  const lacks = useMemo(() => untold.some((nodes) => (nodes ?? 0) > 0), [untold]);
  const height = useTall(props.height ?? 220);
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  const [hovered, setHovered] = useState(false);
  const cursor = useCursor();
  const [drag, setDrag] = useState<{ start: number; now: number; pan: boolean } | null>(null);
  const [moved, setMoved] = useState<[number, number] | null>(null);
  const [theme, setTheme] = useState(0);
  const [table, setTable] = useState(false);
  const help = useId();
  const [from, to] = moved ?? domain;

  useEffect(() => setMoved(null), [domain[0], domain[1]]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) {
      return undefined;
    }
    const measure = () => setWidth(Math.max(200, element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const changed = () => setTheme((n) => n + 1);
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', changed);
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      dark.removeEventListener('change', changed);
      observer.disconnect();
    };
  }, []);

  const tops = useMemo(() => stack(layers, times.length), [layers, times.length]);
  const max = useMemo(
    () => ceiling(largest([tops.at(-1), whole?.peaks, ...lines.flatMap((line) => [line.values, line.peaks])]), props.base ?? 1024),
    [tops, lines, whole, props.base],
  );

  const x = useCallback(
    (t: number) => LEFT + ((t - from) / (to - from)) * (width - LEFT - RIGHT),
    [from, to, width],
  );
  const t = useCallback(
    (px: number) => from + ((px - LEFT) / (width - LEFT - RIGHT)) * (to - from),
    [from, to, width],
  );
  const y = useCallback((v: number) => TOP + (1 - v / max) * (height - TOP - BOTTOM), [max, height]);

  useLayoutEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext('2d');
    if (!element || !pen) {
      return;
    }
    const ratio = window.devicePixelRatio || 1;
    element.width = width * ratio;
    element.height = height * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(element);
    const color = (name: string) => style.getPropertyValue(name).trim() || '#888';
    pen.font = `${Math.round(0.85 * parseFloat(style.fontSize))}px ${style.fontFamily}`;
    paint(pen, { width, height, from, to, max, times, grainMs, layers, lines, tops, whole, untold, format, x, y, color });
  }, [width, height, from, to, times, grainMs, layers, lines, tops, whole, untold, max, theme, x, y, format]);

  const index = cursor === null || cursor < from || cursor > to ? -1 : nearest(times, cursor);
  const pointed = (px: number | null) => {
    setHovered(px !== null);
    pointAt(px === null ? null : t(px));
  };
  const inside = (px: number) => Math.min(width - RIGHT, Math.max(LEFT, px));
  const place = (event: { clientX: number }) =>
    inside(event.clientX - (box.current?.getBoundingClientRect().left ?? 0));

  const release = () => {
    if (!drag) {
      return;
    }
    setDrag(null);
    const [a, b] = [Math.min(drag.start, drag.now), Math.max(drag.start, drag.now)];
    if (drag.pan && moved) {
      onRange?.(Math.round(moved[0]), Math.round(moved[1]));
    } else if (b - a > 6) {
      onRange?.(Math.round(t(a)), Math.round(t(b)));
    } else {
      onAt?.(Math.round(t(a)));
    }
  };

  useEffect(() => {
    const element = box.current;
    if (!element || !onRange) {
      return undefined;
    }
    const wheel = (event: WheelEvent) => {
      // A page must stay scrollable: only a wheel with a modifier zooms.
      if (!event.ctrlKey && !event.metaKey && !event.altKey) {
        return;
      }
      event.preventDefault();
      const px = Math.min(width - RIGHT, Math.max(LEFT, event.clientX - element.getBoundingClientRect().left));
      const [a, b] = zoomed([from, to], t(px), event.deltaY > 0 ? 1.25 : 0.8);
      onRange(a, b);
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [from, to, width, t, onRange]);

  const key = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && onAt && event.target === event.currentTarget) {
      event.preventDefault();
      onAt(Math.round(cursor !== null && cursor >= from && cursor <= to ? cursor : (from + to) / 2));
      return;
    }
    const step = (to - from) / 5;
    const middle = (from + to) / 2;
    const next: [number, number] | null =
      event.key === 'ArrowLeft'
        ? [from - step, to - step]
        : event.key === 'ArrowRight'
          ? [from + step, to + step]
          : event.key === '+'
            ? zoomed([from, to], middle, 0.5)
            : event.key === '-'
              ? zoomed([from, to], middle, 2)
              : null;
    if (next && onRange) {
      event.preventDefault();
      onRange(Math.round(next[0]), Math.round(next[1]));
    }
  };

  const told = [...lines, ...(whole ? [whole] : []), ...[...layers].reverse()];
  const columns: Column<number>[] = [
    { name: 'time', label: 'Time', cell: (i) => moment(times[i] ?? 0), sort: (i) => times[i] ?? 0, saved: (i) => new Date(times[i] ?? 0).toISOString() },
    ...[...layers, ...(whole ? [whole] : []), ...lines].flatMap((layer) => [
      column(layer.name, layer.label, layer.values, format),
      ...(layer.peaks ? [column(`${layer.name} peak`, `${layer.label}, peak`, layer.peaks, format)] : []),
    ]),
    ...(lacks ? [column('untold', 'Without nodes', untold, (nodes) => count(nodes === undefined || nodes === null ? null : Math.ceil(nodes)))] : []),
  ];
  const peak = [...lines, ...(whole ? [whole] : [])].filter((line) => line.peaks);
  const markX = at === undefined ? null : x(at);

  return (
    <figure className="chart">
      <figcaption>
        <h2>{title}</h2>
        <ul className="legend">
          {layers.map((layer) => (
            <li key={layer.name}>
              <i className={`swatch c-${layer.color.slice(2)}`} />
              {layer.label}
            </li>
          ))}
          {lines.map((line) => (
            <li key={line.name}>
              <i className={`swatch line${line.dash ? ' dash' : ''} c-${line.color.slice(2)}`} />
              {line.label}
            </li>
          ))}
          {peak.length > 0 && (
            <li>
              <i className="swatch line peak" />
              {whole?.peaks ? `peak of ${whole.label.toLowerCase()}` : 'peaks'}
              {whole?.peaks && peak.length > 1 ? ' and of the lines' : ''}
            </li>
          )}
          {lacks && (
            <li title="Some nodes did not tell: sums are without them, and a fall may be none">
              <i className="swatch lacks" />
              without some nodes
            </li>
          )}
        </ul>
        <span className="buttons">
          {!table && times.length > 0 && (
            <button type="button" title={`Save ${title} as a picture`} onClick={() => canvas.current && savePng(title, canvas.current, [...layers, ...lines])}>
              PNG
            </button>
          )}
          <button type="button" aria-pressed={table} onClick={() => setTable(!table)}>
            Table
          </button>
        </span>
      </figcaption>
      {table ? (
        <Table label={`${title}, as a table`} rows={times.map((_, i) => i)} columns={columns} id={(i) => String(times[i])} sort="-time" height={props.height ?? 220} />
      ) : (
        <div
          ref={box}
          className="plot"
          role="group"
          aria-label={`Chart: ${title}`}
          aria-describedby={help}
          tabIndex={0}
          onKeyDown={key}
          onPointerDown={(event) => {
            if (event.button === 0) {
              event.currentTarget.setPointerCapture(event.pointerId);
              setDrag({ start: place(event), now: place(event), pan: event.shiftKey });
            }
          }}
          onPointerMove={(event) => {
            const now = place(event);
            pointed(now);
            if (drag) {
              setDrag({ ...drag, now });
              if (drag.pan) {
                const shift = ((drag.start - now) / (width - LEFT - RIGHT)) * (domain[1] - domain[0]);
                setMoved([domain[0] + shift, domain[1] + shift]);
              }
            }
          }}
          onPointerUp={release}
          onPointerCancel={() => {
            setDrag(null);
            setMoved(null);
          }}
          onPointerLeave={() => pointed(null)}
        >
          <canvas ref={canvas} style={{ width, height }} />
          {!told.some((row) => row.values.some(known)) && <p className="none">{times.length === 0 ? 'Nothing is recorded of this span.' : 'Nobody told any of this within this span.'}</p>}
          <EventMarks domain={[from, to]} left={LEFT} width={width - LEFT - RIGHT} onTip={() => pointed(null)} />
          {drag && !drag.pan && Math.abs(drag.now - drag.start) > 6 && (
            <div
              className="brush"
              style={{ left: Math.min(drag.start, drag.now), width: Math.abs(drag.now - drag.start), top: TOP, height: height - TOP - BOTTOM }}
            />
          )}
          {markX !== null && markX >= LEFT && markX <= width - RIGHT && (
            <div className="mark" style={{ left: markX, top: TOP, height: height - TOP - BOTTOM }} />
          )}
          {index >= 0 && !drag && <div className="hair" style={{ left: x(times[index] ?? 0), top: TOP, height: height - TOP - BOTTOM }} />}
          {index >= 0 && hovered && !drag && (
            <Tip time={times[index] ?? 0} index={index} rows={told} format={format} left={x(times[index] ?? 0) > width / 2} x={x(times[index] ?? 0)} untold={untold[index] ?? null} />
          )}
        </div>
      )}
      <p id={help} className={props.quiet ? 'skip' : 'hint'}>
        {props.note ? `${props.note} ` : ''}
        {onRange && `Drag to zoom, shift-drag to pan${onAt ? ', click to mark a moment' : ''}; arrow keys, + and −${onAt ? ' and Enter, for the middle,' : ''} do the same.`}
      </p>
    </figure>
  );
}

const known = (value: Figure | undefined) => value !== null && value !== undefined;

function column(name: string, label: string, values: Figure[], format: Props['format']): Column<number> {
  return { name, label, number: true, cell: (i) => format(values[i]), sort: (i) => values[i] ?? null };
}
