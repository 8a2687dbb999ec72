// SPDX-License-Identifier: Apache-2.0
// walk.mjs ADDRESS LOGIN : walks through the console at ADDRESS as people do, with eyes, with a keyboard and with a screen reader's rules (axe).
// LOGIN is the file in which the console keeps the address that opens an administrator's session.
// Ends with 0 if all is as it should be, and says what is not.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { login, open } from './browser.mjs';

const [address, loginFile] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const failures = [];
const check = (good, what) => {
  console.log(`${good ? 'ok    ' : 'WRONG '} ${what}`);
  if (!good) failures.push(what);
};
/** Waits until `holds` is true, at most 15 s: a busy machine draws late, and late is not wrong. */
const eventually = async (holds, what) => {
  const end = Date.now() + 15_000;
  let good = await holds();
  while (!good && Date.now() < end) {
    await new Promise((r) => setTimeout(r, 50));
    good = await holds();
  }
  check(good, what());
};
const api = async (path) => (await fetch(`${address}api/v1/${path}`)).json();

const nodes = (await api('nodes')).nodes.filter((n) => n.reach === 'OK' && n.values[0] > 0);
const node = encodeURIComponent(nodes[0].id);
const listedNodes = (await api('nodes')).nodes.length;
const PAGES = [
  '#/overview', `#/memory?node=${node}`, `#/memory?node=${node}&by=job`, `#/queues?node=${node}`, '#/cache',
  '#/jobs', '#/jobs?job=job_1700000000000_0001', '#/jobs?job=job_1700000000000_0002', '#/jobs?job=job_1700000000000_0003', '#/jobs?range=30d&job=job_1700000000000_1005',
  '#/jobs?range=30d&with=job_1700000000000_1007,job_1700000000000_1000', '#/jobs?view=saved&range=30d', '#/nodes', '#/alerts', '#/health', `#/health?node=${node}&heat=cpu`, `#/nodes?node=${node}`, `#/nodes?node=${node}&view=configuration`,
  `#/nodes?node=${node}&view=profile`, '#/nodes?view=differences', '#/nodes?view=recycle',
];

async function audit(page, what) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const found = result.violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(', ')}`);
  check(found.length === 0, `axe finds nothing on ${what}${found.length ? `; it found ${found.join('; ')}` : ''}`);
}

for (const theme of ['light', 'dark']) {
  const { context, close } = await open({ colorScheme: theme });
  await login(context, loginFile);
  const page = await context.newPage();
  const errors = [];
  const strangers = [];
  page.on('pageerror', (e) => errors.push(String(e)));
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
  page.on('request', (r) => !r.url().startsWith(address) && !r.url().startsWith('data:') && strangers.push(r.url()));
  for (const hash of PAGES) {
    await page.goto(address + hash);
    await page.waitForSelector('main h2, main dl', { timeout: 15000 });
    await page.waitForTimeout(700);
    await audit(page, `${hash} (${theme})`);
  }
  check(errors.length === 0, `no error in the browser's log (${theme}) ${errors.slice(0, 3).join(' | ')}`);
  check(strangers.length === 0, `nothing is loaded from elsewhere (${theme}) ${strangers.slice(0, 3).join(' ')}`);
  await close();
}

const { context, close } = await open();

// Who may act only by a claimed name is told how to get further, and is offered nothing that would be refused.
const claimed = await context.newPage();
await claimed.goto(`${address}#/nodes?node=${node}`);
await claimed.waitForSelector('main h2');
check(/only a claimed name.*login-url/.test(await claimed.locator('.unproven').innerText()), 'a session without the token is told where the address with one is');
check((await claimed.locator('section[aria-label=Actions]').count()) === 0, 'and is offered no action');
await audit(claimed, 'a session without the token');
await claimed.close();
await login(context, loginFile);
const page = await context.newPage();

// The first view's weight, as it comes over the wire.
let weight = 0;
for (const file of ['', ...[...(await (await fetch(address)).text()).matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((m) => m[1])]) {
  const { gzipSync } = await import('node:zlib');
  weight += gzipSync(Buffer.from(await (await fetch(address + file)).arrayBuffer())).length;
}
check(weight <= 250_000, `the first view is ${Math.round(weight / 1000)} kB gzip, at most 250`);

// What the page says is what the engines say.
await page.goto(`${address}#/nodes?node=${node}`);
await page.waitForSelector('section[aria-label^="Engine"]');
// The page and this script read at different moments of a number that moves: what the page shows must be what an engine told in the last minute.
const shown = await page.evaluate(async (url) => {
  const told = [];
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    const answer = await (await fetch(url)).json();
    const used = answer.node.sample?.engines[0]?.memory.used;
    if (used !== undefined) told.push(used);
    const text = document.querySelector('section[aria-label^="Engine"] .stat b')?.textContent ?? '';
    const units = ['B', 'KiB', 'MiB', 'GiB'];
    const [n, u] = text.split(' ');
    const said = Number(n) * 1024 ** units.indexOf(u);
    const match = told.find((value) => Math.abs(said - value) <= value / 150);
    if (match !== undefined) return { said, told: match };
    await new Promise((r) => setTimeout(r, 150));
  }
  return { text: document.querySelector('section[aria-label^="Engine"] .stat b')?.textContent, not: told.slice(-5) };
}, `${address}api/v1/nodes/${node}`);
check(shown.told !== undefined, `the node's page shows the engine's own number (${JSON.stringify(shown)})`);

// Revocations happen under pressure; one is in some node's log, with its rule and its victim.
let revoked = false;
for (const candidate of nodes) {
  await page.goto(`${address}#/memory?range=5m&node=${encodeURIComponent(candidate.id)}`);
  const badge = page.locator('.badge.revoke').first();
  if (await badge.waitFor({ timeout: 3000 }).then(() => true, () => false)) {
    revoked = true;
    const row = page.locator('tr', { has: page.locator('.badge.revoke') }).first();
    check(/PRIORITY/.test(await row.innerText()), 'a revocation is shown with its rule');
    await row.locator('a').first().click();
    await page.waitForSelector('.mark', { timeout: 5000 }).catch(() => {});
    check((await page.locator('.mark').count()) === 1 && page.url().includes('at='), 'a decision is linked to its moment in the chart');
    break;
  }
}
check(revoked, 'a revocation was seen');

// With the keyboard alone.
await page.goto(`${address}#/overview`);
await page.reload();
await page.waitForSelector('.heat a');
await page.keyboard.press('Tab');
check((await page.evaluate(() => document.activeElement?.className)) === 'skip', 'Tab first meets the link past the menu');
await page.keyboard.press('Enter');
check((await page.evaluate(() => document.activeElement?.id)) === 'main', 'which leads to the page');
await page.locator('.plot').first().focus();
await page.keyboard.press('ArrowLeft');
await eventually(() => /from=\d+&to=\d+/.test(page.url()), () => `an arrow key pans the chart, and the address has the span (${page.url()})`);
const panned = page.url();
await page.keyboard.press('+');
await eventually(() => page.url() !== panned, () => `a plus sign zooms, and the address has the span (${page.url()})`);
await page.goBack();
await eventually(() => page.url() === panned, () => `the browser goes back one step (${page.url()})`);
await page.locator('.heat a[tabindex="0"]').focus();
await page.keyboard.press('ArrowRight');
const second = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
await page.keyboard.press('Enter');
await eventually(() => second !== null && page.url().includes('node='), () => `Enter on a square opens its node (${second})`);
await page.goto(`${address}#/memory`);
await page.getByRole('button', { name: 'Table' }).first().focus();
await page.keyboard.press('Enter');
const tableRows = page.locator('figure .rows tbody tr');
// The page has just been left and come back to: its chart is empty until the first answer.
await tableRows.nth(2).waitFor({ timeout: 20_000 }).catch(() => {});
check((await tableRows.count()) > 2, 'a chart is there as a table');

// Search for anything, by the key alone.
await page.goto(`${address}#/overview`);
await page.locator('main').focus();
await page.keyboard.press('/');
await page.locator('dialog.search input').waitFor();
await page.keyboard.type(nodes[1].id);
await audit(page, 'the search');
await page.keyboard.press('Enter');
await eventually(() => page.url().includes(`node=${encodeURIComponent(nodes[1].id)}`), () => `search leads to the node that was typed (${page.url()})`);
check((await page.locator('dialog.search').count()) === 0, 'and is closed then');

// Times by another clock, and kept so.
await page.goto(`${address}#/jobs`);
const begun = page.locator('.rows tbody tr td').filter({ hasText: /\d\d-\d\d \d\d:\d\d/ }).first();
await begun.waitFor();
await page.getByLabel('Settings').click();
await page.getByLabel('Time zone').selectOption('UTC');
const utc = await begun.innerText();
await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
const hours = (text) => Number(/ (\d\d):/.exec(text)?.[1]);
await eventually(async () => (hours(await begun.innerText()) - hours(utc) + 24) % 24 === 9, () => `Tokyo is nine hours ahead of ${utc}`);
await page.getByLabel('Time zone').selectOption('local');

// Tables and charts as files.
await page.goto(`${address}#/nodes`);
const csvFile = page.waitForEvent('download');
await page.getByRole('button', { name: 'CSV' }).first().click();
const saved = readFileSync(await (await csvFile).path(), 'utf8').trim().split('\r\n');
check(saved.length === listedNodes + 1 && saved[0].startsWith('Node,State'), `the list of nodes as CSV has a line for each of ${listedNodes}, and its labels: ${saved.length}`);
await page.goto(`${address}#/health`);
const png = page.waitForEvent('download');
await page.getByRole('button', { name: 'PNG' }).first().click();
const picture = readFileSync(await (await png).path());
check(picture.subarray(1, 4).toString() === 'PNG' && picture.length > 2000, `a chart as a picture: ${picture.length} bytes`);

// Orders: asked for first, then said what came of them.
const answers = [];
page.on('dialog', (dialog) => (answers.length === 0 ? dialog.dismiss() : dialog.accept()).then(() => answers.push(dialog.message())));
const posted = [];
page.on('request', (r) => r.method() === 'POST' && posted.push(r.url().slice(address.length)));
await page.goto(`${address}#/nodes?node=${node}`);
const orders = page.locator('section[aria-label=Actions]');
await orders.getByRole('button', { name: 'drain' }).click();
await eventually(() => answers.length === 1, () => 'an order asks first');
check(/Drain all \d+ open engines/.test(answers[0]) && posted.length === 0, `an order that is not confirmed is not sent (${answers[0]})`);
const outcome = async (name, pattern, section = orders) => {
  await section.getByRole('button', { name, exact: true }).first().click();
  const said = section.locator('[role=status].done, [role=status].problem');
  await said.filter({ hasText: pattern }).waitFor({ timeout: 10000 }).catch(() => {});
  check(pattern.test(await said.innerText()), `${name}: ${await said.innerText()}`);
};
await outcome('drain', /takes no more tasks/);
await orders.getByLabel('Acceleration').selectOption('mammoth.shuffle.push.enabled');
await outcome('switch off', /is read from each job/);
check((await orders.locator('[role=status].problem').count()) === 1, 'a refusal looks like one');
await page.goto(`${address}#/cache`);
const sets = page.locator('section[aria-label="Data sets"]');
await sets.locator('tbody td').first().waitFor();
await sets.locator('input[type=text]').fill('/warehouse');
await outcome('pin', /until the NameNode restarts/, sets);
await page.getByRole('button', { name: 'simulate the recorded reads' }).click();
await page.waitForSelector('section[aria-label="What if"] tbody td');
check((await page.locator('section[aria-label="What if"] tbody tr').count()) === 12, 'what-if shows four policies at three sizes');
await audit(page, 'the cache page with what-if');
await page.goto(`${address}#/jobs?job=job_1700000000000_0001`);
await page.waitForSelector('section[aria-label="Earlier runs"] tbody td');
check((await page.locator('section[aria-label="Earlier runs"] tbody tr').count()) === 3, 'a job stands beside its earlier runs');

const reduces = page.locator('section[aria-label="Tasks"] [role=group]');
await reduces.evaluate((box) => (box.scrollTop = box.scrollHeight));
await eventually(async () => /auto: levitated/.test(await reduces.innerText()), () => "each reduce's way of merging is among the tasks");
// Where the reduces' input came from: of all three kinds of job, and of each earlier run.
const cells = async (rows) => (await rows.allInnerTexts()).map((row) => row.split('\t').map((cell) => cell.trim()));
const beside = await cells(page.locator('section[aria-label="Earlier runs"] tbody tr'));
const parted = (row) => row.slice(5, 8).join(' + ');
check(parted(beside[0]) === '10.0 GiB, 63 % + 1.00 GiB, 6.3 % + 5.00 GiB, 31 %' && parted(beside[1]) === '6.00 GiB, 38 % + 5.00 GiB, 31 % + 5.00 GiB, 31 %', `where map output came from stands beside where it came from before: ${parted(beside[0])}, before ${parted(beside[1])}`);
check(parted(beside[2]) === '– + – + –', 'and a run that does not tell has no number');
check(/does not count it/.test(await page.locator('section[aria-label="Earlier runs"] .hint').innerText()), 'but a reason');
const input = page.locator('figure', { has: page.getByRole('heading', { name: "Where the reduces' input came from" }) });
const bar = async () => (await input.locator('.split').getAttribute('aria-label')) ?? '';
check((await bar()) === 'Memory 10.0 GiB, 63 %; Disk 1.00 GiB, 6.3 %; Network 5.00 GiB, 31 %', `the bar says its parts: ${await bar()}`);
const widths = await input.locator('.split span').evaluateAll((parts) => parts.map((part) => part.offsetWidth));
check(widths.length === 3 && Math.abs(widths[0] / widths[2] - 2) < 0.02, `and draws them: ${widths.join(', ')} px`);
const painted = (parts) => parts.map((part) => getComputedStyle(part).background).join();
const [legend, drawn] = [await input.locator('.swatch').evaluateAll(painted), await input.locator('.split span').evaluateAll(painted)];
check(legend === drawn && new Set(drawn.split('rgb(')).size > 3, 'in the colours and patterns of its legend');
await input.getByRole('button', { name: 'Table' }).focus();
await page.keyboard.press('Enter');
const rows = await cells(input.locator('tbody tr'));
check(rows.map((row) => row.slice(0, 3).join(' ')).join('; ') === 'Memory 10.0 GiB 63 %; Disk 1.00 GiB 6.3 %; Network 5.00 GiB 31 %', 'and is there as a table');
await audit(page, 'that table');
await page.goto(`${address}#/jobs?job=job_1700000000000_0002`);
await input.locator('.split span').nth(2).waitFor();
check((await bar()) === 'Memory 4.00 GiB, 25 %; Disk 0 B, 0 %; Network 8.00 GiB, 50 %; Not told 4.00 GiB, 25 %', `what some reduces do not tell is a part: ${await bar()}`);
await page.goto(`${address}#/jobs?job=job_1700000000000_0003`);
const absent = page.locator(`section[aria-label="Where the reduces' input came from"]`);
await absent.waitFor();
check(/16\.0 GiB of map output\. Where it came from is not told/.test(await absent.innerText()) && (await page.locator('.split').count()) === 0, `a job of stock has words, no bar: ${(await absent.innerText()).split('\n').at(-1)}`);

// A job that has ended has its true counts; of its memory, which nobody recorded, it says so.
await page.locator('.stat', { hasText: 'Tasks' }).first().waitFor();
const stats = (await page.locator('.stats').innerText()).replaceAll('\n', ' ');
check(/Tasks 411 403 maps, 8 reduces/.test(stats), `a job that has ended has its true counts: ${stats}`);
check(/Sort – not recorded/.test(stats) && !/ 0 B| Nodes 0/.test(stats), 'and no zero for what was not recorded');
await page.goto(`${address}#/jobs`);
const ended = page.locator('section[aria-label="Jobs of the last day"] tbody tr', { hasText: 'job_1700000000000_0004' });
await eventually(async () => /404\t8\t–/.test(await ended.innerText()), () => 'and so has the list of jobs');

// Each column of the list of jobs that can be sorted by is one by which the console sorts, and its order is the page's.
await page.goto(`${address}#/jobs?range=30d`);
const jobTable = page.locator('table[aria-label="Jobs"]');
await jobTable.locator('tbody td a').first().waitFor();
const jobIds = async () => (await jobTable.locator('tbody td a').allInnerTexts()).filter((text) => /^job_/.test(text));
let listedJobs = { sort: null, status: 0, ids: [] };
const hearJobs = async (r) => {
  if (/api\/v1\/jobs\?/.test(r.url())) {
    listedJobs = { sort: new URL(r.url()).searchParams.get('sort'), status: r.status(), ids: r.ok() ? (await r.json()).jobs.map((row) => row.job.id) : [] };
  }
};
page.on('response', hearJobs);
const sortable = jobTable.locator('th button');
const headers = await sortable.allInnerTexts();
for (const [i, header] of headers.entries()) {
  await sortable.nth(i).click();
  const wanted = () => new URLSearchParams(page.url().split('?')[1]).get('sort');
  const good = async () => listedJobs.sort === wanted() && listedJobs.status === 200 && (await jobIds()).slice(0, 5).join() === listedJobs.ids.slice(0, 5).join();
  await eventually(good, () => `the console sorts jobs by ${header.trim()}, and the page shows its order (${wanted()}: status ${listedJobs.status})`);
}
page.off('response', hearJobs);
check(headers.length === 14, `all ${headers.length} columns of the list of jobs were sorted by`);

// Jobs are found by a part of their name, in any case; ticking two compares them, and the address keeps both.
await page.goto(`${address}#/jobs?range=30d`);
await page.getByRole('searchbox', { name: 'Find' }).fill('NIGHTLY');
await eventually(async () => /find=NIGHTLY/.test(page.url()) && (await page.locator('[aria-label="Jobs"] tbody tr', { hasText: 'nightly report' }).count()) > 2, () => 'jobs are found by a part of their name');
await eventually(async () => (await page.locator('[aria-label="Jobs"] tbody tr', { hasText: 'terasort' }).count()) === 0, () => 'and others are not');
await page.getByRole('checkbox', { name: /^Compare job_/ }).nth(0).check();
await page.getByRole('checkbox', { name: /^Compare job_/ }).nth(1).check();
const comparison = page.locator('section[aria-label="Two jobs compared"]');
await comparison.locator('tbody tr').first().waitFor();
check(/× 1\.0|× 0\.9/.test(await comparison.innerText()) && /with=job_/.test(page.url()), 'two that are ticked are compared');
await page.goto(`${address}#/jobs?range=30d&job=job_1700000000000_1005`);
const failed = page.locator('section[aria-label="Why it failed"]');
await failed.locator('details').nth(3).waitFor();
check(/The last lines of its syslog, from the history server[\s\S]*has 3 columns, not 4/.test(await failed.innerText()), 'a job that failed says why, with the end of a log');
await eventually(async () => /all 3,035/.test(await page.locator('figure', { hasText: 'Attempts over nodes' }).innerText()), () => 'all its attempts are drawn');

// A group of what needs attention leads to all it is about.
await page.goto(`${address}#/overview`);
const group = page.locator('.attention li', { hasText: 'streaming task' });
await group.waitFor();
const named = await group.locator('a').innerText();
await group.locator('a').click();
const only = page.locator('section[aria-label="Nodes"] [role=status]');
await only.waitFor();
const groupRows = page.locator('section[aria-label="Nodes"] tbody tr');
check(named === `${await groupRows.count()} nodes` && (await groupRows.count()) < listedNodes, `${named} of ${listedNodes} are listed: ${await only.innerText()}`);
await audit(page, 'the nodes of a group');
await only.getByRole('link').click();
await eventually(async () => (await groupRows.count()) === listedNodes, () => 'and back to all of them');

// The peaks that were recorded are drawn, and named beside the mean.
const recordedPeaks = async () => (await api(`series?key=cluster&from=${Date.now() - 21_600_000}&to=${Date.now()}`)).times.length;
const minuteEnd = Date.now() + 90_000;
while ((await recordedPeaks()) < 1 && Date.now() < minuteEnd) await page.waitForTimeout(1000);
await page.goto(`${address}#/overview?range=6h`);
await page.reload();
await page.locator('.legend', { hasText: 'peak of leased' }).waitFor({ timeout: 15_000 }).catch(() => {});
const plot = await page.locator('.plot').first().boundingBox();
await page.mouse.move(plot.x + plot.width - 20, plot.y + 60);
const tip = page.locator('.tip');
await tip.waitFor();
check(/mean\s+peak[\s\S]*Leased\s+[\d.]+ GiB\s+[\d.]+ GiB/.test(await tip.innerText()), `the tip names mean and peak: ${(await tip.innerText()).replaceAll(/\s+/g, ' ')}`);
check((await page.locator('.hair').count()) === (await page.locator('.plot').count()) && (await page.locator('.plot').count()) === 3, 'the moment pointed at in one chart is shown in all of them');
check((await tip.count()) === 1, 'and told in that one alone');
await page.getByRole('button', { name: 'Table' }).first().click();
check((await page.locator('th', { hasText: 'Leased, peak' }).count()) === 1, 'and so does the table');
await page.getByRole('button', { name: 'Table' }).first().click();

// What fires is acknowledged through the page; marks on a chart tell by the keyboard what happened.
await page.goto(`${address}#/alerts?range=5m`);
const card = page.locator('section.alert').first();
await card.waitFor();
check(/critical\s+NodeUnreachable/.test(await card.innerText()), 'a node that cannot be read is an alert that says what to do');
check(/^1 critical – /.test(await page.title()), `the tab's title says that something critical fires: ${await page.title()}`);
await card.getByRole('button', { name: 'acknowledge', exact: true }).click();
await page.locator('section.alert', { hasText: 'Taken care of' }).waitFor();
check(/1 alert is acknowledged/.test(await page.locator('p.done').innerText()), `and is acknowledged: ${await page.locator('p.done').innerText()}`);
await page.getByRole('button', { name: 'alerts', exact: true }).click();
await page.locator('section[aria-label="Timeline of events"] td', { hasText: 'alert acknowledged' }).first().waitFor();
check((await page.locator('section[aria-label="Timeline of events"] td', { hasText: 'console started' }).count()) === 0, 'the timeline shows the kinds that are chosen, among them what was just done');
await page.goto(`${address}#/overview?range=5m`);
await page.locator('.marks button').first().waitFor();
await page.locator('.marks button').first().focus();
await page.keyboard.press('ArrowRight');
const marked = (await page.locator('.marks button').count()) > 1 ? 1 : 0;
check(await page.locator('.marks button').nth(marked).evaluate((mark) => mark === document.activeElement), 'arrow keys go from one mark of a chart to the next');
check((await page.locator('.tip.events').innerText()).length > 20, `and its tip tells what happened: ${(await page.locator('.tip.events').innerText()).replaceAll(/\s+/g, ' ')}`);
check(!(await page.evaluate(() => location.hash)).includes('from='), 'without panning the chart');
await audit(page, 'a chart with the tip of a mark');

// A range that stands still leaves the menu on one line, whether it is today's or began last year.
for (const [from, to] of [[Date.now() - 900_000, Date.now() - 600_000], [Date.UTC(2019, 11, 30), Date.now() - 600_000]]) {
  await page.goto(`${address}#/jobs?from=${from}&to=${to}`);
  await page.waitForSelector('.ranges .still');
  const [one, all] = await page.evaluate(() => [document.querySelector('header select').offsetHeight, document.querySelector('header').offsetHeight]);
  check(all < 2 * one, `the menu of 1,280 pixels is one line with "${await page.locator('.ranges .still').innerText()}" (${all} px)`);
}

// An address with nonsense in it.
await page.goto(`${address}#/memory?range=2y&from=5`);
await page.waitForSelector('[role=alert]');
check((await page.locator('[role=alert]').first().innerText()).includes('5'), 'nonsense in the address is named');

// Panning an hour's history: how many frames are drawn a second.
await page.goto(`${address}#/memory?range=1h`);
await page.reload();
await page.waitForSelector('.plot canvas');
await page.waitForTimeout(1000);
const box = await page.locator('.plot').boundingBox();
await page.keyboard.down('Shift');
await page.mouse.move(box.x + 700, box.y + 100);
await page.mouse.down();
const counting = page.evaluate(
  () =>
    new Promise((done) => {
      let frames = 0;
      const start = performance.now();
      const next = () => {
        frames++;
        if (performance.now() - start < 2000) requestAnimationFrame(next);
        else done((1000 * frames) / (performance.now() - start));
      };
      requestAnimationFrame(next);
    }),
);
for (let i = 0; i < 100; i++) {
  await page.mouse.move(box.x + 700 - 4 * i, box.y + 100);
  await page.waitForTimeout(10);
}
const fps = await counting;
await page.mouse.up();
await page.keyboard.up('Shift');
check(fps > 15, `panning draws ${fps.toFixed(0)} frames a second`);

// A console that has no stream left is asked; one that hangs, and one that was restarted, are named, in the tab's title too.
await context.route('**/api/v1/stream', (route) => route.fulfill({ status: 503 }));
await page.goto(`${address}#/overview`);
await page.reload();
await page.locator('header .status', { hasText: 'every 5 s' }).waitFor({ timeout: 15_000 });
const asked = await page.locator('header .status').innerText();
await page.waitForFunction((before) => document.querySelector('header .status').textContent !== before, asked, { timeout: 15_000 });
check((await page.locator('.heat a').count()) > 0, `without a stream the page asks: ${asked}`);
check(await page.evaluate(() => document.querySelector('header').offsetHeight < 2 * document.querySelector('header select').offsetHeight), 'and the menu of 1,280 pixels is one line then too');
await context.unroute('**/api/v1/stream');
const told = await api('overview');
const listed = await api('nodes');
const said = { startedMs: told.startedMs };
await context.route('**/api/v1/stream', (route) =>
  route.fulfill({ contentType: 'text/event-stream', body: `retry: 500\nevent: snapshot\ndata: ${JSON.stringify({ overview: { ...told, ...said }, columns: listed.columns, nodes: listed.nodes })}\n\n` }),
);
await page.reload();
await page.waitForFunction(() => /^\d+ s old – Overview/.test(document.title), null, { timeout: 20_000 });
const hangs = await page.locator('main > .problem').first().innerText();
check(/tells nothing since \d\d:/.test(hangs) && /^\d+ s old$/.test(await page.locator('header .status').innerText()), `a console that hangs: ${hangs} (${await page.title()})`);
await audit(page, 'a console that hangs');
said.startedMs += 5000;
await page.locator('[role=alert]', { hasText: 'was restarted at' }).waitFor({ timeout: 15_000 });
await page.waitForFunction(() => /restarted|old/.test(document.title));
check(true, `a console that was restarted: ${await page.title()}`);
await page.getByRole('button', { name: 'understood' }).click();
check((await page.locator('[role=alert]', { hasText: 'was restarted at' }).count()) === 0, 'which is said until it was read');
await context.unroute('**/api/v1/stream');

// A console that ends in the middle of an answer is an error, and no numbers.
await context.route('**/api/v1/series?**', (route) => route.fulfill({ contentType: 'application/json', body: '{"key":"cluster","columns":["cap' }));
await page.goto(`${address}#/overview?range=1h`);
await page.reload();
const cut = page.locator('main .problem', { hasText: 'cut off' });
await cut.first().waitFor({ timeout: 15_000 });
check((await page.locator('.stats .stat').count()) > 5, `an answer that was cut off is named, and the rest of the page stays: ${await cut.first().innerText()}`);
await context.unroute('**/api/v1/series?**');
// A span that stands still is asked for again after an error, and as long as more of it is to come.
await context.route('**/api/v1/series?**', (route) => route.abort());
await page.goto(`${address}#/overview?from=${Date.now() - 120_000}&to=${Date.now() + 900_000}`);
await page.reload();
await page.locator('main .problem', { hasText: /fetch/i }).first().waitFor({ timeout: 15_000 });
await context.unroute('**/api/v1/series?**');
await page.locator('main .problem', { hasText: /fetch/i }).first().waitFor({ state: 'detached', timeout: 20_000 });
let untilThen = 0;
const hearSeries = (r) => /api\/v1\/series\?/.test(r.url()) && untilThen++;
page.on('request', hearSeries);
await eventually(() => untilThen >= 3, () => `a span that ends in a quarter of an hour goes on after an error, and grows: ${untilThen} more readings`);
page.off('request', hearSeries);
// What cannot be drawn takes neither the menu nor itself away for good.
await context.route('**/api/v1/series?**', (route) => route.fulfill({ contentType: 'application/json', body: '{}' }));
await page.reload();
const undrawn = page.locator('main [role=alert]', { hasText: 'cannot be drawn' });
await undrawn.waitFor({ timeout: 15_000 });
check((await page.locator('header nav a').count()) === 8, `what cannot be drawn is named: ${await undrawn.innerText()}`);
await audit(page, 'a page that cannot be drawn');
await context.unroute('**/api/v1/series?**');
await page.locator('.plot').first().waitFor({ timeout: 20_000 });
check((await undrawn.count()) === 0, 'and is drawn as soon as it can be');

// As after a start: the DataNodes have not told yet. Their space is not 0, and why it is not known is said.
const starting = { ...told, totals: told.totals.map((v, i) => (listed.columns[i] === 'cacheUntold' ? listed.nodes.length : listed.columns[i].startsWith('cache') ? null : v)) };
const unread = listed.nodes.map((n) => ({ ...n, values: n.values.map((v, i) => (listed.columns[i] === 'cacheUntold' ? 1 : listed.columns[i].startsWith('cache') ? null : v)) }));
await context.route('**/api/v1/stream', (route) => route.fulfill({ contentType: 'text/event-stream', body: `event: snapshot\ndata: ${JSON.stringify({ overview: starting, columns: listed.columns, nodes: unread })}\n\n` }));
await page.goto(`${address}#/cache`);
await page.reload();
const space = page.locator('.stat', { hasText: 'SSD space' });
await space.waitFor();
check(/–/.test(await space.innerText()) && !/\b0 B/.test(await page.locator('.stats').innerText()), `SSD space that is not known yet is no zero: ${(await space.innerText()).replaceAll('\n', ' ')}`);
check(/of which no DataNode tells/.test(await page.locator('.untold').innerText()), await page.locator('.untold').innerText());
await audit(page, 'the cache page of a cluster that starts');
await context.unroute('**/api/v1/stream');

// A dead cluster: its masters first, and what nobody tells is not 0. Many nodes with the same trouble are one line.
const dead = { ...told, masters: { 'http://rm:8088': 'connection refused', 'http://nn:9870': '' }, reach: { GONE: 410 }, totals: told.totals.map(() => null), jobs: [],
  attention: [{ cause: 'a', severity: 'bad', subject: 'http://rm:8088', page: 'nodes', text: 'connection refused', count: 1, times: 1 }, { cause: 'b', severity: 'bad', subject: 'n1:8042', page: 'nodes', text: 'Unreachable: refused', count: 410, times: 410 }], attentionGroups: 2 };
await context.route('**/api/v1/stream', (route) => route.fulfill({ contentType: 'text/event-stream', body: `event: snapshot\ndata: ${JSON.stringify({ overview: dead, columns: listed.columns, nodes: [] })}\n\n` }));
await page.goto(`${address}#/overview`);
await page.reload();
const alarm = page.locator('main > [role=alert]').first();
await alarm.waitFor();
check(/^http:\/\/rm:8088 does not do its work/.test(await alarm.innerText()), `dead masters come first: ${await alarm.innerText()}`);
const zeros = (await page.locator('.stats .stat').allInnerTexts()).filter((text) => /\b0 B|\n0\b/.test(text) && !text.startsWith('Nodes\n'));
check(zeros.length === 0, `what nobody tells is not 0 ${zeros.join('; ').replaceAll('\n', ' ')}`);
check(/410 nodes/.test(await page.locator('.attention').innerText()), 'what many nodes have is one line with their number');
await audit(page, 'the dead cluster');
await context.unroute('**/api/v1/stream');

// A cluster without nodes, and a console that does not answer.
await context.route('**/api/v1/stream', (route) =>
  route.fulfill({
    contentType: 'text/event-stream',
    body: `event: snapshot\ndata: ${JSON.stringify({ overview: { sequence: 1, startedMs: 1, timeMs: Date.now(), masters: { 'http://rm:8088': 'connection refused' }, reach: {}, totals: [], jobs: [], attention: [], attentionGroups: 0, cache: null, trouble: '' }, columns: [], nodes: [] })}\n\n`,
  }),
);
await page.goto(`${address}#/overview`);
await page.reload();
await page.waitForSelector('.welcome');
check((await page.locator('.welcome').innerText()).includes('connection refused'), 'a cluster that cannot be reached says why');
await audit(page, 'the empty cluster');
await context.unroute('**/api/v1/stream');
await context.route('**/api/**', (route) => route.abort());
await page.reload();
await page.waitForSelector('.welcome');
check((await page.locator('.welcome').innerText()).includes('cannot be reached'), 'a console that is gone is named');
await audit(page, 'the unreachable console');
await close();

if (failures.length > 0) {
  console.log(`${failures.length} wrong`);
  process.exit(1);
}
