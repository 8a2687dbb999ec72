// SPDX-License-Identifier: Apache-2.0
import { useSyncExternalStore } from 'react';

/** The moment that is pointed at in one chart, which all charts of a page show. */
export class TimeCursor {
  private at: number | null = null;
  private readonly listeners = new Set<() => void>();

  readonly get = () => this.at;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  set(ms: number | null) {
    if (ms !== this.at) {
      this.at = ms;
      this.listeners.forEach((listener) => listener());
    }
  }
}

const cursor = new TimeCursor();

/** Epoch ms; null if no chart is pointed at. */
export const useCursor = () => useSyncExternalStore(cursor.subscribe, cursor.get, cursor.get);

export const pointAt = (ms: number | null) => cursor.set(ms);
