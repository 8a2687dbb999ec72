// SPDX-License-Identifier: Apache-2.0
/**
 * Where engines live: how big they are, how they are started, in the NodeManager's name or a
 * user's, and how they are found again.
 */
package org.mammoth.mapreduce.nodemanager.sites;
