// SPDX-License-Identifier: Apache-2.0
import type { Page } from './address';
import { count } from './format';
import type { Attention } from './types';

/** Where what needs attention leads: to the one node or job itself, or to the list of all it is about. */
export function target(item: Attention, node: boolean): { page: Page; pick: Record<string, string> } {
  const page = item.page as Page;
  if (item.count > 1) {
    // Memory and health are of one node at a time; the list of nodes leads on to each.
    return { page: page === 'memory' || page === 'health' ? 'nodes' : page, pick: { cause: item.cause } };
  }
  return { page, pick: page === 'jobs' ? { job: item.subject } : node ? { node: item.subject } : {} };
}

/** Whom it is about. */
export function whom(item: Attention): string {
  return item.count > 1 ? `${count(item.count)} ${item.page === 'jobs' ? 'jobs' : 'nodes'}` : item.subject;
}

/** How often it is so, where that is more than once for each. */
export function often(item: Attention): string {
  return item.times > item.count || item.atLeast ? `${item.atLeast ? 'at least ' : ''}${count(item.times)} times` : '';
}
