// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { change, parse } from '../src/lib/address';
import { often, target, whom } from '../src/lib/attention';
import type { Attention } from '../src/lib/types';

const item = (change: Partial<Attention>): Attention => ({ cause: 'c-1', severity: 'bad', subject: 'n1:8042', page: 'nodes', text: 'Unreachable', count: 1, times: 1, atLeast: false, ...change });

test('a group leads to the list of all it is about, whichever page that is', () => {
  expect(target(item({ count: 410 }), true)).toEqual({ page: 'nodes', pick: { cause: 'c-1' } });
  expect(target(item({ count: 3, page: 'queues' }), true)).toEqual({ page: 'queues', pick: { cause: 'c-1' } });
  expect(target(item({ count: 3, page: 'memory' }), true)).toEqual({ page: 'nodes', pick: { cause: 'c-1' } });
  expect(target(item({ count: 3, page: 'health' }), true)).toEqual({ page: 'nodes', pick: { cause: 'c-1' } });
  expect(target(item({ count: 3, page: 'jobs', subject: 'job_1_1' }), false)).toEqual({ page: 'jobs', pick: { cause: 'c-1' } });
  const address = parse(change(parse('#/overview'), target(item({ count: 410 }), true)));
  expect(address).toMatchObject({ page: 'nodes', pick: { cause: 'c-1' }, problems: [] });
});

test('one leads to itself', () => {
  expect(target(item({}), true)).toEqual({ page: 'nodes', pick: { node: 'n1:8042' } });
  expect(target(item({ page: 'jobs', subject: 'job_1_1' }), false)).toEqual({ page: 'jobs', pick: { job: 'job_1_1' } });
  expect(target(item({ subject: 'http://rm:8088' }), false)).toEqual({ page: 'nodes', pick: {} });
});

test('how many and how often are two numbers', () => {
  expect(whom(item({ count: 1410 }))).toBe('1,410 nodes');
  expect(whom(item({}))).toBe('n1:8042');
  expect(often(item({ count: 2, times: 312 }))).toBe('312 times');
  expect(often(item({ count: 1, times: 64, atLeast: true }))).toBe('at least 64 times');
  expect(often(item({ count: 2, times: 2 }))).toBe('');
});
