// SPDX-License-Identifier: Apache-2.0
/** Puts bars that overlap in time into lanes, so that all of them can be drawn. */

export interface Bar {
  node: string;
  from: number;
  to: number;
}

export interface Lanes<T> {
  /** Bars of each lane, in their order of time. */
  lanes: T[][];
  /** Where each node's lanes begin, and how many they are. */
  groups: { node: string; first: number; count: number }[];
}

/** Lanes by when they are free: the earliest is at the root. */
class Heap {
  private readonly items: { free: number; lane: number }[] = [];

  earliest() {
    return this.items[0];
  }

  push(free: number, lane: number) {
    this.items.push({ free, lane });
    let at = this.items.length - 1;
    while (at > 0 && this.less(at, (at - 1) >> 1)) {
      at = this.swap(at, (at - 1) >> 1);
    }
  }

  pop() {
    this.swap(0, this.items.length - 1);
    this.items.pop();
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = left + 1 < this.items.length && this.less(left + 1, left) ? left + 1 : left;
      if (child >= this.items.length || !this.less(child, at)) {
        return;
      }
      at = this.swap(at, child);
    }
  }

  private less(a: number, b: number) {
    return (this.items[a]?.free ?? 0) < (this.items[b]?.free ?? 0);
  }

  private swap(a: number, b: number) {
    const [x, y] = [this.items[a], this.items[b]];
    if (x && y) {
      this.items[a] = y;
      this.items[b] = x;
    }
    return b;
  }
}

const NATURAL = new Intl.Collator('en', { numeric: true });

/** Each node has as many lanes as bars run there at once; a bar is in one lane, and bars of a lane do not overlap. */
export function lanes<T extends Bar>(bars: T[]): Lanes<T> {
  const nodes = new Map<string, T[]>();
  for (const bar of bars) {
    const own = nodes.get(bar.node);
    if (own) {
      own.push(bar);
    } else {
      nodes.set(bar.node, [bar]);
    }
  }
  const made: Lanes<T> = { lanes: [], groups: [] };
  // What ran nobody knows where comes last.
  for (const node of [...nodes.keys()].sort((a, b) => Number(a === '') - Number(b === '') || NATURAL.compare(a, b))) {
    const first = made.lanes.length;
    const free = new Heap();
    for (const bar of (nodes.get(node) ?? []).sort((a, b) => a.from - b.from)) {
      const earliest = free.earliest();
      let lane = made.lanes.length;
      if (earliest && earliest.free <= bar.from) {
        lane = earliest.lane;
        free.pop();
        made.lanes[lane]?.push(bar);
      } else {
        made.lanes.push([bar]);
      }
      free.push(bar.to, lane);
    }
    made.groups.push({ node, first, count: made.lanes.length - first });
  }
  return made;
}

/** The bar of a lane at a time; the nearest within `slack`, null if there is none. */
export function barAt<T extends Bar>(lane: T[] | undefined, time: number, slack: number): T | null {
  let best: T | null = null;
  let off = slack;
  for (const bar of lane ?? []) {
    const distance = time < bar.from ? bar.from - time : time > bar.to ? time - bar.to : 0;
    if (distance <= off) {
      best = bar;
      off = distance;
    }
  }
  return best;
}
