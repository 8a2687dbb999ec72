// SPDX-License-Identifier: Apache-2.0
// cluster.mjs ADDRESS HOME LOGIN [PICTURES] : the console at ADDRESS of the release in HOME, its administrator's address in the file LOGIN, with real jobs, through a browser; started by
// dev-support/bin/console-cluster. Ends with 0 if all is as it should be, and says what is not. Whatever takes time is waited for by what
// comes of it, never for a number of seconds: the limits are far beyond what a machine needs that others use too.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { login, open, session } from './browser.mjs';
import { bytes, check, Cluster, ended, number, part, rowsOf, sleep, until } from './real.mjs';

const [address, home, loginFile, pictures] = process.argv.slice(2);
const cluster = new Cluster(address, home);
const { api, job, mammoth } = cluster;
const tag = `/console-${Date.now()}`;
const small = ['-Dmapreduce.map.memory.mb=512', '-Dmapreduce.reduce.memory.mb=512'];
// One map sorts more than the pool holds. Reduces that begin early would only be preempted for maps.
const SPLIT = '-Dmapreduce.input.fileinputformat.split.minsize=67108864';
const LATE_REDUCES = '-Dmapreduce.job.reduce.slowstart.completedmaps=0.6';
const terasort = (to) => job('terasort', ...small, LATE_REDUCES, SPLIT, '-Dmapreduce.job.reduces=2', `${tag}/gen`, `${tag}/${to}`);
const wordcount = (from, to) => job('wordcount', ...small, `${tag}/${from}`, `${tag}/${to}`);

const node = (await until('a node answers', 120, async () => (await api('nodes')).nodes.find((n) => n.reach === 'OK')))?.id;
if (!node) process.exit(ended());
const at = encodeURIComponent(node);
const nodeManager = (await api(`nodes/${at}`)).node.nodeManager;
const { context, close } = await open({ acceptDownloads: true, colorScheme: 'light' });
context.setDefaultTimeout(90_000);
await login(context, loginFile);
const errors = [];
const tab = async (hash) => {
  const page = await context.newPage();
  page.on('pageerror', (e) => errors.push(String(e)));
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(`${address}${hash}`);
  return page;
};
const page = await tab('#/overview');

// --- While a job sorts more than the memory holds --------------------------------------------------------------------

check((await job('teragen', ...small, '-Dmapreduce.job.maps=2', '4000000', `${tag}/gen`)).code === 0, 'teragen made 400 MB');

// What the page shows of each engine, and of the disks' queues, whenever it changes.
const watch = (where, read) =>
  where.evaluate((source) => {
    const look = new Function(`return (${source})()`);
    window.seen = [];
    const note = () => {
      for (const entry of look()) {
        const last = window.seen.findLast((e) => e.id === entry.id);
        if (!last || JSON.stringify(last.stats) !== JSON.stringify(entry.stats)) window.seen.push({ t: Date.now(), ...entry });
      }
    };
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
    note();
  }, read.toString());
const enginesShown = () =>
  [...document.querySelectorAll('section[aria-label^="Engine engine-"]')].map((section) => ({
    id: section.getAttribute('aria-label').slice(7),
    stats: Object.fromEntries([...section.querySelectorAll('.stat')].map((s) => [s.querySelector('dt').textContent, [s.querySelector('b').textContent, s.querySelector('small')?.textContent ?? '']])),
  }));
const lanesShown = () =>
  [...document.querySelectorAll('.lane tbody tr')].map((row) => {
    const cells = [...row.querySelectorAll('td')].map((cell) => cell.textContent);
    return { id: `${row.closest('section').getAttribute('aria-label')} ${cells[0]}`, stats: { depth: cells[2], moved: cells[5] } };
  });

const whole = await tab(`#/nodes?node=${at}`);
await whole.waitForSelector('section[aria-label=Actions]');
await watch(whole, enginesShown);
const queues = await tab(`#/queues?range=5m&node=${at}`);
await queues.waitForSelector('section[aria-label=Disks]');
await watch(queues, lanesShown);

let running = true;
const sort = terasort('sorted').finally(() => (running = false));
const own = (reading) => (reading.engines ?? []).filter((e) => e.role === 'TASKS' && e.snapshot).map((e) => ({ t: e.snapshot.atMs, id: e.engineId, memory: e.snapshot.memory }));
// The node's own word, each time it is a new one; and that of the command, as often as it comes.
const readings = [];
const commands = [];
const listen = async () => {
  while (running) {
    for (const reading of own(await cluster.snapshot(nodeManager).catch(() => ({})))) {
      if (!readings.some((r) => r.id === reading.id && r.t === reading.t)) readings.push(reading);
    }
    await sleep(200);
  }
};
const command = async () => {
  for (; running; await sleep(1000)) for (const reading of Object.values(await mammoth('-memory').catch(() => ({})))) commands.push(...own(reading));
};
const [sorted] = await Promise.all([sort, listen(), command()]);
check(sorted.code === 0, `terasort ran: ${sorted.id}`);
const shown = await whole.evaluate(() => window.seen);
const lanes = await queues.evaluate(() => window.seen);
for (const one of [whole, queues]) await one.close();

// --- Numbers on the page are the engine's own at that second -----------------------------------------------------------

const four = (m) => [m.usedBytes, m.poolUsedBytes, m.mapQuotaBytes, m.reduceQuotaBytes].map(bytes).join(', ');
const fourShown = (stats) => ['Leased', 'Pool', 'Map quota', 'Reduce quota'].map((name) => stats[name]?.[0]).join(', ');
await part('the numbers', async () => {
  const [first, last] = [readings[0]?.t, readings.at(-1)?.t];
  // A page is a little late: the console reads once a second, and the page asks it once a second.
  const LATE = 6000;
  const during = shown.filter((s) => s.t >= first + LATE && s.t <= last && s.stats.Leased);
  const lags = [];
  const amounts = new Set();
  const strangers = [];
  for (const s of during) {
    const near = readings.filter((r) => r.id === s.id && r.t > s.t - LATE && r.t <= s.t + 50);
    const same = near.findLast((r) => four(r.memory) === fourShown(s.stats));
    if (same) {
      lags.push(s.t - same.t);
      amounts.add(fourShown(s.stats));
      continue;
    }
    // Between two of our own readings the console may have had one we have not.
    const used = near.map((r) => r.memory.usedBytes);
    const now = number(s.stats.Leased[0]);
    if (near.length === 0 || now < Math.min(...used) * 0.99 || now > Math.max(...used) * 1.01) strangers.push(s);
  }
  lags.sort((a, b) => a - b);
  const equalCommands = commands.filter((c) => shown.some((s) => s.id === c.id && Math.abs(s.t - c.t) <= LATE && fourShown(s.stats) === four(c.memory)));
  console.log(
    `       the page changed ${during.length} times, ${lags.length} of them equal in all four numbers to one of ${readings.length} readings of the NodeManager (${amounts.size} different), ${lags[Math.floor(lags.length / 2)]} ms after it in the median, ${lags.at(-1)} ms at most; ${commands.length} of "mammoth engine -memory -json", ${equalCommands.length} equal to the page`,
  );
  check(amounts.size >= 4, 'leased memory, pool and both quotas on the page were the engine’s own of that second, four different times at least');
  check(lags.length >= 0.8 * during.length && lags[Math.floor(lags.length / 2)] <= 3000, 'and so was nearly everything the page showed');
  check(strangers.length === 0, `what was not read by us lies between what was${strangers.length ? `, but not ${fourShown(strangers[0].stats)}` : ''}`);
  check(equalCommands.length > 0, '"mammoth engine -memory -json" said the same');
  const m = readings.at(-1)?.memory;
  const stats = shown.findLast((s) => s.stats.Leased)?.stats;
  check(m && stats?.Leased[1].includes(bytes(m.capBytes)) && stats.Pool[1].includes(`${bytes(m.poolBytes)}, units of ${bytes(m.unitBytes)}`), `what is configured is the same: ${m && bytes(m.capBytes)}, pool ${m && bytes(m.poolBytes)}`);
});

// --- A quota shift and a spill, provoked by that job --------------------------------------------------------------------

const listed = await cluster.finished(sorted.id);
if (!listed) process.exit(ended());
const span = `from=${listed.startedMs - 2000}&to=${listed.finishedMs + 4000}`;
await part('the quota shift', async () => {
  await page.goto(`${address}#/memory?${span}&node=${at}`);
  await page.getByRole('button', { name: 'Table' }).first().click();
  const table = page.locator('figure .rows');
  await table.locator('tbody td.n').first().waitFor();
  const columns = await table.locator('thead th').allInnerTexts();
  const rows = await rowsOf(page, table);
  const column = (name) => rows.map((row) => row[columns.findIndex((text) => text.startsWith(name))]);
  const spread = (values) => Math.max(...values.map(number)) - Math.min(...values.map(number));
  for (const [name, of] of [['Map quota', (m) => m.mapQuotaBytes], ['Reduce quota', (m) => m.reduceQuotaBytes]]) {
    const values = column(name);
    const read = new Set(readings.map((r) => bytes(of(r.memory))));
    const both = new Set(values.filter((v) => read.has(v)));
    check(values.length > 5 && spread(values) > 8 * 2 ** 20 && both.size >= 3, `the ${name.toLowerCase()} shifted by ${bytes(spread(values))} in the chart’s table of ${values.length} seconds; ${both.size} of its values are the engine’s own`);
  }
});
await part('the decisions', async () => {
  const { decisions } = await api(`decisions?node=${at}&from=${listed.startedMs}&to=${listed.finishedMs + 4000}&limit=5000`);
  const byRule = {};
  for (const d of decisions) byRule[`${d.action} ${d.rule}`] = (byRule[`${d.action} ${d.rule}`] ?? 0) + 1;
  console.log(`       ${decisions.length} decisions: ${Object.entries(byRule).map(([rule, n]) => `${rule} ${n}`).join(', ')}`);
  // One job is refused what it would spill anyway, and seldom has anything taken from it: its maps' needs are reserved.
  const revoked = decisions.filter((d) => d.action === 'REVOKE');
  const refused = decisions.filter((d) => d.action === 'REFUSE');
  check(revoked.length + refused.length > 0 && refused.every((d) => d.rule) && revoked.every((d) => d.rule && d.victim), `memory was refused ${refused.length} times, each with its rule, and revoked ${revoked.length} times, each with its rule and its victim`);
  const one = revoked[0] ?? refused[0];
  await page.goto(`${address}#/memory?${span}&node=${at}&at=${one.timeMs}`);
  await page.reload();
  const log = page.locator('section[aria-label=Decisions] .rows');
  const row = await until('the decision is on the page of its moment', 60, async () => (await rowsOf(page, log)).find((cells) => cells[1] === String(one.sequence)));
  check(row?.[2] === one.action.toLowerCase() && row[4] === bytes(one.bytes) && row[7] === one.rule, `the decision log shows at its moment what the scheduler wrote down: ${row?.filter(Boolean).join(', ')}`);
  check((await page.locator('.mark').count()) === 1, 'and the chart has a mark there');
});
const SPILLS = ['sort write', 'receive write'];
await part('the spill', async () => {
  const ids = [...new Set(lanes.map((l) => l.id))].filter((id) => SPILLS.some((lane) => id.endsWith(lane)));
  const grown = ids.map((id) => [id, lanes.filter((l) => l.id === id).map((l) => number(l.stats.moved || '0 B'))]).filter(([, moved]) => new Set(moved).size > 1);
  check(grown.length > 0, `the page of the queues showed spills while the job ran: ${grown.map(([id, moved]) => `${id} ${bytes(moved[0])} to ${bytes(moved.at(-1))} in ${moved.length} steps`).join('; ')}`);
  console.log(`       up to ${Math.max(0, ...lanes.map((l) => Number(l.stats.depth.replaceAll(',', ''))))} requests of one class were seen waiting`);
  await page.goto(`${address}#/queues?${span}&node=${at}`);
  await page.waitForSelector('.lane td');
  const equal = await until('the page has the totals of the queues', 60, async () => {
    const totals = (await api('queues')).queues.flatMap((q) => q.disk.lanes).filter((l) => l.direction === 'WRITE' && l.totalBytes > 0);
    const text = await page.locator('main').innerText();
    return totals.length > 0 && totals.every((l) => text.includes(bytes(l.totalBytes))) && totals;
  });
  check(equal?.some((l) => ['SORT', 'RECEIVE'].includes(l.ioClass)), `its totals are the queues’ own: ${equal?.map((l) => `${l.ioClass} ${bytes(l.totalBytes)}`).join(', ')}`);
  const { counters } = (await cluster.told(sorted.id)) ?? {};
  const total = (name) => counters?.find((c) => c.name === name)?.total;
  check(total('SPILLED_RECORDS') >= 4_000_000, `the job’s own counters: ${total('SPILLED_RECORDS')} spilled records, ${total('FILE_BYTES_WRITTEN')} bytes to local disks`);
});

await part('the reduces’ input', async () => {
  const { counters = [], reduceInput: from } = (await cluster.told(sorted.id)) ?? {};
  const shuffled = counters.find((c) => c.name === 'REDUCE_SHUFFLE_BYTES')?.total;
  const sum = from ? from.memoryBytes + from.diskBytes + from.networkBytes : 0;
  check(sum > 0 && sum <= shuffled, `${sum} of ${shuffled} bytes shuffled are told: ${JSON.stringify(from)}`);
  await page.goto(`${address}#/jobs?job=${sorted.id}&${span}`);
  const bar = page.locator('.split');
  await bar.waitFor();
  const said = (await bar.getAttribute('aria-label')).split('; ').map((text) => text.split(',')[0]);
  const own = [`Memory ${bytes(from.memoryBytes)}`, `Disk ${bytes(from.diskBytes)}`, `Network ${bytes(from.networkBytes)}`];
  check(own.every((text) => said.includes(text)), `the page says them: ${said.join(', ')}`);
});

// --- A cache eviction --------------------------------------------------------------------------------------------------

await part('the cache', async () => {
  for (const name of ['a', 'b']) {
    const made = await job('randomtextwriter', ...small, '-Dmapreduce.randomtextwriter.totalbytes=41943040', '-Dmapreduce.randomtextwriter.bytespermap=20971520', '-outFormat', 'org.apache.hadoop.mapreduce.lib.output.TextOutputFormat', `${tag}/${name}`);
    check(made.code === 0, `40 MB of text in ${name}`);
  }
  const datasets = async () => (await api('cache/datasets')).sets;
  const set = async (name) => (await datasets()).find((s) => s.path === `${tag}/${name}`);
  const slave = async () => (await api('cache')).slaves[0].cache;
  const before = await slave();
  await page.goto(`${address}#/cache?range=15m`);
  const sets = page.locator('section[aria-label="Data sets"]');
  const row = (name) => sets.locator('tbody tr', { has: page.locator(`button[aria-label="Evict ${tag}/${name}"]`) });
  const told = async (name) => (await row(name).innerText()).replaceAll(/\s+/g, ' ');
  // Sorted by path, what belongs to this run is in sight whatever is cached of it.
  await sets.getByRole('button', { name: 'Path', exact: true }).click();
  check((await wordcount('a', 'count0')).code === 0, 'wordcount of a');
  const cached = await until('the page shows a in the cache as the NameNode does', 180, async () => {
    const [text, a] = [await told('a'), await set('a')];
    return a?.cachedBlocks > 0 && (await slave()).fillsWaiting === 0 && text.includes(` ${a.cachedBlocks} / ${a.blocks} `) && text;
  });
  check(cached, `the page shows a in the cache: ${cached}`);
  check((await wordcount('a', 'count1')).code === 0, 'wordcount of a once more');
  const ofB = wordcount('b', 'count2');
  const displaced = await until('the page says that b displaced a', 300, async () => {
    const text = await told('a');
    const a = await set('a');
    return text.includes(`displaced by ${tag}/b`) && a?.evictedFor === 'DISPLACED' && text;
  });
  check(displaced, `the page shows why a had to leave: ${displaced}`);
  check((await ofB).code === 0, 'wordcount of b');
  for (const [n, name] of ['b', 'a'].entries()) check((await wordcount(name, `count${3 + n}`)).code === 0, `wordcount of ${name}`);
  const after = await until('copies are evicted', 120, async () => {
    const now = await slave();
    return (now.evictions.ordered ?? 0) > (before.evictions.ordered ?? 0) && now.fillsWaiting === 0 && now;
  });
  const evicted = await until('the page counts the evicted copies', 60, async () => {
    const n = Object.values((await slave()).evictions).reduce((a, b) => a + b, 0);
    return (await page.locator('section[aria-label=Slaves] tbody tr').first().locator('td').nth(6).innerText()) === n.toLocaleString('en-US') && n;
  });
  check(after?.hits > before.hits && evicted, `the cache served ${after?.hits - before.hits} blocks to these jobs and evicted ${(after?.evictions.ordered ?? 0) - (before.evictions.ordered ?? 0)} copies; the page counts ${evicted} in all`);
  const same = await until('the page’s data sets are those of "hdfs mpcache -datasets"', 120, async () => {
    const cli = (await cluster.mpcache('-datasets')).dataSets.map((s) => `${s.path} ${s.cachedBlocks}`);
    const listed = (await datasets()).filter((s) => s.cachedBlocks > 0).map((s) => `${s.path} ${s.cachedBlocks}`);
    if (cli.join() !== listed.join()) return null;
    const shown = (await rowsOf(page, sets.locator('.rows'))).map((row) => `${row[0]} ${row[2].split(' ')[0]}`);
    return cli.every((s) => shown.includes(s)) && cli;
  });
  check(same, `data sets are those of "hdfs mpcache -datasets": ${same?.length}`);
  await page.getByRole('button', { name: 'simulate the recorded reads' }).click();
  await page.waitForSelector('section[aria-label="What if"] tbody td');
  check((await page.locator('section[aria-label="What if"] tbody tr').count()) === 12, `what-if shows four policies at three sizes, from ${await page.locator('section[aria-label="What if"] .head small').innerText()}`);
});

// --- A job beside its earlier runs -------------------------------------------------------------------------------------

await part('earlier runs', async () => {
  const words = (await api('jobs')).jobs.filter((row) => row.job.name === 'word count' && row.job.finishedMs > 0);
  await page.goto(`${address}#/jobs?job=${words[0].job.id}&from=${words[0].job.startedMs}&to=${words[0].job.finishedMs}`);
  const rows = page.locator('section[aria-label="Earlier runs"] tbody tr');
  check(await until('earlier runs are shown', 120, async () => (await rows.count()) >= 5), 'the last word count stands beside four earlier ones, at least');
});

// --- Pictures ----------------------------------------------------------------------------------------------------------

const PAGES = {
  overview: '#/overview?range=15m',
  memory: `#/memory?${span}&node=${at}`,
  'memory-by-job': `#/memory?range=15m&node=${at}&by=job`,
  queues: `#/queues?${span}&node=${at}`,
  cache: '#/cache?range=15m',
  jobs: '#/jobs',
  job: `#/jobs?job=${sorted.id}&${span}`,
  nodes: '#/nodes',
  node: `#/nodes?node=${at}`,
  configuration: `#/nodes?node=${at}&view=configuration`,
};
if (pictures) await part('the pictures', async () => {
  mkdirSync(pictures, { recursive: true });
  // Something runs while the pictures are taken.
  const busy = terasort('again');
  await until('it holds memory', 120, async () => (await api('overview')).jobs.some((row) => row.use.some((n) => n > 0)));
  for (const theme of ['light', 'dark']) {
    const other = await open({ colorScheme: theme });
    await login(other.context, loginFile);
    other.context.setDefaultTimeout(90_000);
await login(context, loginFile);
    const view = await other.context.newPage();
    for (const [name, hash] of Object.entries(PAGES)) {
      await view.goto(address + hash);
      await view.reload();
      // Complete, and for a second: parts of a page ask for their data when the page has its own.
      await view.waitForFunction(() => {
        const main = document.querySelector('main');
        const complete = /^live/.test(document.querySelector('.status')?.textContent ?? '') && main.querySelector('.stats, figure, .rows') && !/Loading\.|Waiting for/.test(main.innerText);
        window.completeSince = complete ? (window.completeSince ?? performance.now()) : undefined;
        return complete && performance.now() - window.completeSince > 1000;
      });
      if (name === 'cache') {
        await view.getByRole('button', { name: 'simulate the recorded reads' }).click();
        await view.waitForSelector('section[aria-label="What if"] tbody td');
      }
      await view.evaluate(() => window.scrollTo(0, 0));
      await view.screenshot({ path: join(pictures, `${name}-${theme}.png`), fullPage: true });
    }
    await other.close();
  }
  check((await busy).code === 0, `pictures of ${Object.keys(PAGES).length} pages, light and dark`);
});

// --- Actions -----------------------------------------------------------------------------------------------------------

const orders = page.locator('section[aria-label=Actions]');
const sets = page.locator('section[aria-label="Data sets"]');
const said = async (section, press, pattern, what) => {
  await press();
  const status = section.locator('p[role=status]').first();
  const good = await until(what, 90, async () => pattern.test(await status.innerText()));
  check(good, `${what}: ${await status.innerText()}`);
};
const engines = async () => Object.values(await mammoth('-status')).flatMap((n) => n.engines).map((e) => e.engineId);
const press = (section, name) => () => section.getByRole('button', { name, exact: true }).first().click();
await part('orders to the node', async () => {
  await page.goto(`${address}#/nodes?node=${at}`);
  await orders.waitFor();
  const before = await engines();
  await said(orders, press(orders, 'recycle'), /takes? no more tasks.*a new engine is starting/, 'recycle');
  const after = await until('the engine’s successor is up and it is gone', 180, async () => {
    const now = await engines();
    return now.length > 0 && now.every((id) => !before.includes(id)) && now;
  });
  check(after !== null, `"mammoth engine -status" knows the successor: ${after}`);
  check(await until('the page shows the successor', 60, async () => (await page.locator(`section[aria-label="Engine ${after?.[0]}"]`).count()) === 1), 'and the page shows it');
  await said(orders, press(orders, 'drain'), /takes? no more tasks.*the next task starts a new one/, 'drain');
  check(await until('the drained engine has ended', 180, async () => !(await engines()).some((id) => after.includes(id))), 'the drained engine has ended');
  await said(orders, press(orders, 'switch off'), /mammoth.engine.enabled is switched off/, 'switch off');
  const outside = await wordcount('a', 'outside');
  check(outside.code === 0, 'a job without engines ran');
  const { tasks } = (await cluster.told(outside.id)) ?? { tasks: [] };
  check(tasks.length > 0 && tasks.every((t) => t.where === 'container' && t.reason.includes('is switched off on this node')), `its ${tasks.length} tasks are told as containers, with the reason`);
  await page.goto(`${address}#/jobs?job=${outside.id}`);
  const rows = page.locator('section[aria-label=Tasks] tbody tr');
  check(await until('the page shows its tasks', 60, async () => (await rows.filter({ hasText: 'is switched off on this node' }).count()) === tasks.length), 'and shown so');
  await page.goto(`${address}#/nodes?node=${at}`);
  await said(orders, press(orders, 'switch on'), /mammoth.engine.enabled is switched on/, 'switch on');
  const inside = await wordcount('a', 'inside');
  check(inside.code === 0 && (await engines()).length > 0, 'the next job has an engine again');
  await page.getByLabel('Acceleration').selectOption('mammoth.appmaster.warm');
  await said(orders, press(orders, 'switch off'), /mammoth.appmaster.warm is switched off/, 'switch off standing ApplicationMasters');
  await said(orders, press(orders, 'switch on'), /mammoth.appmaster.warm is switched on/, 'switch them on');
  await page.getByLabel('Acceleration').selectOption('mammoth.shuffle.push.enabled');
  await said(orders, press(orders, 'switch off'), /each job's own configuration/, 'what cannot be switched says why');
  const [download] = await Promise.all([page.waitForEvent('download'), press(orders, 'support bundle')()]);
  check(/^mammoth-.*\.zip$/.test(download.suggestedFilename()), `a support bundle is saved: ${download.suggestedFilename()}`);
});
await part('orders to the cache', async () => {
  const b = async () => (await api('cache/datasets')).sets.find((s) => s.path === `${tag}/b`);
  await page.goto(`${address}#/cache`);
  await sets.getByRole('button', { name: 'Path', exact: true }).click();
  await sets.locator('input[placeholder="/absolute/path"]').fill(`${tag}/b`);
  const form = sets.locator('form');
  await said(sets, press(form, 'pin'), /Pinned until the NameNode restarts/, 'pin');
  await said(sets, press(form, 'warm'), /blocks .* are proposed/, 'warm');
  check(await until('the data set is there, pinned', 120, async () => ((s) => s?.pinned && s.cachedBlocks === s.blocks)(await b())), 'the data set is in the cache, whole and pinned');
  check(await until('the page shows the pin', 60, async () => (await sets.locator(`button[aria-label="Unpin ${tag}/b"]`).count()) === 1), 'and the page shows so');
  await said(sets, () => sets.locator(`button[aria-label="Unpin ${tag}/b"]`).click(), /No longer pinned/, 'unpin');
  await said(sets, press(form, 'evict'), /copies leave/, 'evict');
  check(await until('the data set is gone', 120, async () => !((await b())?.cachedBlocks > 0)), 'the data set has left the cache');
  const row = sets.locator('tbody tr', { has: page.locator(`button[aria-label="Evict ${tag}/b"]`) });
  check(await until('the page says that it was ordered', 60, async () => (await row.innerText()).includes('evicted by order')), 'and the page says that it was ordered');
  const missing = await fetch(`${address}api/v1/cache/actions/warm?path=/no/such`, { method: 'POST', headers: { 'X-XSRF-HEADER': 'x', Cookie: await session(loginFile) } });
  check(missing.status === 404, `warming what is not there is answered with ${missing.status}: ${(await missing.json()).error}`);
});

check(errors.length === 0, `no error in the browser ${errors.slice(0, 3).join(' | ')}`);
await close();
process.exit(ended());
