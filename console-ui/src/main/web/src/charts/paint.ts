// SPDX-License-Identifier: Apache-2.0
import { scaleUtc } from 'd3-scale';
import type { Figure } from '../lib/format';
import { offset } from '../lib/zone';
import { partial, runs, type Layer, type Line } from './geometry';

/** Room around the plot, in pixels. */
export const LEFT = 76;
export const BOTTOM = 18;
/** Marks of events have their place there. */
export const TOP = 18;
export const RIGHT = 8;

/** What a chart draws, and where. */
export interface Scene {
  width: number;
  height: number;
  from: number;
  to: number;
  max: number;
  times: number[];
  grainMs: number;
  layers: Layer[];
  lines: Line[];
  tops: Figure[][];
  /** The sum of the layers as it was recorded itself, for its peaks. */
  whole: Layer | undefined;
  /** How many nodes the sums are without. */
  untold: Figure[];
  format: (value: number) => string;
  x: (time: number) => number;
  y: (value: number) => number;
  color: (name: string) => string;
}

export function paint(pen: CanvasRenderingContext2D, scene: Scene) {
  pen.clearRect(0, 0, scene.width, scene.height);
  axes(pen, scene);
  pen.save();
  pen.beginPath();
  pen.rect(LEFT, 0, scene.width - LEFT - RIGHT, scene.height - BOTTOM + 1);
  pen.clip();
  scene.layers.forEach((layer, l) => {
    pen.fillStyle = scene.color(layer.color);
    area(pen, scene, scene.tops[l] ?? [], l > 0 ? scene.tops[l - 1] : undefined);
  });
  if (scene.whole?.peaks) {
    peaks(pen, scene, scene.whole.color, scene.tops.at(-1) ?? [], scene.whole.peaks);
  }
  for (const line of scene.lines) {
    if (line.peaks) {
      peaks(pen, scene, line.color, line.values, line.peaks);
    }
    stroke(pen, scene, line.color, line.values, 1.5, line.dash ? [5, 4] : []);
  }
  veil(pen, scene);
  pen.restore();
}

/** A veil with stripes over what is of a part of the nodes only: what looks like a fall may be none. */
function veil(pen: CanvasRenderingContext2D, { times, grainMs, untold, height, x, color }: Scene) {
  const bottom = height - BOTTOM;
  for (const [a, b] of partial(times, grainMs, untold)) {
    const left = x((times[a] ?? 0) - grainMs / 2);
    const right = Math.max(left + 2, x((times[b] ?? 0) + grainMs / 2));
    pen.save();
    pen.beginPath();
    pen.rect(left, TOP, right - left, bottom - TOP);
    pen.clip();
    pen.globalAlpha = 0.35;
    pen.fillStyle = color('--bg');
    pen.fillRect(left, TOP, right - left, bottom - TOP);
    pen.globalAlpha = 0.6;
    pen.strokeStyle = color('--muted');
    pen.lineWidth = 1;
    for (let at = left - (left % 8) - (bottom - TOP); at < right; at += 8) {
      pen.beginPath();
      pen.moveTo(at, bottom);
      pen.lineTo(at + bottom - TOP, TOP);
      pen.stroke();
    }
    pen.restore();
  }
}

function axes(pen: CanvasRenderingContext2D, { width, height, from, to, max, format, y, color }: Scene) {
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
    pen.lineTo(width - RIGHT, py);
    pen.stroke();
    pen.fillText(format(v), LEFT - 6, py);
  }
  pen.textAlign = 'center';
  pen.textBaseline = 'top';
  // Ticks are at round times of the chosen clock, which is UTC moved by so much.
  const ahead = offset(from);
  const scale = scaleUtc([new Date(from + ahead), new Date(to + ahead)], [LEFT, width - RIGHT]);
  const label = scale.tickFormat();
  const ticks = scale.ticks(Math.max(2, Math.floor(width / 110)));
  const seconds = (ticks[1]?.getTime() ?? 60_000) - (ticks[0]?.getTime() ?? 0) < 60_000;
  for (const tick of ticks) {
    const px = Math.round(scale(tick)) + 0.5;
    const text = to - from <= 172_800_000 ? tick.toISOString().slice(11, seconds ? 19 : 16) : label(tick);
    if (px > LEFT + 12 && px < width - 20) pen.fillText(text, px, height - BOTTOM + 5);
  }
}

/** Fills between a curve and the one below it, where both are known. */
function area(pen: CanvasRenderingContext2D, { times, grainMs, x, y }: Scene, top: Figure[], below?: Figure[]) {
  for (const [a, b] of runs(times, grainMs, top)) {
    pen.beginPath();
    pen.moveTo(x(times[a] ?? 0), y(top[a] ?? 0));
    for (let i = a + 1; i <= b; i++) pen.lineTo(x(times[i] ?? 0), y(top[i] ?? 0));
    for (let i = b; i >= a; i--) pen.lineTo(x(times[i] ?? 0), y(below?.[i] ?? 0));
    pen.closePath();
    pen.fill();
  }
}

function stroke(pen: CanvasRenderingContext2D, { times, grainMs, x, y, color }: Scene, name: string, values: Figure[], width: number, dash: number[]) {
  pen.strokeStyle = color(name);
  pen.lineWidth = width;
  pen.setLineDash(dash);
  for (const [a, b] of runs(times, grainMs, values)) {
    pen.beginPath();
    for (let i = a; i <= b; i++) pen.lineTo(x(times[i] ?? 0), y(values[i] ?? 0));
    pen.stroke();
  }
  pen.setLineDash([]);
}

/** A band from the mean up to the peak, with a thin line at the peak. */
function peaks(pen: CanvasRenderingContext2D, scene: Scene, name: string, means: Figure[], tops: Figure[]) {
  pen.fillStyle = scene.color(name);
  pen.globalAlpha = 0.16;
  // A peak without a mean, or the other way round, has no band.
  area(pen, scene, tops.map((top, i) => (means[i] === null ? null : top)), means);
  pen.globalAlpha = 0.8;
  stroke(pen, scene, name, tops, 1, [1, 2]);
  pen.globalAlpha = 1;
}
