// SPDX-License-Identifier: Apache-2.0
// screenshots.mjs ADDRESS FOLDER [LOGIN] : pictures of every page, light and dark, of the console at ADDRESS; LOGIN is its file with the
// address of an administrator's session.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { login, open } from './browser.mjs';

const [address, folder, loginFile] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const nodes = (await (await fetch(`${address}api/v1/nodes`)).json()).nodes.filter((n) => n.reach === 'OK');
const node = encodeURIComponent(nodes[0].id);
const job = 'job_1700000000000_0001';
const PAGES = {
  overview: '#/overview?range=5m',
  memory: `#/memory?range=5m&node=${node}`,
  'memory-by-job': `#/memory?range=5m&node=${node}&by=job`,
  queues: `#/queues?range=5m&node=${node}`,
  cache: '#/cache?range=5m',
  jobs: '#/jobs',
  job: `#/jobs?range=5m&job=${job}`,
  'jobs-found': '#/jobs?range=30d&find=NIGHT&user=carol&sort=-took',
  'jobs-compared': '#/jobs?range=30d&with=job_1700000000000_1007,job_1700000000000_1000',
  'job-failed': '#/jobs?range=30d&job=job_1700000000000_1005',
  saved: '#/jobs?view=saved&range=30d',
  nodes: '#/nodes',
  alerts: '#/alerts?range=5m',
  node: `#/nodes?node=${node}`,
};
for (const theme of ['light', 'dark']) {
  const { context, close } = await open({ colorScheme: theme });
  if (loginFile) await login(context, loginFile);
  const page = await context.newPage();
  for (const [name, hash] of Object.entries(PAGES)) {
    await page.goto(address + hash);
    await page.reload();
    await page.waitForTimeout(2500);
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`), fullPage: true });
  }
  await close();
}
