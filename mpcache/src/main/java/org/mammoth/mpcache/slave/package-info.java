// SPDX-License-Identifier: Apache-2.0
/**
 * The cache's slave without its DataNode: copies as files on SSD, fills, the reads that are told to
 * the master, and room for localized data.
 *
 * <p>{@code BlockStore} and {@code CacheMaster} are for any thread and hold no lock over I/O; a
 * reader does a look-up and an open. Fills run on an executor from outside. Time, files and devices
 * come in through {@code Pace} and {@code SsdFiles}, so that tests decide what they do.
 */
package org.mammoth.mpcache.slave;
