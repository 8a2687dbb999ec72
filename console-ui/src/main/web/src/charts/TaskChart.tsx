// SPDX-License-Identifier: Apache-2.0
import { scaleTime } from 'd3-scale';
import { useLayoutEffect, useRef, useState } from 'react';
import { clock } from '../lib/format';
import type { Task } from '../lib/types';

const LEFT = 150;
const MOST = 400;

/** A job's tasks as bars over time, grouped by node; what it shows is in the table of tasks too. */
export function TaskChart({ tasks, from, to }: { tasks: Task[]; from: number; to: number }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 900));
    if (box.current) {
      observer.observe(box.current);
    }
    return () => observer.disconnect();
  }, []);
  const begun = tasks.filter((task) => task.startedMs > 0);
  const shown = [...begun].sort((a, b) => a.node.localeCompare(b.node) || a.startedMs - b.startedMs).slice(0, MOST);
  const first = Math.max(from, Math.min(...shown.map((task) => task.startedMs), to) - 1000);
  const bar = shown.length > 120 ? 3 : 6;
  const height = shown.length * bar + 24;
  const x = scaleTime([new Date(first), new Date(to)], [LEFT, Math.max(LEFT + 50, width - 10)]);
  return (
    <figure>
      <figcaption>
        <h2>Tasks over nodes</h2>
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
        </ul>
        {begun.length > MOST && <small className="none">the first {MOST} of {begun.length}</small>}
      </figcaption>
      <div className="gantt" ref={box} tabIndex={0} role="region" aria-label="Tasks over nodes; the table below has the same">
        <svg width={width - 2} height={height} role="img" aria-label={`${begun.length} tasks between ${clock(first)} and ${clock(to)}`}>
          {x.ticks(8).map((tick) => (
            <g key={tick.getTime()}>
              <line x1={x(tick)} x2={x(tick)} y1={0} y2={height - 18} stroke="var(--grid)" />
              {x(tick) < width - 30 && (
                <text x={x(tick)} y={height - 4} fontSize="11" textAnchor="middle" fill="var(--muted)">
                  {clock(tick.getTime())}
                </text>
              )}
            </g>
          ))}
          {shown.map((task, i) => {
            const start = x(new Date(Math.max(first, task.startedMs)));
            const end = x(new Date(task.finishedMs || to));
            const color = task.where !== 'engine' ? 'var(--muted)' : task.type === 'MAP' ? 'var(--j-0)' : 'var(--j-2)';
            const named = task.node && (i === 0 || shown[i - 1]?.node !== task.node) && bar * (shown.findLastIndex((t) => t.node === task.node) - i + 1) >= 11;
            return (
              <g key={task.id}>
                {named && (
                  <text x={LEFT - 6} y={i * bar + 10} fontSize="11" textAnchor="end" fill="var(--muted)">
                    {task.node}
                  </text>
                )}
                <rect x={start} y={i * bar} width={Math.max(1, end - start)} height={bar - 1} fill={color}>
                  <title>{`${task.id} ${task.state.toLowerCase()} ${task.node}`}</title>
                </rect>
              </g>
            );
          })}
        </svg>
      </div>
    </figure>
  );
}
