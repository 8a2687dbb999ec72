import { scaleTime } from 'd3-scale';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { clock, moment } from '../lib/format';
import { Table, type Column } from '../ui/Table';
import { ceiling, nearest, runs, stack, zoomed, type Layer, type Line } from './geometry';

interface Props {
  title: string;
  times: number[];
  grainMs: number;
  layers: Layer[];
  lines?: Line[];
  domain: [number, number];
  format: (value: number) => string;
  base?: 1000 | 1024;
  height?: number;
  at?: number | undefined;
  onAt?: (ms: number) => void;
  onRange?: (from: number, to: number) => void;
  note?: string;
}

const LEFT = 76;
const BOTTOM = 18;
const TOP = 6;

/** Stacked areas and lines over time, drawn on a canvas; what it shows is also there as a table. */
export function StackChart(props: Props) {
  const { title, times, grainMs, layers, domain, format, at, onAt, onRange } = props;
  const lines = useMemo(() => props.lines ?? [], [props.lines]);
  // A window of twice the height is not there to be empty.
  const height = props.height ?? Math.max(220, Math.round(window.innerHeight / 4.5));
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  const [hover, setHover] = useState<number | null>(null);
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
  const max = useMemo(() => {
    let largest = 0;
    const last = tops.at(-1) ?? [];
    for (const top of last) largest = Math.max(largest, top);
    for (const line of lines) for (const v of line.values) largest = Math.max(largest, v);
    return ceiling(largest, props.base ?? 1024);
  }, [tops, lines, props.base]);

  const x = useCallback(
    (t: number) => LEFT + ((t - from) / (to - from)) * (width - LEFT - 8),
    [from, to, width],
  );
  const t = useCallback(
    (px: number) => from + ((px - LEFT) / (width - LEFT - 8)) * (to - from),
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
    pen.clearRect(0, 0, width, height);
    pen.font = `11px ${style.fontFamily}`;
    pen.fillStyle = color('--muted');
    pen.strokeStyle = color('--grid');
    pen.lineWidth = 1;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (let i = 0; i <= 4; i++) {
      const v = (max * i) / 4;
      const py = Math.round(y(v)) + 0.5;
      pen.beginPath();
      pen.moveTo(LEFT, py);
      pen.lineTo(width - 8, py);
      pen.stroke();
      pen.fillText(format(v), LEFT - 6, py);
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    const scale = scaleTime([new Date(from), new Date(to)], [LEFT, width - 8]);
    const label = scale.tickFormat();
    for (const tick of scale.ticks(Math.max(2, Math.floor(width / 110)))) {
      const px = Math.round(scale(tick)) + 0.5;
      const text = to - from <= 172_800_000 ? clock(tick.getTime()).slice(0, to - from < 600_000 ? 8 : 5) : label(tick);
      if (px > LEFT + 12 && px < width - 20) pen.fillText(text, px, height - BOTTOM + 5);
    }
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, width - LEFT - 8, height - BOTTOM + 1);
    pen.clip();
    const stretches = runs(times, grainMs);
    layers.forEach((layer, l) => {
      const top = tops[l] ?? [];
      const below = l > 0 ? tops[l - 1] : undefined;
      pen.fillStyle = color(layer.color);
      for (const [a, b] of stretches) {
        pen.beginPath();
        pen.moveTo(x(times[a] ?? 0), y(top[a] ?? 0));
        for (let i = a + 1; i <= b; i++) pen.lineTo(x(times[i] ?? 0), y(top[i] ?? 0));
        for (let i = b; i >= a; i--) pen.lineTo(x(times[i] ?? 0), y(below?.[i] ?? 0));
        pen.closePath();
        pen.fill();
      }
    });
    for (const line of lines) {
      pen.strokeStyle = color(line.color);
      pen.lineWidth = 1.5;
      pen.setLineDash(line.dash ? [5, 4] : []);
      for (const [a, b] of stretches) {
        pen.beginPath();
        for (let i = a; i <= b; i++) pen.lineTo(x(times[i] ?? 0), y(line.values[i] ?? 0));
        pen.stroke();
      }
    }
    pen.restore();
  }, [width, height, from, to, times, grainMs, layers, lines, tops, max, theme, x, y, format]);

  const index = hover === null ? -1 : nearest(times, t(hover));
  const inside = (px: number) => Math.min(width - 8, Math.max(LEFT, px));
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
      const px = Math.min(width - 8, Math.max(LEFT, event.clientX - element.getBoundingClientRect().left));
      const [a, b] = zoomed([from, to], t(px), event.deltaY > 0 ? 1.25 : 0.8);
      onRange(a, b);
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [from, to, width, t, onRange]);

  const key = (event: React.KeyboardEvent) => {
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

  const columns: Column<number>[] = [
    { name: 'time', label: 'Time', cell: (i) => moment(times[i] ?? 0), sort: (i) => times[i] ?? 0 },
    ...[...layers, ...lines].map((layer) => ({
      name: layer.name,
      label: layer.label,
      number: true,
      cell: (i: number) => format(layer.values[i] ?? 0),
      sort: (i: number) => layer.values[i] ?? 0,
    })),
  ];
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
        </ul>
        <button type="button" aria-pressed={table} onClick={() => setTable(!table)}>
          Table
        </button>
      </figcaption>
      {table ? (
        <Table label={`${title}, as a table`} rows={times.map((_, i) => i)} columns={columns} id={(i) => String(times[i])} sort="-time" height={height} />
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
            setHover(now);
            if (drag) {
              setDrag({ ...drag, now });
              if (drag.pan) {
                const shift = ((drag.start - now) / (width - LEFT - 8)) * (domain[1] - domain[0]);
                setMoved([domain[0] + shift, domain[1] + shift]);
              }
            }
          }}
          onPointerUp={release}
          onPointerLeave={() => setHover(null)}
        >
          <canvas ref={canvas} style={{ width, height }} />
          {times.length === 0 && <p className="none">Nothing is recorded of this span.</p>}
          {drag && !drag.pan && Math.abs(drag.now - drag.start) > 6 && (
            <div
              className="brush"
              style={{ left: Math.min(drag.start, drag.now), width: Math.abs(drag.now - drag.start), top: TOP, height: height - TOP - BOTTOM }}
            />
          )}
          {markX !== null && markX >= LEFT && markX <= width - 8 && (
            <div className="mark" style={{ left: markX, top: TOP, height: height - TOP - BOTTOM }} />
          )}
          {index >= 0 && hover !== null && !drag && (
            <>
              <div className="hair" style={{ left: x(times[index] ?? 0), top: TOP, height: height - TOP - BOTTOM }} />
              <div className={hover > width / 2 ? 'tip left' : 'tip'} style={{ left: x(times[index] ?? 0) }}>
                <b>{moment(times[index] ?? 0)}</b>
                <table>
                  <tbody>
                    {[...lines, ...[...layers].reverse()].map((layer) => (
                      <tr key={layer.name}>
                        <td>
                          <i className={`swatch c-${layer.color.slice(2)}`} />
                          {layer.label}
                        </td>
                        <td className="n">{format(layer.values[index] ?? 0)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )}
        </div>
      )}
      <p id={help} className="hint">
        {props.note ? `${props.note} ` : ''}
        {onRange && 'Drag to zoom, shift-drag to pan, click to mark a moment; arrow keys, + and − do the same.'}
      </p>
    </figure>
  );
}
