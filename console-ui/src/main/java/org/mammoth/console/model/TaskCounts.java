// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/** How many tasks a job that has ended had, and how many of them succeeded. */
public record TaskCounts(long maps, long mapsDone, long reduces, long reducesDone) {}
