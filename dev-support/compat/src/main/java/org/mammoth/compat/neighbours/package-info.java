// SPDX-License-Identifier: Apache-2.0
/**
 * Hostile programs and the ordinary job that must not notice them. All of it reaches a cluster in
 * job jars, one for each program.
 */
package org.mammoth.compat.neighbours;
