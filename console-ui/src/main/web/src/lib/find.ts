// SPDX-License-Identifier: Apache-2.0
/** The search for anything: pages, nodes, jobs, queues. */
import { change, PAGES, type Address, type Page } from './address';
import type { JobRow, NodeRow } from './types';

export interface Hit {
  kind: string;
  name: string;
  note: string;
  href: string;
}

const MOST_EACH = 8;

/** How well a text fits: 0 as it is, 1 at its beginning, 2 at a word's, 3 within; null not at all. */
export function fit(text: string, words: string): number | null {
  const [a, b] = [text.toLowerCase(), words.toLowerCase()];
  if (a === b) {
    return 0;
  }
  const at = a.indexOf(b);
  if (at < 0) {
    return null;
  }
  return at === 0 ? 1 : /[^a-z0-9]/.test(a[at - 1] ?? '') ? 2 : 3;
}

/** The best hits, those that fit best first within each kind; none for an empty text but the pages. */
export function find(words: string, of: { address: Address; titles: Record<Page, string>; nodes: NodeRow[]; jobs: JobRow[] }): Hit[] {
  const { address, titles } = of;
  const pages = PAGES.map((page): [Hit, string[]] => [{ kind: 'page', name: titles[page], note: '', href: change(address, { page }) }, [titles[page]]]);
  if (!words.trim()) {
    return pages.map(([hit]) => hit);
  }
  const jobs = of.jobs.map(({ job }): [Hit, string[]] => [
    { kind: 'job', name: job.id, note: `${job.name} of ${job.user}, ${(job.finishedMs ? job.finalStatus : job.state).toLowerCase()}`, href: change(address, { page: 'jobs', pick: { job: job.id } }) },
    [job.id, job.application, job.name, job.user, job.queue],
  ]);
  const nodes = of.nodes.map((node): [Hit, string[]] => [
    { kind: 'node', name: node.id, note: `${node.rack} ${node.yarnState.toLowerCase()}`.trim(), href: change(address, { page: 'nodes', pick: { node: node.id } }) },
    [node.id, node.host, node.rack],
  ]);
  return [pages, nodes, jobs].flatMap((some) => best(some, words.trim()));
}

function best(some: [Hit, string[]][], words: string): Hit[] {
  return some
    .map(([hit, texts]): [Hit, number] => [hit, Math.min(...texts.map((text) => fit(text, words) ?? Infinity))])
    .filter(([, rank]) => rank < Infinity)
    .sort(([, a], [, b]) => a - b)
    .slice(0, MOST_EACH)
    .map(([hit]) => hit);
}
