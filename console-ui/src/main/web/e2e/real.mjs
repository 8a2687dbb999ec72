// SPDX-License-Identifier: Apache-2.0
// A real cluster as the walk through it needs it: jobs, commands, the console's interface, the NodeManager's own word; and what was found.
import { execFile, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const failures = [];
const children = new Set();
const start = Date.now();

process.on('exit', () => children.forEach((child) => child.kill()));
for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]]) process.on(signal, () => process.exit(status));

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export function check(good, what) {
  console.log(`${good ? 'ok    ' : 'WRONG '} ${what}`);
  if (!good) failures.push(what);
}

/** What `look` sees as soon as it is true; null, and wrong, if that does not come. What breaks off meanwhile is looked at again. */
export async function until(what, seconds, look) {
  let last = '';
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(300)) {
    try {
      const seen = await look();
      if (seen) return seen;
      last = '';
    } catch (e) {
      last = `: ${String(e).split('\n')[0]}`;
    }
  }
  check(false, `${what} within ${seconds} s${last}`);
  return null;
}

/** A part that breaks off is wrong; the others go on. */
export async function part(name, work) {
  try {
    await work();
  } catch (e) {
    check(false, `${name}: ${String(e).split('\n')[0]} ${/cluster\.mjs:\d+/.exec(e.stack ?? '')?.[0] ?? ''}`);
  }
  console.log(`       ${Math.round((Date.now() - start) / 1000)} s so far`);
}

/** Says what came of it all, and returns the status to end with. */
export function ended() {
  console.log(failures.length === 0 ? 'All is as it should be.' : `${failures.length} things are wrong:\n  ${failures.join('\n  ')}`);
  return failures.length === 0 ? 0 : 1;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** As the page writes bytes, by a hand of its own. */
export function bytes(value) {
  let [rest, unit] = [value, 0];
  while (rest >= 1024 && unit < 3) [rest, unit] = [rest / 1024, unit + 1];
  return `${rest.toFixed(unit === 0 || rest >= 100 ? 0 : rest >= 10 ? 1 : 2)} ${UNITS[unit]}`;
}

export const number = (text) => Number(text.split(' ')[0]) * 1024 ** UNITS.indexOf(text.split(' ')[1]);

/** All rows of a table of the page, as texts: only those in sight are in the document. */
export async function rowsOf(page, box) {
  const rows = new Map();
  for (let top = 0; ; top += 120) {
    const bottom = await box.evaluate((e, y) => ((e.scrollTop = y), e.scrollTop + e.clientHeight >= e.scrollHeight - 2), top);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const inSight = await box.locator('tbody tr:not([aria-hidden])').evaluateAll((all) => all.map((row) => [row.getAttribute('aria-rowindex'), [...row.cells].map((c) => c.textContent)]));
    for (const [i, text] of inSight) rows.set(i, text);
    if (bottom) return [...rows.values()];
  }
}

export class Cluster {
  constructor(address, home) {
    this.address = address;
    this.home = home;
    const folder = join(home, 'share/hadoop/mapreduce');
    this.examples = join(folder, readdirSync(folder).find((f) => /^hadoop-mapreduce-examples-[\d.]+\.jar$/.test(f)));
  }

  /** What the console's interface answers; anything but success is an error with its text. */
  api = async (path) => {
    const response = await fetch(`${this.address}api/v1/${path}`);
    const body = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body.error}`);
    return body;
  };

  /** Runs one of Hadoop's examples to its end. */
  job = (...args) => {
    const child = spawn(join(this.home, 'bin/hadoop'), ['jar', this.examples, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    children.add(child);
    let log = '';
    child.stderr.on('data', (text) => (log += text));
    return new Promise((done) =>
      child.on('exit', (code) => {
        children.delete(child);
        if (code !== 0) console.log(log.split('\n').slice(-15).join('\n'));
        done({ code, id: /Running job: (job_\d+_\d+)/.exec(log)?.[1] ?? '' });
      }),
    );
  };

  command = async (program, ...args) => JSON.parse((await run(join(this.home, 'bin', program), ['--loglevel', 'ERROR', ...args, '-json'], { maxBuffer: 1 << 26 })).stdout);
  mammoth = (...args) => this.command('mammoth', 'engine', ...args);
  mpcache = (...args) => this.command('hdfs', 'mpcache', ...args);

  /** The NodeManager's own snapshot of its engines, past the console. */
  snapshot = async (nodeManager) => {
    const answer = await (await fetch(`${nodeManager}/jmx?get=Mammoth:service=NodeManager,name=Engines::Snapshot`)).json();
    return JSON.parse(answer.beans[0].Snapshot);
  };

  /** The job as the console lists it, once it has ended. */
  finished = (id) => until(`${id} is listed as finished`, 120, async () => (await this.api('jobs')).jobs.find((row) => row.job.id === id && row.job.finishedMs > 0)?.job);

  /** The job with tasks and counters, once the history server has them. */
  told = (id) =>
    until(`the history server tells of ${id}`, 180, async () => {
      const one = await this.api(`jobs/${id}`);
      return one.tasksFrom === 'job' && one.tasks.length > 0 && one.counters.length > 0 && one;
    });
}
