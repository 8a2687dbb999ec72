// SPDX-License-Identifier: Apache-2.0
/** Repeated work that goes on after it failed, for the timers of what runs in Hadoop's daemons. */
package org.mammoth.api.timing;
