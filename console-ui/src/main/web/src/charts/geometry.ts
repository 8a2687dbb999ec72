/** The arithmetic of charts, apart from any drawing. */

export interface Layer {
  name: string;
  label: string;
  color: string;
  values: number[];
}

export interface Line extends Layer {
  dash?: boolean;
}

/** Tops of stacked layers: top[l][i] is the sum of layers 0..l at i. */
export function stack(layers: Layer[], length: number): number[][] {
  const tops: number[][] = [];
  let below = new Array<number>(length).fill(0);
  for (const layer of layers) {
    const top = below.map((sum, i) => sum + (layer.values[i] ?? 0));
    tops.push(top);
    below = top;
  }
  return tops;
}

/** Stretches of times without a gap; a gap is more than three usual steps. */
export function runs(times: number[], grainMs: number): [number, number][] {
  const found: [number, number][] = [];
  let start = 0;
  for (let i = 1; i <= times.length; i++) {
    if (i === times.length || (times[i] ?? 0) - (times[i - 1] ?? 0) > 3.5 * grainMs) {
      found.push([start, i - 1]);
      start = i;
    }
  }
  return times.length === 0 ? [] : found;
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
