// SPDX-License-Identifier: Apache-2.0
/** Jobs beyond the present: what the page asks for, and what it says of the answers. */
import type { Address, Range } from './address';
import { bytes, count, span, UNKNOWN, type Figure } from './format';
import type { JobRow, JobSample, JobView, Task } from './types';

export interface JobsFound {
  timeMs: number;
  columns: string[];
  jobs: JobRow[];
  matches: number;
  offset: number;
  fromMs: number;
  toMs: number;
  users: string[];
  queues: string[];
  states: Record<string, number>;
  /** How many jobs there are at any time. */
  ever: number;
  days: number;
  trouble: string;
}

export interface Kept {
  run: string;
  runWhy: string;
  diagnostics: string;
  memorySeconds: Figure;
  vcoreSeconds: Figure;
  attempts: { mapsFailed: number; mapsKilled: number; reducesFailed: number; reducesKilled: number } | null;
  seenInEngine: number;
  fallbacks: Record<string, number>;
  merges: Record<string, number>;
}

export interface JobWhole extends JobView {
  /** Attempts that were seen in engines beside those that tasks are listed with. */
  others: Task[];
  kept: Kept | null;
}

export interface FailedAttempt {
  id: string;
  task: string;
  type: string;
  node: string;
  container: string;
  startedMs: number;
  finishedMs: number;
  diagnostics: string;
  logs: { file: string; text: string; from: string; untold: string }[];
}

export interface Failure {
  job: string;
  state: string;
  diagnostics: string;
  attempts: FailedAttempt[];
  failed: Figure;
  untold: string;
}

export interface Side {
  job: JobSample;
  run: string;
  runWhy: string;
  untold: string;
}

export interface Pair {
  group: string;
  name: string;
  a: Figure;
  b: Figure;
  ratio: Figure;
}

export interface Comparison {
  a: Side;
  b: Side;
  pairs: Pair[];
}

export interface SavedJob {
  id: string;
  name: string;
  user: string;
  queue: string;
  startedMs: number;
  tookMs: number;
  cpuMs: Figure;
  inputBytes: Figure;
  basis: 'measured' | 'estimated' | 'none';
  runs: number;
  baselineMs: Figure;
  savedMs: Figure;
  savedCpuMs: Figure;
}

export interface SavedSum {
  name: string;
  jobs: number;
  measured: number;
  estimated: number;
  without: number;
  measuredMs: Figure;
  measuredCpuMs: Figure;
  estimatedMs: Figure;
  estimatedCpuMs: Figure;
}

export interface SavedView {
  timeMs: number;
  fromMs: number;
  toMs: number;
  saved: {
    jobs: SavedJob[];
    all: SavedSum;
    names: SavedSum[];
    queues: SavedSum[];
    weeks: SavedSum[];
    time: { ratio: Figure; pairs: number };
    cpu: { ratio: Figure; pairs: number };
    unknownRuns: number;
    stockRuns: number;
  };
  jobs: number;
  todo: string;
  fallbacks: { reason: string; key: string; remedy: string; tasks: number; jobs: number; latest: { id: string; name: string; user: string; tasks: number }[] }[];
  trouble: string;
}

const DAY = 86_400_000;
export const PAGE = 100;

/** Of which time jobs are listed: the range bar's, but a list that moves with the present is of a day at least, as in minutes hardly a job begins. */
export function listed(range: Range): { from: number | null; to: number | null; spanMs: number; title: string } {
  if (!range.live) {
    return { from: range.from, to: range.to, spanMs: range.to - range.from, title: 'in the time chosen' };
  }
  const spanMs = Math.max(DAY, range.spanMs);
  const days = Math.round(spanMs / DAY);
  return { from: null, to: null, spanMs, title: days === 1 ? 'of the last day' : `of the last ${days} days` };
}

/** What is asked for. Of a group of what needs attention it is all its jobs, whatever the range. */
export function jobsQuery(address: Address, stepMs: number, nowMs: number): string {
  const { pick, range } = address;
  const when = listed(range);
  const query = new URLSearchParams();
  // In whole steps, so that the list is not another address each second.
  const live = Math.floor(nowMs / stepMs) * stepMs - when.spanMs;
  if (pick.cause) {
    query.set('cause', pick.cause);
  } else {
    query.set('from', String(when.from ?? Math.max(0, live)));
    if (when.to !== null) {
      query.set('to', String(when.to));
    }
  }
  for (const [name, value] of [['name', pick.find], ['user', pick.user], ['queue', pick.queue], ['state', pick.state], ['sort', pick.sort], ['offset', pick.offset]] as const) {
    if (value) {
      query.set(name, value);
    }
  }
  query.set('limit', String(PAGE));
  return `jobs?${query.toString()}`;
}

/** How many jobs are drawn one by one. */
const DRAWN = 8;

/** Which jobs have held the most of those of a span; in whole minutes, so that it is not another address each second. */
export function heldMost(range: Range, from: number, to: number): string {
  const start = Math.max(0, Math.floor(from / 60_000) * 60_000);
  return `jobs?from=${start}${range.live ? '' : `&to=${Math.ceil(to)}`}&sort=-total&limit=${DRAWN}`;
}

/** How often a job's page is read: one that has ended only until all of it is there, as its tasks are read from the history server each time. */
export function wholeAgainMs(view: JobWhole): number {
  if (view.job.finishedMs === 0) {
    // What many tasks are told in is megabytes, of the job's ApplicationMaster too.
    return Math.min(30_000, Math.max(2000, 2 * view.tasks.length));
  }
  return view.kept === null ? 5000 : view.tasksFrom === 'engines' ? 60_000 : 0;
}

/** How often it is asked why a job failed: until its attempts and their logs are told, which may be some seconds after its end, but not for days. */
export function failureAgainMs(failure: Failure, sinceEndMs: number): number {
  const whole = !failure.untold && failure.attempts.every((attempt) => attempt.logs.every((log) => !log.untold));
  return whole || sinceEndMs > 600_000 ? 0 : 15_000;
}

/** The jobs that are ticked: two at most, a third one takes the place of the first. */
export function ticked(address: Address): string[] {
  return (address.pick.with ?? '').split(',').filter((id) => /^job_\d+_\d+$/.test(id)).slice(0, 2);
}

export function tick(ids: string[], id: string): string {
  return (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids.slice(-1), id]).join(',');
}

/** A number of a comparison, by what its name says it counts. */
export function figure(name: string, value: Figure): string {
  if (value === null) {
    return UNKNOWN;
  }
  if (/millis|\bms$/i.test(name)) {
    return span(value);
  }
  return /bytes/i.test(name) || ['element', 'sort', 'send', 'receive', 'io', 'dataCache', 'total'].includes(name) ? bytes(value) : count(value);
}

/** Two jobs' ratio: × 1.5, – where one is not told or the first is 0. */
export function times(ratio: Figure): string {
  if (ratio === null) {
    return UNKNOWN;
  }
  return ratio > 0 && ratio < 0.001 ? '× < 0.001' : `× ${ratio.toFixed(ratio < 0.1 ? 3 : ratio < 10 ? 2 : 0)}`;
}

/** How much of the pairs differ: by more than a tenth, or only one tells. */
export function differs(pair: Pair): boolean {
  return pair.a === null || pair.b === null ? pair.a !== pair.b : Math.abs(pair.b - pair.a) > 0.1 * Math.max(Math.abs(pair.a), Math.abs(pair.b));
}

/** A time that was saved, or lost: hours with one digit from ten on, spans below. */
export function gain(ms: Figure): string {
  if (ms === null) {
    return UNKNOWN;
  }
  const sign = ms < 0 ? '−' : '';
  const hours = Math.abs(ms) / 3_600_000;
  return hours >= 10 ? `${sign}${hours.toFixed(hours < 100 ? 1 : 0)} h` : `${sign}${span(Math.abs(ms))}`;
}

/** What a number of a job or of several goes by. */
export function basis(of: { measured: number; estimated: number; without: number }, pairs: number): string {
  const parts = [
    of.measured > 0 ? `${count(of.measured)} measured` : '',
    of.estimated > 0 ? `${count(of.estimated)} by an estimate of ${count(pairs)} ${pairs === 1 ? 'pair' : 'pairs'}` : '',
    of.without > 0 ? `${count(of.without)} without a number` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** All attempts that are known: that of each task, further ones seen in engines, and those that failed. */
export function attempts(view: JobWhole, failure: Failure | null): Task[] {
  const known = [...view.tasks, ...view.others];
  const names = new Map(known.map((task) => [task.attempt, task]));
  const failed = (failure?.attempts ?? []).map((attempt): Task => {
    const seen = names.get(attempt.id);
    return {
      id: attempt.task,
      type: attempt.type,
      state: 'FAILED',
      startedMs: attempt.startedMs,
      finishedMs: attempt.finishedMs,
      attempt: attempt.id,
      node: seen?.node || attempt.node,
      where: seen?.where ?? 'unknown',
      reason: '',
      merge: '',
    };
  });
  const gone = new Set(failed.map((task) => task.attempt));
  const tasks = new Set(failed.map((task) => task.id));
  // A task that failed is drawn as its attempts, not as the span over them.
  return [...known.filter((task) => !gone.has(task.attempt) && !(task.attempt === '' && tasks.has(task.id))), ...failed];
}
