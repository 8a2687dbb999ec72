// SPDX-License-Identifier: Apache-2.0
/** Hadoop-BAM's formats and htsjdk. */
package org.mammoth.frameworks.bam;
