/** Merges segments that stay at their sources: only the blocks being merged are in memory. */
package org.mammoth.engine.levitated;
