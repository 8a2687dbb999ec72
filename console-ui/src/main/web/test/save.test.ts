// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { cell, csv, fileName } from '../src/lib/save';

/** A reader of RFC 4180. */
function read(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let value = '';
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        at += text[at] === '"' ? 1 : 0;
        value += text[at];
      }
      at++;
    } else {
      for (; at < text.length && !',\r'.includes(text[at] ?? ''); at++) value += text[at];
    }
    row.push(value);
    if (text[at] === ',') {
      at++;
    } else {
      at += 2;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

describe('a table as a file', () => {
  it('comes back as it was, whatever is in it', () => {
    const letters = ['a', 'Z', ' ', ',', '"', '\n', '\r', 'é', '7', '.'];
    let seed = 20261129;
    const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
    for (let round = 0; round < 300; round++) {
      const rows = Array.from({ length: 1 + random(4) }, () =>
        Array.from({ length: 3 }, () => `x${Array.from({ length: random(9) }, () => letters[random(letters.length)]).join('')}`),
      );
      expect(read(csv(rows))).toEqual(rows);
    }
  });
  it('leaves unknown numbers empty and keeps others whole', () => {
    expect(csv([[null, 0, 1234567.5, NaN]])).toBe(',0,1234567.5,\r\n');
  });
  it('has nothing that a spreadsheet computes', () => {
    for (const formula of ['=1+1', '+cmd|x', '@sum(a1)', '-1+2', '-x']) {
      expect(cell(formula).replaceAll('"', '')).toMatch(/^'/);
    }
    expect(cell('-12.5')).toBe('-12.5');
    expect(cell('a=b')).toBe('a=b');
  });
  it('is named after what it shows', () => {
    expect(fileName('Memory of /data: “x”', 'csv', new Date(0))).toBe('memory-of-data-x-1970-01-01T000000.csv');
  });
});
