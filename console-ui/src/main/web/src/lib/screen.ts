// SPDX-License-Identifier: Apache-2.0
import { useSyncExternalStore } from 'react';

/** Window height for which heights of charts and tables are meant, in pixels. */
const MEANT_FOR = 900;
const MOST = 2.4;

/** How much taller than meant charts and tables are in a window of so many pixels. */
export function growth(windowHeight: number): number {
  // In steps, so that a window that is dragged larger does not draw all charts anew at each pixel.
  return Math.min(MOST, Math.max(1, Math.round((20 * windowHeight) / MEANT_FOR) / 20));
}

const onResize = (listener: () => void) => {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
};

/** A height that uses the window: `pixels` in one of 900, more in a taller one. */
export function useTall(pixels: number): number {
  return Math.round(
    pixels *
      useSyncExternalStore(
        onResize,
        () => growth(window.innerHeight),
        () => 1,
      ),
  );
}
