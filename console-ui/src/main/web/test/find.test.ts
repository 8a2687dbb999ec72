// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { PAGES, parse, type Page } from '../src/lib/address';
import { find, fit } from '../src/lib/find';
import type { JobRow, NodeRow } from '../src/lib/types';

const titles = Object.fromEntries(PAGES.map((page) => [page, page])) as Record<Page, string>;
const node = (id: string, rack = '/r1') => ({ id, host: id.split(':')[0], rack, yarnState: 'RUNNING', reach: 'OK', reason: '', version: '', values: [] }) as unknown as NodeRow;
const job = (id: string, name: string, user = 'ada') => ({ job: { id, application: id.replace('job', 'application'), name, user, queue: 'q', finishedMs: 0, state: 'RUNNING', finalStatus: '' } }) as unknown as JobRow;
const of = { address: parse('#/memory?node=a'), titles, nodes: [node('n1:8042'), node('n12:8042', '/r2')], jobs: [job('job_1_0001', 'word count'), job('job_1_0002', 'PageRank')] };

describe('search', () => {
  it('takes what fits best first', () => {
    expect([fit('word count', 'Word Count'), fit('word count', 'word'), fit('word count', 'count'), fit('word count', 'ord'), fit('word count', 'x')]).toEqual([0, 1, 2, 3, null]);
    expect(find('n1', of).map((hit) => hit.name)).toEqual(['n1:8042', 'n12:8042']);
  });
  it('finds jobs by what they are called, whose they are and as which application', () => {
    expect(find('rank', of).map((hit) => hit.name)).toEqual(['job_1_0002']);
    expect(find('ada', of)).toHaveLength(2);
    expect(find('application_1_0001', of).map((hit) => hit.href)).toEqual(['#/jobs?job=job_1_0001']);
  });
  it('finds a rack’s nodes and leads to them', () => {
    expect(find('/r2', of).map((hit) => hit.href)).toEqual(['#/nodes?node=n12%3A8042']);
  });
  it('offers the pages when nothing is asked for', () => {
    expect(find(' ', of)).toHaveLength(PAGES.length);
    expect(find('nothing has this name', of)).toEqual([]);
  });
});
