// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { TimeCursor } from '../src/lib/cursor';
import { growth } from '../src/lib/screen';

describe('heights of charts and tables', () => {
  it('are as meant in a small window, and grow with a tall one, to a limit', () => {
    expect(growth(600)).toBe(1);
    expect(growth(900)).toBe(1);
    expect(growth(1350)).toBe(1.5);
    expect(growth(2160)).toBe(2.4);
    expect(growth(9000)).toBe(2.4);
  });
});

describe('the moment that is pointed at', () => {
  it('is told to all charts, once', () => {
    const cursor = new TimeCursor();
    const heard: (number | null)[] = [];
    const end = cursor.subscribe(() => heard.push(cursor.get()));
    cursor.set(5);
    cursor.set(5);
    cursor.set(null);
    end();
    cursor.set(7);
    expect(heard).toEqual([5, null]);
  });
});
