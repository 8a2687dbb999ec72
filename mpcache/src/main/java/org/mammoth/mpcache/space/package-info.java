// SPDX-License-Identifier: Apache-2.0
/**
 * How a slave's SSD is divided between input and localized data, and what the master knows of it.
 * {@code DynamicSpaceTuner} is the slave's, for any thread, with a monitor that is held for
 * arithmetic only; {@code DynamicSpaceManager} is the master's and guarded by its state's lock.
 */
package org.mammoth.mpcache.space;
