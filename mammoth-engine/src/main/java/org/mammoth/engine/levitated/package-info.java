// SPDX-License-Identifier: Apache-2.0
/** Merges segments that stay at their sources: only the blocks being merged are in memory. */
package org.mammoth.engine.levitated;
