// SPDX-License-Identifier: Apache-2.0
import { shown } from './zone';

/** Numbers for people: aligned, with units, never more digits than mean something; a dash for what nobody tells. */

/** A number as the interface has it: null where nobody tells it, which is not 0. */
export type Figure = number | null;

export const UNKNOWN = '–';

/** Every way to write a number writes an unknown one alike. */
function known(write: (value: number) => string): (value: Figure | undefined) => string {
  return (value) => (value === null || value === undefined ? UNKNOWN : write(value));
}

/** A sum; unknown if a part of it is. */
export function plus(...parts: (Figure | undefined)[]): Figure {
  return parts.reduce<Figure>((sum, part) => (sum === null || part === null || part === undefined ? null : sum + part), 0);
}

export function minus(from: Figure, what: Figure): Figure {
  return from === null || what === null ? null : from - what;
}

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Bytes in the largest unit that leaves at least 1: three digits that mean something. */
export const bytes = known((value) => {
  let unit = 0;
  let rest = Math.abs(value);
  while (rest >= 1024 && unit < BINARY.length - 1) {
    rest /= 1024;
    unit++;
  }
  const digits = unit === 0 || rest >= 100 ? 0 : rest >= 10 ? 1 : 2;
  return `${value < 0 ? '−' : ''}${rest.toFixed(digits)} ${BINARY[unit]}`;
});

export const rate = known((bytesPerSecond) => `${bytes(bytesPerSecond)}/s`);

export const count = known((value) => Math.round(value).toLocaleString('en-US'));

export function percent(part: Figure, whole: Figure): string {
  if (part === null || whole === null || whole <= 0) {
    return UNKNOWN;
  }
  const share = (100 * part) / whole;
  return `${share.toFixed(share < 10 && share > 0 ? 1 : 0)} %`;
}

/** A span of time: 340 ms, 2.4 s, 3 min 20 s, 2 h 5 min; below 0 where two clocks differ. */
export const span = known((ms): string => {
  if (ms <= -0.5) {
    return `−${span(-ms)}`;
  }
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  const s = ms / 1000;
  if (s < 60) {
    return `${s.toFixed(s < 10 ? 1 : 0)} s`;
  }
  const minutes = Math.floor(s / 60);
  if (minutes < 60) {
    return `${minutes} min ${Math.floor(s % 60)} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
});

const pad = (n: number, width = 2) => String(n).padStart(width, '0');

/** Time of day by the chosen clock. */
export function clock(ms: number, millis = false): string {
  const d = shown(ms);
  const time = `${pad(d.getUTCHours())}:${pad(d.getUTCMinutes())}:${pad(d.getUTCSeconds())}`;
  return millis ? `${time}.${pad(d.getUTCMilliseconds(), 3)}` : time;
}

/** Date and time by the chosen clock. */
export function moment(ms: number): string {
  const d = shown(ms);
  return `${d.getUTCFullYear()}-${pad(d.getUTCMonth() + 1)}-${pad(d.getUTCDate())} ${clock(ms)}`;
}

/** A stretch of time as short as it can be said: the day only where it is not today's, seconds only within one day. */
export function stretch(from: number, to: number, now: number): string {
  const [a, b, today] = [moment(from), moment(to), moment(now)].map((text) => text.split(' ')) as [string[], string[], string[]];
  if (a[0] !== b[0]) {
    const later = a[0]?.slice(0, 4) === b[0]?.slice(0, 4) ? b[0]?.slice(5) : b[0];
    return `${a[0]} ${a[1]?.slice(0, 5)} – ${later} ${b[1]?.slice(0, 5)}`;
  }
  return `${a[0] === today[0] ? '' : `${a[0]} `}${a[1]} – ${b[1]}`;
}

/** attempt_1700000000000_0001_m_000007_0 as 0001 m 7 #0; anything else as it is. */
export function shortAttempt(attempt: string): string {
  const part = attempt.split('_');
  return part.length === 6 && part[0] === 'attempt' ? `${part[2]} ${part[3]} ${Number(part[4])} #${part[5]}` : attempt;
}

/** Seconds until a queue is empty at its present rate; null if it does not move. */
export function timeToEmpty(heldBytes: number, bytesPerSecond: number): number | null {
  if (heldBytes <= 0) {
    return 0;
  }
  return bytesPerSecond > 0 ? (1000 * heldBytes) / bytesPerSecond : null;
}
