// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { change, format, parse } from '../src/lib/address';

describe('the address is the state', () => {
  it('comes back as it was', () => {
    for (const hash of ['#/overview', '#/memory?range=1h&node=a%3A1&job=job_1_2&at=1700000000000', '#/nodes?from=1&to=2&sort=-used', '#/jobs?job=j']) {
      expect(format(parse(hash))).toBe(hash);
      expect(parse(hash).problems).toEqual([]);
    }
  });
  it('says what it does not understand, and goes on', () => {
    const address = parse('#/memroy?range=2y&at=soon&color=red');
    expect(address.page).toBe('overview');
    expect(address.range).toEqual({ live: true, name: '15m', spanMs: 900_000 });
    expect(address.problems).toHaveLength(4);
  });
  it('refuses spans that are none', () => {
    for (const query of ['from=2&to=1', 'from=1', 'to=5', 'from=x&to=5', 'from=-4&to=5', 'from=1.5&to=9', 'from=&to=']) {
      expect(parse(`#/memory?${query}`).problems, query).toHaveLength(1);
    }
  });
  it('keeps selections within a page and drops them between pages', () => {
    const address = parse('#/memory?node=n&range=1h');
    expect(change(address, { pick: { job: 'j' } })).toBe('#/memory?range=1h&node=n&job=j');
    expect(change(address, { pick: { node: '' } })).toBe('#/memory?range=1h');
    expect(change(address, { page: 'nodes' })).toBe('#/nodes?range=1h');
  });
  it('survives any text', () => {
    let seed = 7;
    const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648);
    for (let i = 0; i < 500; i++) {
      const text = Array.from({ length: random() % 40 }, () => String.fromCharCode(32 + (random() % 200))).join('');
      expect(parse(format(parse(`#${text}`))).problems).toEqual([]);
    }
  });
});
