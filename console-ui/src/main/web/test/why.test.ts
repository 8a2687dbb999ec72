// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { DataSet } from '../src/lib/types';
import { departures, evicted, why } from '../src/ui/why';

const set: DataSet = {
  path: '/a',
  blocks: 4,
  bytes: 400,
  cachedBlocks: 4,
  copyBytes: 400,
  accesses: 2,
  hits: 4,
  priority: 5,
  pinned: false,
  admission: 'PROFITABLE',
  evictedFor: '',
  displacedBy: '',
};

describe('why a data set is in the cache or not', () => {
  it('says what admitted a complete one, whatever it lost before', () => {
    expect(why({ ...set, evictedFor: 'LOST' })).toBe('worth more than what it displaced');
  });
  it('says what took copies of one in part', () => {
    expect(why({ ...set, cachedBlocks: 1, evictedFor: 'SPACE_TAKEN' })).toBe('worth more than what it displaced; evicted for localized data');
  });
  it('names the set that took the place of one that is gone', () => {
    expect(why({ ...set, cachedBlocks: 0, evictedFor: 'DISPLACED', displacedBy: '/b' })).toBe('displaced by /b');
  });
  it('shows a reason it does not know as it came', () => {
    expect(why({ ...set, admission: 'OTHER_RULE' })).toBe('other rule');
  });
});

describe('what has left a slave', () => {
  const evictions = { ordered: 7, lost: 0, corrupt: 1, other_reason: 2 };
  it('counts all of it', () => {
    expect(evicted(evictions)).toBe(10);
    expect(evicted({})).toBe(0);
  });
  it('says the reasons that happened', () => {
    expect(departures(evictions)).toBe('7 displaced or evicted by order, 1 corrupt, 2 other reason');
  });
});
