// SPDX-License-Identifier: Apache-2.0
import { afterEach, describe, expect, it } from 'vitest';
import { clock, moment } from '../src/lib/format';
import { choose, chosenZone, isZone, LOCAL, zones } from '../src/lib/zone';

afterEach(() => choose(LOCAL));

describe('times by a chosen clock', () => {
  it('are those that the zone has, in any zone and year', () => {
    let seed = 7;
    const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
    const all = zones();
    for (let round = 0; round < 400; round++) {
      const zone = all[random(all.length)] ?? 'UTC';
      const ms = 946_684_800_000 + random(1_000_000) * 1_000_003;
      choose(zone);
      const said = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(ms);
      expect(moment(ms), zone).toBe(said);
    }
  });
  it('change with summer time', () => {
    choose('Europe/Berlin');
    const change = Date.UTC(2026, 2, 29, 1);
    expect(clock(change - 1000)).toBe('01:59:59');
    expect(clock(change)).toBe('03:00:00');
  });
  it('are the browser’s where the name is no zone’s', () => {
    choose('Atlantis/Capital');
    expect(chosenZone()).toBe(LOCAL);
    expect(isZone('Atlantis/Capital')).toBe(false);
    const d = new Date(1_700_000_000_000);
    expect(clock(d.getTime())).toBe(d.toTimeString().slice(0, 8));
  });
});
