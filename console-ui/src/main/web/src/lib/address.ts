// SPDX-License-Identifier: Apache-2.0
/** The page's state is its address, after the hash: #/memory?node=a:1&range=15m. */

export const PAGES = ['overview', 'memory', 'queues', 'cache', 'jobs', 'nodes', 'health', 'alerts'] as const;
export type Page = (typeof PAGES)[number];

export const RANGES: Record<string, number> = {
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '1d': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
};

/** A range that moves with the present, or one that stands still. */
export type Range = { live: true; name: string; spanMs: number } | { live: false; from: number; to: number };

export interface Address {
  page: Page;
  range: Range;
  /** Selections by name: node, job, by, at, sort, view, cause, heat. */
  pick: Record<string, string>;
  /** What in the address could not be understood. */
  problems: string[];
}

const DEFAULT_RANGE = '15m';
const PICKS = ['node', 'job', 'disk', 'by', 'at', 'sort', 'view', 'find', 'cause', 'heat', 'kinds', 'user', 'queue', 'state', 'offset', 'with'];

export function parse(hash: string): Address {
  const problems: string[] = [];
  const text = hash.replace(/^#\/?/, '');
  const [path = '', query = ''] = text.split('?', 2);
  let page: Page = 'overview';
  if ((PAGES as readonly string[]).includes(path)) {
    page = path as Page;
  } else if (path !== '') {
    problems.push(`There is no page “${path}”.`);
  }
  const params = new URLSearchParams(query);
  const pick: Record<string, string> = {};
  for (const [name, value] of params) {
    if (PICKS.includes(name)) {
      pick[name] = value;
    } else if (!['range', 'from', 'to'].includes(name)) {
      problems.push(`“${name}” means nothing here.`);
    }
  }
  if (pick.at !== undefined && !/^\d{1,15}$/.test(pick.at)) {
    problems.push(`“at=${pick.at}” is no time.`);
    delete pick.at;
  }
  return { page, range: range(params, problems), pick, problems };
}

function range(params: URLSearchParams, problems: string[]): Range {
  const from = params.get('from');
  const to = params.get('to');
  if (from !== null || to !== null) {
    const a = Number(from);
    const b = Number(to);
    if (from && to && Number.isSafeInteger(a) && Number.isSafeInteger(b) && a >= 0 && b > a) {
      return { live: false, from: a, to: b };
    }
    problems.push(`The span from “${from}” to “${to}” is none; showing the last ${DEFAULT_RANGE}.`);
  }
  const name = params.get('range') ?? DEFAULT_RANGE;
  const spanMs = RANGES[name];
  if (spanMs === undefined) {
    problems.push(`“range=${name}” is none of ${Object.keys(RANGES).join(', ')}; showing the last ${DEFAULT_RANGE}.`);
    return { live: true, name: DEFAULT_RANGE, spanMs: RANGES[DEFAULT_RANGE] ?? 0 };
  }
  return { live: true, name, spanMs };
}

export function format(address: Pick<Address, 'page' | 'range' | 'pick'>): string {
  const params = new URLSearchParams();
  if (!address.range.live) {
    params.set('from', String(address.range.from));
    params.set('to', String(address.range.to));
  } else if (address.range.name !== DEFAULT_RANGE) {
    params.set('range', address.range.name);
  }
  for (const name of PICKS) {
    const value = address.pick[name];
    if (value) {
      params.set(name, value);
    }
  }
  const query = params.toString();
  return `#/${address.page}${query ? `?${query}` : ''}`;
}

/** The address with some of it changed; a selection set to '' goes. */
export function change(
  address: Address,
  to: { page?: Page; range?: Range; pick?: Record<string, string> },
): string {
  const keep = to.page === undefined || to.page === address.page;
  const pick = keep ? { ...address.pick, ...to.pick } : { ...to.pick };
  return format({ page: to.page ?? address.page, range: to.range ?? address.range, pick });
}
