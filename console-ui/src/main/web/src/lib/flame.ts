// SPDX-License-Identifier: Apache-2.0
/** Stacks added up to a tree, and the tree laid out as a flame graph. */

export interface Profile {
  state: 'none' | 'running' | 'done';
  remainingMs?: number;
  startedMs?: number;
  seconds?: number;
  periodMs?: number;
  cpu?: Record<string, number>;
  allocation?: Record<string, number>;
}

export interface Frame {
  name: string;
  /** Of this frame and all it calls. */
  total: number;
  /** Of this frame itself. */
  self: number;
  calls: Frame[];
}

/** The tree of stacks `outermost;...;innermost`; callees of a frame the largest first. */
export function tree(stacks: Record<string, number>): Frame {
  interface Node {
    total: number;
    self: number;
    calls: Map<string, Node>;
  }
  const node = (): Node => ({ total: 0, self: 0, calls: new Map() });
  const root = node();
  for (const [stack, weight] of Object.entries(stacks)) {
    let at = root;
    at.total += weight;
    for (const name of stack.split(';')) {
      let next = at.calls.get(name);
      if (!next) {
        next = node();
        at.calls.set(name, next);
      }
      at = next;
      at.total += weight;
    }
    at.self += weight;
  }
  const made = (name: string, from: Node): Frame => ({
    name,
    total: from.total,
    self: from.self,
    calls: [...from.calls].map(([called, its]) => made(called, its)).sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1)),
  });
  return made('all', root);
}

export interface Bar {
  frame: Frame;
  /** Names from the root to it, which tell it from all others. */
  path: string;
  depth: number;
  /** From 0 to 1. */
  left: number;
  width: number;
}

/** Bars of all frames that are at least `least` wide, of 1. */
export function layOut(root: Frame, least: number): Bar[] {
  const bars: Bar[] = [];
  const place = (frame: Frame, path: string, depth: number, left: number) => {
    const width = root.total === 0 ? 0 : frame.total / root.total;
    if (width < least) {
      return;
    }
    bars.push({ frame, path, depth, left, width });
    let at = left;
    for (const called of frame.calls) {
      place(called, `${path};${called.name}`, depth + 1, at);
      at += root.total === 0 ? 0 : called.total / root.total;
    }
  };
  place(root, root.name, 0, 0);
  return bars;
}

/** The frame at a path from a root, or the root if there is none. */
export function at(root: Frame, path: string): Frame {
  let found: Frame = root;
  for (const name of path.split(';').slice(1)) {
    const next = found.calls.find((called) => called.name === name);
    if (!next) {
      return root;
    }
    found = next;
  }
  return found;
}

/** Methods by what they themselves take, whoever calls them. */
export function hottest(root: Frame): { name: string; self: number }[] {
  const sums = new Map<string, number>();
  const add = (frame: Frame) => {
    if (frame.self > 0) sums.set(frame.name, (sums.get(frame.name) ?? 0) + frame.self);
    frame.calls.forEach(add);
  };
  add(root);
  return [...sums].map(([name, self]) => ({ name, self })).sort((a, b) => b.self - a.self);
}

/** Whose code a frame is: the colours of the picture. */
export function owner(name: string): 'thread' | 'jdk' | 'hadoop' | 'mammoth' | 'job' {
  if (!/^[\w$.]+\.[\w$<>]+$/.test(name)) return 'thread';
  if (/^(java|javax|jdk|sun|com\.sun)\./.test(name)) return 'jdk';
  if (/^org\.mammoth\./.test(name)) return 'mammoth';
  if (/^org\.apache\.hadoop\./.test(name)) return 'hadoop';
  return 'job';
}

/** A method without its package. */
export const short = (name: string): string => (owner(name) === 'thread' ? name : name.split('.').slice(-2).join('.'));
