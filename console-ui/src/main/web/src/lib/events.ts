// SPDX-License-Identifier: Apache-2.0
/** What happened, in words, shapes and places, apart from any drawing. */
import { change, type Address } from './address';
import type { Event, Kind } from './alertTypes';

/** Kinds that are chosen together. */
export const GROUPS: { name: string; label: string; kinds: Kind[] }[] = [
  { name: 'alerts', label: 'alerts', kinds: ['ALERT_FIRED', 'ALERT_RESOLVED', 'ALERT_ACKNOWLEDGED', 'ALERT_MUTED', 'ALERT_UNMUTED'] },
  { name: 'jobs', label: 'jobs', kinds: ['JOB_STARTED', 'JOB_ENDED'] },
  { name: 'engines', label: 'engines', kinds: ['ENGINE_STARTED', 'ENGINE_ENDED'] },
  { name: 'nodes', label: 'nodes', kinds: ['NODE_JOINED', 'NODE_GONE', 'NODE_BACK'] },
  { name: 'actions', label: "administrators' actions", kinds: ['ACTION'] },
  { name: 'console', label: 'the console', kinds: ['CONSOLE_STARTED'] },
];

/** A path within 10 by 10, whether it is filled, and what it stands for. */
interface Shape {
  path: string;
  filled: boolean;
  label: string;
}

const SHAPES: Record<Kind, Shape> = {
  ALERT_FIRED: { path: 'M5 1L9.5 9H0.5Z', filled: true, label: 'alert fired' },
  ALERT_RESOLVED: { path: 'M5 1L9.5 9H0.5Z', filled: false, label: 'alert resolved' },
  ALERT_ACKNOWLEDGED: { path: 'M1 5L4 8.5L9 1.5', filled: false, label: 'alert acknowledged' },
  ALERT_MUTED: { path: 'M1 1L9 9M1 9H9L5 1Z', filled: false, label: 'alert muted' },
  ALERT_UNMUTED: { path: 'M1 9H9M5 1V6M2.5 3.5L5 1L7.5 3.5', filled: false, label: 'alert no longer muted' },
  JOB_STARTED: { path: 'M1.5 0.8L9 5L1.5 9.2Z', filled: false, label: 'job started' },
  JOB_ENDED: { path: 'M1.5 1.5H8.5V8.5H1.5Z', filled: true, label: 'job ended' },
  ENGINE_STARTED: { path: 'M5 1A4 4 0 1 1 5 9A4 4 0 1 1 5 1Z', filled: false, label: 'engine started' },
  ENGINE_ENDED: { path: 'M5 1A4 4 0 1 1 5 9A4 4 0 1 1 5 1Z', filled: true, label: 'engine ended' },
  NODE_JOINED: { path: 'M5 0.5V9.5M0.5 5H9.5', filled: false, label: 'node joined' },
  NODE_GONE: { path: 'M5 0L10 5L5 10L0 5Z', filled: true, label: 'node gone' },
  NODE_BACK: { path: 'M5 0.5L9.5 5L5 9.5L0.5 5Z', filled: false, label: 'node back' },
  ACTION: { path: 'M5 0L6.4 3.6L10 5L6.4 6.4L5 10L3.6 6.4L0 5L3.6 3.6Z', filled: true, label: 'action' },
  CONSOLE_STARTED: { path: 'M3 0.5H7V9.5H3Z', filled: false, label: 'console started' },
};

/** The shape of a kind; one of a later release is a small square with its own name. */
export const shapeOf = (kind: string): Shape =>
  (SHAPES as Record<string, Shape>)[kind] ?? { path: 'M3 3H7V7H3Z', filled: false, label: kind.toLowerCase().replaceAll('_', ' ') };

/** The CSS class that gives it its colour. */
export function tone(event: Event): string {
  if (event.kind === 'ALERT_RESOLVED' || event.kind === 'NODE_BACK') {
    return 'good';
  }
  return event.severity === 'critical' ? 'bad' : event.severity === 'warning' ? 'warn' : 'plain';
}

/** What happened, beside its kind and whom it is about: what else it names, and whose job it is or who gave the order. */
export function what(event: Event): string {
  // What an alert says names its subject; of a job that ended the text has the result.
  const more = event.kind.startsWith('ALERT') || event.kind === 'JOB_ENDED' ? '' : event.subject;
  const who = event.user && !event.text.includes(event.user) ? (event.job ? `, of ${event.user}` : ` by ${event.user}`) : '';
  return `${event.text}${more ? ` (${more})` : ''}${who}`;
}

/** The same in one line that stands alone. */
export function words(event: Event): string {
  if (event.kind.startsWith('ALERT') || event.kind === 'ACTION') {
    return `${shapeOf(event.kind).label}: ${what(event)}${event.kind === 'ACTION' && event.node ? ` on ${event.node}` : ''}`;
  }
  return [event.job || event.node, what(event)].filter(Boolean).join(': ');
}

const RANKS = ['bad', 'warn', 'good', 'plain'];

/** Which of several is shown for all: the worst, then the latest. */
export function foremost(events: Event[]): Event | undefined {
  return [...events].sort((a, b) => RANKS.indexOf(tone(a)) - RANKS.indexOf(tone(b)) || b.timeMs - a.timeMs)[0];
}

export interface Mark {
  /** Names the mark as long as it is the same stretch of time. */
  id: number;
  timeMs: number;
  shown: Event;
  /** The earliest first. */
  events: Event[];
}

/** How wide a mark is with the room around it, in pixels. */
export const MARK = 14;

/**
 * Marks for a span of time that is so wide in pixels. What would overlap is one: events of the same stretch of time, which stays the same as time
 * goes on, so that nothing jumps.
 */
export function marks(events: Event[], [from, to]: [number, number], width: number): Mark[] {
  const raw = ((to - from) * MARK) / Math.max(width, MARK);
  const step = STEPS.find((s) => s >= raw) ?? Math.ceil(raw / DAY) * DAY;
  const stretches = new Map<number, Event[]>();
  for (const event of events) {
    if (event.timeMs >= from && event.timeMs <= to) {
      const at = Math.floor(event.timeMs / step);
      stretches.set(at, [...(stretches.get(at) ?? []), event]);
    }
  }
  return [...stretches]
    .sort(([a], [b]) => a - b)
    .map(([at, list]) => {
      const sorted = [...list].sort((a, b) => a.timeMs - b.timeMs);
      const shown = foremost(sorted) as Event;
      // Beside others it stands in the middle of its stretch, where none can reach it.
      const crowded = stretches.has(at - 1) || stretches.has(at + 1);
      return { id: at * step, timeMs: crowded ? Math.min(to, Math.max(from, (at + 0.5) * step)) : shown.timeMs, shown, events: sorted };
    });
}

const DAY = 86_400_000;
const STEPS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map((s) => s * 1000);

/** What a chart is about: of other nodes and other jobs its marks say nothing. */
export function concerning(events: Event[], pick: Record<string, string>): Event[] {
  return events.filter((event) => (!pick.node || !event.node || event.node === pick.node) && (!pick.job || !event.job || event.job === pick.job));
}

const AROUND = 300_000;

/** The page that shows an event at its moment. */
export function eventHref(address: Address, event: Event): string {
  const range = { live: false as const, from: event.timeMs - AROUND, to: event.timeMs + AROUND };
  if (event.job) {
    return change(address, { page: 'jobs', range, pick: { job: event.job } });
  }
  if (event.node) {
    return change(address, { page: 'nodes', range, pick: { node: event.node } });
  }
  return change(address, { page: 'overview', range, pick: {} });
}
