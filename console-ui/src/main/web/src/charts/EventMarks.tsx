// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'react';
import { eventHref, marks, shapeOf, tone, words, type Mark } from '../lib/events';
import { useShownEvents } from '../lib/eventHooks';
import { clock, count, moment } from '../lib/format';
import { go } from '../lib/hooks';
import type { Event } from '../lib/alertTypes';

const TOLD = 8;

export function Shape({ event }: { event: Event }) {
  const shape = shapeOf(event.kind);
  return (
    <svg className={`shape t-${tone(event)}${shape.filled ? ' filled' : ''}`} viewBox="0 0 10 10" aria-hidden="true">
      <path d={shape.path} />
    </svg>
  );
}

/** One line of a tip. */
function Line({ event }: { event: Event }) {
  return (
    <li>
      <Shape event={event} />
      {clock(event.timeMs)} {words(event)}
    </li>
  );
}

/** What a mark is, for who reads by ear. */
function name(mark: Mark): string {
  const first = `${moment(mark.shown.timeMs)}: ${words(mark.shown)}`;
  return mark.events.length > 1 ? `${first}, and ${count(mark.events.length - 1)} more` : first;
}

/**
 * Events above a chart's plot: a shape for each kind, a tip when pointed at or focused. They are one stop of the tab key; arrow keys go from one to
 * the next, and Enter to the page that shows it.
 */
export function EventMarks({ domain, left, width, onTip }: { domain: [number, number]; left: number; width: number; onTip: () => void }) {
  const shown = useShownEvents();
  const [from, to] = domain;
  const all = useMemo(() => (shown ? marks(shown.events, [from, to], width) : []), [shown, from, to, width]);
  const [tip, setTip] = useState<number | null>(null);
  const [stop, setStop] = useState<number | null>(null);
  if (!shown || all.length === 0) {
    return null;
  }
  const x = (ms: number) => left + ((ms - from) / (to - from)) * width;
  const tipped = all.find((mark) => mark.id === tip);
  const at = Math.max(0, all.findIndex((mark) => mark.id === stop));
  const key = (event: React.KeyboardEvent) => {
    const next = event.key === 'ArrowRight' ? at + 1 : event.key === 'ArrowLeft' ? at - 1 : event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : null;
    if (event.key === 'Escape') {
      setTip(null);
    }
    if (next === null) {
      return;
    }
    // The arrow keys of the chart itself pan.
    event.preventDefault();
    event.stopPropagation();
    const buttons = event.currentTarget.querySelectorAll('button');
    buttons[Math.min(all.length - 1, Math.max(0, next))]?.focus();
  };
  return (
    <>
      <div className="marks" role="toolbar" aria-label={`${count(all.length)} marks of events`} onKeyDown={key}>
        {all.map((mark, i) => (
          <button
            key={mark.id}
            type="button"
            tabIndex={i === at ? 0 : -1}
            aria-label={name(mark)}
            style={{ left: x(mark.timeMs) }}
            onPointerDown={(event) => event.stopPropagation()}
            onPointerMove={(event) => {
              event.stopPropagation();
              onTip();
              setTip(mark.id);
            }}
            onPointerLeave={() => setTip(null)}
            onFocus={() => {
              setStop(mark.id);
              setTip(mark.id);
            }}
            onBlur={() => setTip(null)}
            onClick={() => go(eventHref(shown.address, mark.shown))}
          >
            <Shape event={mark.shown} />
            {mark.events.length > 1 && <i className="several" />}
          </button>
        ))}
      </div>
      {tipped && (
        <div className={x(tipped.timeMs) > left + width / 2 ? 'tip events left' : 'tip events'} style={{ left: x(tipped.timeMs) }} role="tooltip">
          <b>{moment(tipped.shown.timeMs)}</b>
          <ul>
            {tipped.events.slice(0, TOLD).map((event, i) => (
              <Line key={i} event={event} />
            ))}
          </ul>
          {tipped.events.length > TOLD && <span className="none">and {count(tipped.events.length - TOLD)} more</span>}
        </div>
      )}
    </>
  );
}
