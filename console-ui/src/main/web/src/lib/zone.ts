// SPDX-License-Identifier: Apache-2.0
/**
 * By which clock times are written: the browser's, UTC, or that of a time zone. Addresses and answers have milliseconds since 1970,
 * which are the same everywhere.
 */

const HOUR = 3_600_000;

export const LOCAL = 'local';

/** All there are to choose from. */
export const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

export const isZone = (name: string): boolean => name === LOCAL || zones().includes(name);

let chosen = LOCAL;
let fields: Intl.DateTimeFormat | null = null;
/** Offsets by the hour they hold for: no zone changes its clock within a quarter of an hour, few at another than a full hour. */
const offsets = new Map<number, number>();

/** Chooses the clock; a name that is no zone's is the browser's own. */
export function choose(name: string) {
  chosen = isZone(name) ? name : LOCAL;
  fields =
    chosen === LOCAL || chosen === 'UTC'
      ? null
      : new Intl.DateTimeFormat('en-US', { timeZone: chosen, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
  offsets.clear();
}

export const chosenZone = () => chosen;

/** What the clock is ahead of UTC by, in milliseconds. */
export function offset(ms: number): number {
  if (chosen === 'UTC') {
    return 0;
  }
  if (!fields) {
    return -60_000 * new Date(ms).getTimezoneOffset();
  }
  const slot = Math.floor(ms / (HOUR / 4));
  let found = offsets.get(slot);
  if (found === undefined) {
    const part = Object.fromEntries(fields.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const second = Math.floor(ms / 1000) * 1000;
    found = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second) - second;
    if (offsets.size > 10_000) {
      offsets.clear();
    }
    offsets.set(slot, found);
  }
  return found;
}

/** A date whose UTC fields are what the chosen clock shows. */
export const shown = (ms: number): Date => new Date(ms + offset(ms));
