// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { bytes, count, minus, percent, plus, rate, shortAttempt, span, stretch, timeToEmpty } from '../src/lib/format';

describe('numbers for people', () => {
  it('gives bytes three digits and a unit', () => {
    expect(bytes(0)).toBe('0 B');
    expect(bytes(1023)).toBe('1023 B');
    expect(bytes(1024)).toBe('1.00 KiB');
    expect(bytes(12.5 * 2 ** 20)).toBe('12.5 MiB');
    expect(bytes(640 * 2 ** 30)).toBe('640 GiB');
    expect(bytes(-2048)).toBe('−2.00 KiB');
  });
  it('writes what nobody tells as a dash, in every unit', () => {
    for (const write of [bytes, count, rate, span]) {
      expect(write(null)).toBe('–');
      expect(write(undefined)).toBe('–');
      expect(write(0)).toMatch(/^0/);
    }
    expect(percent(null, 3)).toBe('–');
    expect(plus(1, null)).toBeNull();
    expect(plus(1, 2)).toBe(3);
    expect(minus(null, 2)).toBeNull();
  });
  it('says nothing of a share of nothing', () => {
    expect(percent(0, 0)).toBe('–');
    expect(percent(1, 3)).toBe('33 %');
    expect(percent(1, 300)).toBe('0.3 %');
  });
  it('names spans of time by their two largest units', () => {
    expect(span(340)).toBe('340 ms');
    expect(span(2400)).toBe('2.4 s');
    expect(span(200_000)).toBe('3 min 20 s');
    expect(span(7_500_000)).toBe('2 h 5 min');
    expect([span(-300_000), span(-0.2)]).toEqual(['−5 min 0 s', '0 ms']);
  });
  it('tells a queue that stands still from an empty one', () => {
    expect(timeToEmpty(0, 0)).toBe(0);
    expect(timeToEmpty(100, 0)).toBeNull();
    expect(timeToEmpty(100, 50)).toBe(2000);
  });
  it('shortens attempts only', () => {
    expect(shortAttempt('attempt_1700000000000_0001_m_000007_0')).toBe('0001 m 7 #0');
    expect(shortAttempt('elements')).toBe('elements');
    expect(shortAttempt('master_of_1700000000000_0001_01_000001')).toBe('master_of_1700000000000_0001_01_000001');
  });
  it('says no more of a stretch of time than is needed', () => {
    const at = (day: number, hour: number, year = 2026) => new Date(year, 10, day, hour, 46, 56).getTime();
    expect(stretch(at(21, 9), at(21, 11), at(21, 12))).toBe('09:46:56 – 11:46:56');
    expect(stretch(at(20, 9), at(20, 11), at(21, 12))).toBe('2026-11-20 09:46:56 – 11:46:56');
    expect(stretch(at(19, 9), at(21, 11), at(21, 12))).toBe('2026-11-19 09:46 – 11-21 11:46');
    expect(stretch(at(19, 9, 2025), at(21, 11), at(21, 12))).toBe('2025-11-19 09:46 – 2026-11-21 11:46');
  });
});
