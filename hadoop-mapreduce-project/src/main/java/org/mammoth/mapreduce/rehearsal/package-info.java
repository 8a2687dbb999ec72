// SPDX-License-Identifier: Apache-2.0
/**
 * A made-up job, whose tasks an engine runs while it has none, so that the JVM has compiled what
 * tasks have in common by the time a user's job comes.
 */
package org.mammoth.mapreduce.rehearsal;
