// SPDX-License-Identifier: Apache-2.0
import { scaleTime } from 'd3-scale';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { clock, count, span } from '../lib/format';
import { useTall } from '../lib/screen';
import type { Task } from '../lib/types';
import { barAt, lanes, type Bar } from './lanes';

const LEFT = 150;
const BOTTOM = 18;
const VIEW = 440;

interface Attempt extends Bar {
  task: Task;
}

/**
 * A job's attempts as bars over time, in lanes by node: all of them, whatever their number, as only what is in sight is painted. What it shows is in
 * the table of tasks too.
 */
export function TaskChart({ tasks, from, to }: { tasks: Task[]; from: number; to: number }) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(900);
  const [top, setTop] = useState(0);
  const [theme, setTheme] = useState(0);
  const [tip, setTip] = useState('');
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 900));
    if (box.current) {
      observer.observe(box.current);
    }
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const changed = () => setTheme((n) => n + 1);
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', changed);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', changed);
    };
  }, []);
  const begun = useMemo<Attempt[]>(
    // One that runs has no end: so the bars are made once for each answer, not once a second.
    () => tasks.filter((task) => task.startedMs > 0).map((task) => ({ task, node: task.node, from: task.startedMs, to: task.finishedMs || Infinity })),
    [tasks],
  );
  const made = useMemo(() => lanes(begun), [begun]);
  const first = useMemo(() => begun.reduce((least, bar) => Math.min(least, bar.from), Infinity), [begun]);
  const start = Math.max(from, Math.min(first, to) - 1000);
  const bar = made.lanes.length > 2000 ? 2 : made.lanes.length > 70 ? 3 : 6;
  const whole = made.lanes.length * bar;
  const view = useTall(VIEW);
  const height = Math.min(view, whole) + BOTTOM;
  const x = useMemo(() => scaleTime([new Date(start), new Date(to)], [LEFT, Math.max(LEFT + 50, width - 10)]), [start, to, width]);

  useLayoutEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext('2d');
    if (!element || !pen) {
      return;
    }
    const ratio = window.devicePixelRatio || 1;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    pen.clearRect(0, 0, width, height);
    pen.font = `${Math.round(0.85 * parseFloat(getComputedStyle(element).fontSize))}px system-ui, sans-serif`;
    pen.strokeStyle = color('--grid');
    for (const tick of x.ticks(8)) {
      const at = Math.round(x(tick)) + 0.5;
      pen.beginPath();
      pen.moveTo(at, 0);
      pen.lineTo(at, height - BOTTOM);
      pen.stroke();
      if (at < width - 30) {
        pen.fillStyle = color('--muted');
        pen.textAlign = 'center';
        pen.fillText(clock(tick.getTime()), at, height - 4);
      }
    }
    pen.save();
    pen.beginPath();
    pen.rect(0, 0, width, height - BOTTOM);
    pen.clip();
    const colors = { map: color('--j-0'), reduce: color('--j-2'), unseen: color('--muted'), bad: color('--bad') };
    const last = Math.min(made.lanes.length, Math.ceil((top + height) / bar));
    for (let lane = Math.floor(top / bar); lane < last; lane++) {
      for (const { task, from: begin, to: end } of made.lanes[lane] ?? []) {
        const left = x(Math.max(start, begin));
        pen.fillStyle = task.state === 'FAILED' ? colors.bad : task.where !== 'engine' ? colors.unseen : task.type === 'MAP' ? colors.map : colors.reduce;
        pen.fillRect(left, lane * bar - top, Math.max(1, x(Math.min(end, to)) - left - 0.5), bar - 1);
      }
    }
    pen.fillStyle = color('--muted');
    pen.textAlign = 'right';
    for (const group of made.groups) {
      if (group.count * bar >= 11) {
        pen.fillText(group.node || 'node not known', LEFT - 6, group.first * bar - top + 10, LEFT - 10);
      }
    }
    pen.restore();
  }, [made, width, height, top, x, start, to, bar, theme]);

  const point = (event: React.PointerEvent<HTMLCanvasElement>) => {
    const at = event.currentTarget.getBoundingClientRect();
    const time = x.invert(event.clientX - at.left).getTime();
    const slack = x.invert(LEFT + 3).getTime() - x.invert(LEFT).getTime();
    const hit = barAt(made.lanes[Math.floor((event.clientY - at.top + top) / bar)], time, slack);
    setTip(hit ? `${hit.task.attempt || hit.task.id} ${hit.task.state.toLowerCase()} ${span(Math.min(hit.to, to) - hit.from)} ${hit.node}` : '');
  };

  return (
    <figure>
      <figcaption>
        <h2>Attempts over nodes</h2>
        <ul className="legend">
          <li>
            <i className="swatch c-j-0" />
            map
          </li>
          <li>
            <i className="swatch c-j-2" />
            reduce
          </li>
          <li>
            <i className="swatch" />
            not seen in an engine
          </li>
          <li>
            <i className="swatch c-bad" />
            failed
          </li>
        </ul>
        <small className="none">
          all {count(begun.length)}
          {whole > view ? `, in ${count(made.lanes.length)} lanes: scroll to see them` : ''}
        </small>
        <small className="none attempt">{tip}</small>
      </figcaption>
      <div
        className="gantt"
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Attempts over nodes; the table below has the same"
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div style={{ height: whole + BOTTOM }}>
          <canvas
            ref={canvas}
            style={{ width: '100%', height }}
            role="img"
            aria-label={`${begun.length} attempts between ${clock(start)} and ${clock(to)}`}
            onPointerMove={point}
            onPointerLeave={() => setTip('')}
          />
        </div>
      </div>
    </figure>
  );
}
