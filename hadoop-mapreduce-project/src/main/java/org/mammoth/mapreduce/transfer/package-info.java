// SPDX-License-Identifier: Apache-2.0
/** What a node's daemons do for the shuffle between nodes: serve map output, and be found. */
package org.mammoth.mapreduce.transfer;
