// SPDX-License-Identifier: Apache-2.0
/** What engines tell, in Hadoop's metrics system; as records it is in org.mammoth.api.status. */
package org.mammoth.mapreduce.status;
