// cluster.mjs ADDRESS HOME [PICTURES] : the console at ADDRESS of the release in HOME, with real jobs, through a browser; started by
// dev-support/bin/console-cluster. Ends with 0 if all is as it should be, and says what is not.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { open } from './browser.mjs';

const [address, home, pictures] = process.argv.slice(2);
const run = promisify(execFile);
const failures = [];
const check = (good, what) => {
  console.log(`${good ? 'ok    ' : 'WRONG '} ${what}`);
  if (!good) failures.push(what);
};
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const api = async (path) => (await fetch(`${address}api/v1/${path}`)).json();
const until = async (what, seconds, look) => {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(500)) {
    const seen = await look();
    if (seen) return seen;
  }
  check(false, `${what} within ${seconds} s`);
  return null;
};

// A part that breaks off is wrong; the others go on.
const part = async (name, work) => {
  try {
    await work();
  } catch (e) {
    check(false, `${name}: ${String(e).split('\n')[0]}`);
  }
};
const finished = (id) => until(`${id} is listed as finished`, 30, async () => (await api('jobs')).jobs.find((row) => row.job.id === id && row.job.finishedMs > 0)?.job);
const told = (id) => until(`the history server tells of ${id}`, 60, async () => {
  const one = await api(`jobs/${id}`);
  return one.tasksFrom === 'job' && one.tasks.length > 0 && one;
});

const examples = join(home, 'share/hadoop/mapreduce', readdirSync(join(home, 'share/hadoop/mapreduce')).find((f) => /^hadoop-mapreduce-examples-[\d.]+\.jar$/.test(f)));
const hadoop = join(home, 'bin/hadoop');
const job = (...args) => {
  const child = spawn(hadoop, ['jar', examples, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (text) => (log += text));
  return new Promise((done) => child.on('exit', (code) => done({ code, log, id: /Running job: (job_\d+_\d+)/.exec(log)?.[1] ?? '' })));
};
const small = ['-Dmapreduce.map.memory.mb=512', '-Dmapreduce.reduce.memory.mb=512', '-Dmapreduce.job.reduce.slowstart.completedmaps=0.3'];
const large = '-Dmapreduce.input.fileinputformat.split.minsize=67108864';
const mammoth = async (...args) => JSON.parse((await run(join(home, 'bin/mammoth'), ['--loglevel', 'ERROR', 'engine', ...args, '-json'], { maxBuffer: 1 << 26 })).stdout);

const tag = `/console-${Date.now()}`;
const node = (await until('a node answers', 60, async () => (await api('nodes')).nodes.find((n) => n.reach === 'OK'))).id;
const at = encodeURIComponent(node);
const { context, close } = await open({ acceptDownloads: true, colorScheme: 'light' });
const page = await context.newPage();
page.setDefaultTimeout(20000);
const errors = [];
page.on('pageerror', (e) => errors.push(String(e)));
page.on('dialog', (dialog) => dialog.accept());

// --- Data ------------------------------------------------------------------------------------------------------------

check((await job('teragen', ...small, '-Dmapreduce.job.maps=2', '4000000', `${tag}/gen`)).code === 0, 'teragen made 400 MB');

// --- Numbers on the page are the engine's own while a job runs --------------------------------------------------------

await page.goto(`${address}#/nodes?node=${at}`);
await page.waitForSelector('h2');
await page.evaluate(() => {
  // What the page shows of each engine, whenever it changes.
  window.seen = [];
  const look = () => {
    for (const section of document.querySelectorAll('section[aria-label^="Engine engine-"]')) {
      const stats = Object.fromEntries([...section.querySelectorAll('.stat')].map((s) => [s.querySelector('dt').textContent, [s.querySelector('b').textContent, s.querySelector('small')?.textContent ?? '']]));
      const entry = { t: Date.now(), engine: section.getAttribute('aria-label').slice(7), stats };
      const last = window.seen.at(-1);
      if (!last || JSON.stringify(last.stats) !== JSON.stringify(stats) || last.engine !== entry.engine) window.seen.push(entry);
    }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  look();
});
const UNITS = ['B', 'KiB', 'MiB', 'GiB'];
const bytes = (value) => {
  let [rest, unit] = [value, 0];
  while (rest >= 1024 && unit < 3) [rest, unit] = [rest / 1024, unit + 1];
  return `${rest.toFixed(unit === 0 || rest >= 100 ? 0 : rest >= 10 ? 1 : 2)} ${UNITS[unit]}`;
};
const number = (text) => Number(text.split(' ')[0]) * 1024 ** UNITS.indexOf(text.split(' ')[1]);

let running = true;
const sort = job('terasort', ...small, large, '-Dmapreduce.job.reduces=2', `${tag}/gen`, `${tag}/sorted`).finally(() => (running = false));
const readings = [];
while (running) {
  for (const reading of Object.values(await mammoth('-memory').catch(() => ({})))) {
    for (const engine of reading.engines ?? []) if (engine.role === 'TASKS' && engine.snapshot) readings.push({ t: engine.snapshot.atMs, id: engine.engineId, memory: engine.snapshot.memory });
  }
}
const sorted = await sort;
check(sorted.code === 0, `terasort ran: ${sorted.id}`);
await sleep(2500);
const seen = await page.evaluate(() => window.seen);
let exact = 0;
let within = 0;
const distinct = new Set();
for (const { t, id, memory } of readings) {
  const near = seen.filter((s) => s.engine === id && Math.abs(s.t - t) <= 2500).map((s) => s.stats);
  if (near.some((s) => s.Leased[0] === bytes(memory.usedBytes) && s['Map quota'][0] === bytes(memory.mapQuotaBytes) && s['Reduce quota'][0] === bytes(memory.reduceQuotaBytes) && s.Pool[0] === bytes(memory.poolUsedBytes))) {
    exact++;
    if (memory.usedBytes > 0) distinct.add(bytes(memory.usedBytes));
  }
  const shown = near.map((s) => number(s.Leased[0]));
  if (near.length > 0 && memory.usedBytes >= Math.min(...shown) * 0.98 && memory.usedBytes <= Math.max(...shown) * 1.02) within++;
}
console.log(`       ${readings.length} readings of "mammoth engine -memory -json", ${exact} equal to the page in all four numbers (${distinct.size} different amounts), ${within} between what the page showed about then`);
check(distinct.size >= 3, 'the page showed the engine’s own leased memory, pool and quotas at the same moment, three times at least');
check(within >= 0.9 * readings.length, 'no reading was far from what the page showed about then');
const last = readings.at(-1)?.memory;
check(last && seen.at(-1)?.stats.Leased[1].includes(bytes(last.capBytes)) && seen.at(-1).stats.Pool[1].includes(`${bytes(last.poolBytes)}, units of ${bytes(last.unitBytes)}`), `what is configured is the same: ${last && bytes(last.capBytes)}, pool ${last && bytes(last.poolBytes)}`);

// --- A quota shift and a spill, provoked by that job --------------------------------------------------------------------

const listed = await finished(sorted.id);
const whole = `from=${listed.startedMs - 2000}&to=${listed.finishedMs + 4000}`;
await part('the quota shift', async () => {
  await page.goto(`${address}#/memory?${whole}&node=${at}`);
  await page.waitForSelector('figure');
  await page.getByRole('button', { name: 'Table' }).first().click();
  await page.waitForSelector('figure .rows tbody tr');
  const columns = await page.locator('figure .rows thead th').allInnerTexts();
  const column = async (name) => {
    const n = columns.findIndex((text) => text.startsWith(name));
    const box = page.locator('figure .rows');
    const values = new Set();
    for (let top = 0; top < 200000; top += 300) {
      await box.evaluate((e, y) => (e.scrollTop = y), top);
      for (const text of await page.locator(`figure .rows tbody tr:not([aria-hidden]) td:nth-child(${n + 1})`).allInnerTexts()) values.add(text);
      if (await box.evaluate((e) => e.scrollTop + e.clientHeight >= e.scrollHeight - 2)) break;
      await sleep(60);
    }
    return [...values];
  };
  const [maps, reduces] = [await column('Map quota'), await column('Reduce quota')];
  const spread = (values) => Math.max(...values.map(number)) - Math.min(...values.map(number));
  check(maps.length > 1 && reduces.length > 1 && spread(maps) > 4 * 2 ** 20 && spread(reduces) > 4 * 2 ** 20, `quotas shifted: the map quota by ${bytes(spread(maps))}, the reduce quota by ${bytes(spread(reduces))}, in the chart’s table`);
});
const decisions = (await api(`decisions?node=${at}&from=${listed.startedMs}&to=${listed.finishedMs + 4000}&limit=5000`)).decisions;
const revoked = decisions.filter((d) => d.action === 'REVOKE');
const byRule = {};
for (const d of decisions) byRule[`${d.action} ${d.rule}`] = (byRule[`${d.action} ${d.rule}`] ?? 0) + 1;
console.log(`       ${decisions.length} decisions: ${Object.entries(byRule).map(([rule, n]) => `${rule} ${n}`).join(', ')}`);
check(revoked.length > 0 && revoked.every((d) => d.rule && d.victim), `memory was revoked ${revoked.length} times, each with its rule and its victim`);
await part('the revocations', async () => {
  await page.goto(`${address}#/memory?${whole}&node=${at}&at=${revoked[0].timeMs}`);
  await page.waitForSelector('section[aria-label=Decisions] .badge');
  await until('a revocation is on the page', 10, async () => {
    await page.locator('section[aria-label=Decisions] .rows thead button', { hasText: 'What' }).click();
    return (await page.locator('.badge.revoke').count()) > 0;
  });
  check((await page.locator('.badge.revoke').count()) > 0, 'the decision log shows the revocations');
});
await part('the spill', async () => {
  await page.goto(`${address}#/queues?${whole}&node=${at}`);
  await page.waitForSelector('.lane');
  const lanes = (await api('queues')).queues.flatMap((q) => q.disk.lanes);
  const spilled = lanes.filter((l) => l.direction === 'WRITE').map((l) => [l.ioClass, l.totalBytes]);
  const spill = spilled.filter(([name, total]) => name !== 'SEND' && total > 0);
  check(spill.length > 0, `the disks’ queues wrote ${spilled.map(([name, total]) => `${name} ${bytes(total)}`).join(', ')}`);
  const text = await page.locator('main').innerText();
  check(spill.every(([, total]) => text.includes(bytes(total))), 'and the page of the queues says so');
  const { counters } = await told(sorted.id);
  const spilledRecords = counters.find((c) => c.name === 'SPILLED_RECORDS');
  check(spilledRecords?.total >= 4000000, `the job’s own counter: ${spilledRecords?.total} spilled records`);
});

// --- A cache eviction --------------------------------------------------------------------------------------------------

await part('the cache', async () => {
  for (const name of ['a', 'b']) {
    check((await job('randomtextwriter', ...small, '-Dmapreduce.randomtextwriter.totalbytes=41943040', '-Dmapreduce.randomtextwriter.bytespermap=20971520', '-outFormat', 'org.apache.hadoop.mapreduce.lib.output.TextOutputFormat', `${tag}/${name}`)).code === 0, `40 MB of text in ${name}`);
  }
  const cache = async () => (await api('cache')).slaves[0].cache;
  const evictedBefore = (await cache()).evictions.ordered ?? 0;
  for (const [n, name] of ['a', 'a', 'b', 'b', 'a'].entries()) {
    check((await job('wordcount', ...small, `${tag}/${name}`, `${tag}/count${n}`)).code === 0, `wordcount of ${name}`);
  }
  const evicted = await until('a copy is evicted', 30, async () => ((await cache()).evictions.ordered ?? 0) > evictedBefore && (await cache()));
  check(evicted?.hits > 0, `the cache served ${evicted?.hits} blocks and evicted ${evicted?.evictions.ordered} copies for these jobs`);
  await page.goto(`${address}#/cache?range=15m`);
  await page.waitForSelector('section[aria-label="Data sets"] tbody td');
  const named = await until('the page lists data sets', 20, async () => (await page.locator('section[aria-label="Data sets"]').innerText()).includes(tag));
  const cli = JSON.parse((await run(join(home, 'bin/hdfs'), ['--loglevel', 'ERROR', 'mpcache', '-datasets', '-json'])).stdout).dataSets.map((s) => s.path);
  check(named && (await api('cache/datasets')).sets.filter((s) => s.cachedBlocks > 0).map((s) => s.path).join() === cli.join(), `data sets are those of "hdfs mpcache -datasets": ${cli.length}`);
  await page.getByRole('button', { name: 'simulate the recorded reads' }).click();
  await page.waitForSelector('section[aria-label="What if"] tbody td');
  check((await page.locator('section[aria-label="What if"] tbody tr').count()) === 12, 'what-if shows four policies at three sizes');
  console.log(`       ${(await page.locator('section[aria-label="What if"] .head small').innerText())}`);
});

// --- A job beside its earlier runs -------------------------------------------------------------------------------------

await part('earlier runs', async () => {
  const words = (await api('jobs')).jobs.filter((row) => row.job.name === 'word count' && row.job.finishedMs > 0);
  await page.goto(`${address}#/jobs?job=${words[0].job.id}&from=${words[0].job.startedMs}&to=${words[0].job.finishedMs}`);
  await until('earlier runs are shown', 20, async () => (await page.locator('section[aria-label="Earlier runs"] tbody tr').count()) >= 5);
  check((await page.locator('section[aria-label="Earlier runs"] tbody tr').count()) >= 5, 'the last word count stands beside four earlier ones, at least');
});

const PAGES = {
  overview: '#/overview?range=15m',
  memory: `#/memory?${whole}&node=${at}`,
  'memory-by-job': `#/memory?range=15m&node=${at}&by=job`,
  queues: `#/queues?${whole}&node=${at}`,
  cache: '#/cache?range=15m',
  jobs: '#/jobs',
  job: `#/jobs?job=${sorted.id}&${whole}`,
  nodes: '#/nodes',
  node: `#/nodes?node=${at}`,
  configuration: `#/nodes?node=${at}&view=configuration`,
};
if (pictures) await part('the pictures', async () => {
  mkdirSync(pictures, { recursive: true });
  // Something runs while the pictures are taken.
  const busy = job('terasort', ...small, large, '-Dmapreduce.job.reduces=2', `${tag}/gen`, `${tag}/again`);
  await until('it runs', 60, async () => (await api('overview')).jobs.length > 0);
  await sleep(12000);
  for (const theme of ['light', 'dark']) {
    const other = await open({ colorScheme: theme });
    const view = await other.context.newPage();
    for (const [name, hash] of Object.entries(PAGES)) {
      await view.goto(address + hash);
      await view.reload();
      await view.waitForTimeout(1500);
      if (name === 'cache') {
        await view.getByRole('button', { name: 'simulate the recorded reads' }).click();
        await view.waitForTimeout(1500);
      }
      await view.screenshot({ path: join(pictures, `${name}-${theme}.png`), fullPage: true });
    }
    await other.close();
  }
  await busy;
});

// --- Actions -----------------------------------------------------------------------------------------------------------

const said = async (press, pattern, what) => {
  await press();
  const status = page.locator('section[aria-label=Actions] [role=status], section[aria-label="Data sets"] p[role=status]').first();
  const good = await until(what, 20, async () => pattern.test(await status.innerText()));
  check(good, `${what}: ${await status.innerText()}`);
};
const engines = async () => Object.values(await mammoth('-status')).flatMap((n) => n.engines).map((e) => e.engineId);
await part('orders to the node', async () => {
  await page.goto(`${address}#/nodes?node=${at}`);
  await page.waitForSelector('section[aria-label=Actions]');
  const before = await engines();
  await said(() => page.getByRole('button', { name: 'recycle' }).click(), /takes? no more tasks.*a new engine is starting/, 'recycle');
  const after = await until('the engine’s successor is up and it is gone', 60, async () => {
    const now = await engines();
    return now.length > 0 && now.every((id) => !before.includes(id)) && now;
  });
  check(after !== null, `"mammoth engine -status" knows the successor: ${after}`);
  await said(() => page.getByRole('button', { name: 'switch off' }).click(), /mammoth.engine.enabled is switched off/, 'switch off');
  const outside = await job('wordcount', ...small, `${tag}/a`, `${tag}/outside`);
  check(outside.code === 0, 'a job without engines ran');
  const { tasks } = await told(outside.id);
  check(tasks.length > 0 && tasks.every((t) => t.where === 'container' && t.reason.includes('is switched off on this node')), `its ${tasks.length} tasks are shown as containers, with the reason`);
  await said(() => page.getByRole('button', { name: 'switch on' }).click(), /mammoth.engine.enabled is switched on/, 'switch on');
  await page.getByLabel('Acceleration').selectOption('mammoth.shuffle.push.enabled');
  await said(() => page.getByRole('button', { name: 'switch off' }).click(), /each job's own configuration/, 'what cannot be switched says why');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'support bundle' }).click()]);
  check(/^mammoth-.*\.zip$/.test(download.suggestedFilename()), `a support bundle is saved: ${download.suggestedFilename()}`);
});
await part('orders to the cache', async () => {
  await page.goto(`${address}#/cache`);
  await page.waitForSelector('input[placeholder="/absolute/path"]');
  await page.locator('input[placeholder="/absolute/path"]').fill(`${tag}/b`);
  await said(() => page.getByRole('button', { name: 'pin', exact: true }).first().click(), /Pinned until the NameNode restarts/, 'pin');
  await said(() => page.getByRole('button', { name: 'warm' }).click(), /blocks .* are proposed/, 'warm');
  await until('the data set is there, pinned', 30, async () => (await api('cache/datasets')).sets.some((s) => s.path === `${tag}/b` && s.pinned));
  await said(() => page.getByRole('button', { name: 'evict', exact: true }).first().click(), /copies leave/, 'evict');
  await until('the data set is gone', 30, async () => !(await api('cache/datasets')).sets.some((s) => s.path === `${tag}/b` && s.cachedBlocks > 0));
  const missing = await fetch(`${address}api/v1/cache/actions/warm?path=/no/such`, { method: 'POST', headers: { 'X-XSRF-HEADER': 'x' } });
  check(missing.status === 404, `warming what is not there is answered with ${missing.status}: ${(await missing.json()).error}`);
});

check(errors.length === 0, `no error in the browser ${errors.slice(0, 3).join(' | ')}`);
await close();
console.log(failures.length === 0 ? 'All is as it should be.' : `${failures.length} things are wrong:\n  ${failures.join('\n  ')}`);
process.exit(failures.length === 0 ? 0 : 1);
