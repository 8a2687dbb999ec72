// SPDX-License-Identifier: Apache-2.0
import type { DataSet } from '../lib/types';

const ADMISSIONS: Record<string, string> = {
  FITS: 'there was room for all of it',
  PROFITABLE: 'worth more than what it displaced',
  PINNED: 'pinned',
  ALWAYS: 'the policy admits everything',
  NOT_RECORDED: 'read for the first time while the cache was full',
  NOT_PROFITABLE: 'worth no more than what it would displace',
  TOO_LARGE: 'larger than the cache',
  NO_ROOM: 'no room on the node of a block',
  EXCLUDED: 'its path is excluded',
};

const DEPARTURES: Record<string, string> = {
  DISPLACED: 'displaced',
  SPACE_TAKEN: 'evicted for localized data',
  ORDERED: 'evicted by order',
  LOST: 'copies were lost or their files changed',
};

/** What a slave counts, by its own words. */
const LEFT: Record<string, string> = {
  ordered: 'displaced or evicted by order',
  lost: 'lost',
  corrupt: 'corrupt',
  replica_changed: 'of changed files',
};

/** Copies that have left a slave, whatever the reason. */
export function evicted(evictions: Record<string, number>): number {
  return Object.values(evictions).reduce((sum, n) => sum + n, 0);
}

/** Why they left, the reasons that happened only. */
export function departures(evictions: Record<string, number>): string {
  return Object.entries(evictions)
    .filter(([, n]) => n > 0)
    .map(([reason, n]) => `${n} ${LEFT[reason] ?? reason.replaceAll('_', ' ')}`)
    .join(', ');
}

/** What the admission control said, for people. */
export function admissionText(reason: string): string {
  return ADMISSIONS[reason] ?? reason.toLowerCase().replaceAll('_', ' ');
}

/** Why a data set is in the cache, in part, or not: the last admission, and what took copies away. */
export function why(set: DataSet): string {
  const admitted = set.admission ? admissionText(set.admission) : '';
  if (!set.evictedFor || set.cachedBlocks >= set.blocks) {
    return admitted;
  }
  const left = (DEPARTURES[set.evictedFor] ?? set.evictedFor.toLowerCase()) + (set.displacedBy ? ` by ${set.displacedBy}` : '');
  return set.cachedBlocks > 0 ? `${admitted}; ${left}` : left;
}
