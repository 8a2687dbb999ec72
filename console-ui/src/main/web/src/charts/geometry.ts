// SPDX-License-Identifier: Apache-2.0
/** The arithmetic of charts, apart from any drawing. */
import { plus, type Figure } from '../lib/format';
import type { Series } from '../lib/types';

export interface Layer {
  name: string;
  label: string;
  color: string;
  /** Null where nothing is known. */
  values: Figure[];
  /** The largest within each time, where that is longer than a second. */
  peaks?: Figure[] | undefined;
}

export interface Line extends Layer {
  dash?: boolean;
}

/** Tops of stacked layers: top[l][i] is the sum of layers 0..l at i, unknown if one of these is. */
export function stack(layers: Layer[], length: number): Figure[][] {
  const tops: Figure[][] = [];
  let below = new Array<Figure>(length).fill(0);
  for (const layer of layers) {
    const top = below.map((sum, i) => plus(sum, layer.values[i]));
    tops.push(top);
    below = top;
  }
  return tops;
}

/** Stretches of times without a gap: where nothing is known, or more than three usual steps are missing. */
export function runs(times: number[], grainMs: number, values?: Figure[]): [number, number][] {
  const found: [number, number][] = [];
  const known = (i: number) => !values || (values[i] ?? null) !== null;
  let start = -1;
  for (let i = 0; i < times.length; i++) {
    if (!known(i)) {
      start = -1;
    } else if (start >= 0 && (times[i] ?? 0) - (times[i - 1] ?? 0) <= 3.5 * grainMs) {
      found[found.length - 1] = [start, i];
    } else {
      start = i;
      found.push([i, i]);
    }
  }
  return found;
}

/** Stretches of times of which a sum is without some nodes; `untold` is how many. */
export function partial(times: number[], grainMs: number, untold: Figure[]): [number, number][] {
  const some = untold.map((nodes) => (nodes !== null && nodes > 0 ? nodes : null));
  return some.length === 0 ? [] : runs(times, grainMs, some);
}

/**
 * How many nodes a series' sums are without, at the most within each time; 0 where they are less than a hundredth of all, as among a thousand nodes one
 * is often late.
 */
export function without(series: Series | undefined, column: string): Figure[] {
  const untold = drawn(series, column);
  const told = drawn(series, 'nodes').values;
  return untold.values.map((mean, i) => {
    const most = untold.peaks?.[i] ?? mean;
    // Means are whole numbers: one that is 0 though somebody did not tell is less than a half.
    const usual = mean || (most ? 0.5 : 0);
    return mean !== null && usual >= 0.01 * ((told[i] ?? 0) + usual) ? most : 0;
  });
}

/** The largest of what is known in several lists, 0 if nothing is. */
export function largest(lists: (Figure[] | undefined)[]): number {
  let most = 0;
  for (const list of lists) for (const value of list ?? []) if (value !== null && value > most) most = value;
  return most;
}

/** What a chart draws of a column of a series: its values and, where there are some, its peaks. */
export function drawn(series: Series | undefined, column: string): Pick<Layer, 'values' | 'peaks'> {
  const place = series?.columns.indexOf(column) ?? -1;
  return { values: series?.values[place] ?? [], peaks: series?.maxima?.[place] };
}

/** The same in another unit. */
export function scaled(of: Pick<Layer, 'values' | 'peaks'>, factor: number): Pick<Layer, 'values' | 'peaks'> {
  const times = (figures: Figure[]) => figures.map((figure) => (figure === null ? null : figure * factor));
  return { values: times(of.values), peaks: of.peaks && times(of.peaks) };
}

/** A round number at or above the value, whose quarters are round too in the given base. */
export function ceiling(value: number, base: 1000 | 1024): number {
  if (value <= 0) {
    return base === 1024 ? 1024 : 4;
  }
  if (base === 1000 && value <= 20) {
    return 4 * Math.ceil(value / 4);
  }
  let unit = 1;
  while (value / unit >= base) {
    unit *= base;
  }
  const rest = value / unit;
  for (const step of [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 200, 256, 320, 400, 512, 640, 800, 1024]) {
    if (step >= rest) {
      return step * unit;
    }
  }
  return Math.ceil(rest) * unit;
}

/** Place of the time nearest to `at`; -1 in an empty list. */
export function nearest(times: number[], at: number): number {
  let low = 0;
  let high = times.length - 1;
  if (high < 0) {
    return -1;
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > 0 && at - (times[low - 1] ?? 0) < (times[low] ?? 0) - at ? low - 1 : low;
}

/** A span zoomed by a factor around a point, never shorter than 10 s. */
export function zoomed([from, to]: [number, number], around: number, factor: number): [number, number] {
  const span = Math.max(10_000, (to - from) * factor);
  const share = (around - from) / (to - from);
  const start = Math.round(around - share * span);
  return [start, Math.round(start + span)];
}
