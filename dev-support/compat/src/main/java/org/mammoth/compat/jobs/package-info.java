// SPDX-License-Identifier: Apache-2.0
/**
 * Ordinary MapReduce jobs, made from a seed. They know nothing of Mammoth and reach a cluster in a
 * job jar.
 *
 * <p>Everything here depends on the input alone, never on order of values, time or place, so that
 * two correct runs give the same bytes.
 */
package org.mammoth.compat.jobs;
