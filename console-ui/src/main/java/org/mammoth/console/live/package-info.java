// SPDX-License-Identifier: Apache-2.0
/**
 * What the console works out of a second's readings: totals, jobs' use, what needs attention, and
 * the axis of time it is recorded by. {@code Recorder.second} is called by the ticking thread
 * alone, and tells its listeners there. A {@code Moment} is immutable, and may be read by any
 * thread, as may the clock and the sightings of tasks, which have a monitor each.
 */
package org.mammoth.console.live;
