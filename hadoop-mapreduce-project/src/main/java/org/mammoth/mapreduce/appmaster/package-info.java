// SPDX-License-Identifier: Apache-2.0
/**
 * Upstream's ApplicationMaster made quicker where it stands in a host: when it asks the
 * ResourceManager, and when it makes its pages. And made safer: a lost node costs no job.
 */
package org.mammoth.mapreduce.appmaster;
