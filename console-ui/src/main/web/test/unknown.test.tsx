// SPDX-License-Identifier: Apache-2.0
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Tip } from '../src/charts/Tip';
import { bytes } from '../src/lib/format';
import { lacking, NOTHING, total, withSnapshot } from '../src/lib/live';
import type { NodeRow, Overview } from '../src/lib/types';
import { Stat } from '../src/ui/parts';

const columns = ['used', 'cacheTotal', 'enginesUntold', 'cacheUntold'];
const row = (id: string, reach: string, values: NodeRow['values']): NodeRow => ({ id, host: id, rack: '', yarnState: '', version: '', reach, reason: '', values });
const live = (totals: NodeRow['values'], ...nodes: NodeRow[]) => withSnapshot(NOTHING, { overview: { totals } as unknown as Overview, columns, nodes }, 1);

test('a total that nobody tells is a dash with its reason, not 0', () => {
  const start = live([8, null, 0, 2], row('a', 'OK', [4, null, 0, 1]), row('b', 'NEW', [4, null, 0, 1]));
  const { figure, why } = total(start, 'cacheTotal');
  expect(figure).toBeNull();
  expect(why).toBe('not known of 2 of 2 nodes: 1 of which no DataNode tells, 1 not read yet');
  const page = renderToStaticMarkup(<Stat label="SSD space" value={bytes(figure)} of={[figure, 8]} why={why} />);
  expect(page).toContain('–');
  expect(page).toContain(`title="${why}"`);
  expect(page).not.toMatch(/0 B|class="bar"/);
  expect(total(start, 'used')).toEqual({ figure: 8, why: '' });
});

test('a total of a part of the nodes says of which it is without', () => {
  const ill = live([8, 9, 1, 0], row('a', 'OK', [8, 9, 0, 0]), row('b', 'GONE', [null, null, 1, 0]), row('c', 'STOCK', [null, null, 0, 0]));
  expect(total(ill, 'used')).toEqual({ figure: 8, why: 'without 1 of 3 nodes: 1 unreachable' });
  expect(lacking(ill, 'cache')).toBe('');
});

test('a cluster without a cache has none, which is not 0 either', () => {
  const none = live([8, null, 0, 0], row('a', 'OK', [8, null, 0, 0]));
  expect(total(none, 'cacheTotal')).toEqual({ figure: null, why: 'no node has an SSD cache that is known' });
});

test('before the first moment has come, nothing is said of the cluster', () => {
  const early = { ...live([8, null, 0, 0]), overview: null };
  expect(total(early, 'cacheTotal')).toEqual({ figure: null, why: 'nothing has been heard from the console yet' });
});

test('the tip of a chart names the peak beside the mean, and neither where it is not known', () => {
  const rows = [
    { name: 'used', label: 'Leased', color: '--rss', values: [2048, null], peaks: [4096, null] },
    { name: 'cap', label: 'Configured', color: '--cap', values: [8192, 8192] },
  ];
  const tip = (index: number) => renderToStaticMarkup(<Tip time={0} index={index} rows={rows} format={bytes} left={false} x={0} />);
  expect(tip(0)).toMatch(/mean.*peak.*Leased.*2\.00 KiB.*4\.00 KiB.*Configured.*8\.00 KiB/);
  const lacks = renderToStaticMarkup(<Tip time={0} index={0} rows={rows} format={bytes} left={false} x={0} untold={2} />);
  expect(lacks).toContain('without up to 2 nodes');
  expect(tip(0)).not.toContain('without');
  expect(tip(1)).toMatch(/Leased<\/td><td class="n">–<\/td><td class="n">–/);
  expect(renderToStaticMarkup(<Tip time={0} index={0} rows={rows.slice(1)} format={bytes} left={false} x={0} />)).not.toContain('peak');
});
