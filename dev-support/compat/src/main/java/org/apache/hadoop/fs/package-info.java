// SPDX-License-Identifier: Apache-2.0
/** What a job has in a package of Hadoop's. */
package org.apache.hadoop.fs;
