// SPDX-License-Identifier: Apache-2.0
// What the page costs a browser: node e2e/cost.mjs ADDRESS [SECONDS] reads the overview, the memory page and the list of nodes for so long
// each, and prints the heap after a collection, the time of its main thread, and what came over the network.
import { open } from './browser.mjs';

const [address, seconds = '20'] = process.argv.slice(2);
const browser = await open();
const page = await browser.context.newPage();
const devtools = await browser.context.newCDPSession(page);
await devtools.send('Performance.enable');
await devtools.send('Network.enable');
let received = 0;
devtools.on('Network.dataReceived', (event) => { received += event.encodedDataLength || event.dataLength; });
const metrics = async () => {
  const { metrics: all } = await devtools.send('Performance.getMetrics');
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
};
for (const path of ['overview', 'memory', 'nodes']) {
  await page.goto(`${address}#/${path}`);
  await page.waitForTimeout(5000);
  received = 0;
  const before = await metrics();
  await page.waitForTimeout(Number(seconds) * 1000);
  const bytes = received;
  const after = await metrics();
  await devtools.send('HeapProfiler.collectGarbage');
  const { JSHeapUsedSize: heap, Nodes: nodes } = await metrics();
  const busy = (after.TaskDuration - before.TaskDuration) / Number(seconds);
  console.log(`${path}: heap ${(heap / 2 ** 20).toFixed(0)} MiB, ${nodes} nodes of the document, main thread ${(100 * busy).toFixed(1)} % busy, `
    + `${(bytes / Number(seconds) / 1000).toFixed(0)} kB/s received`);
}
await browser.close();
