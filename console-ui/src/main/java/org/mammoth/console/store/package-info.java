// SPDX-License-Identifier: Apache-2.0
/**
 * History and decisions on disk, as files that only grow and records with checksums. One thread,
 * the ticking one, writes; any number may read meanwhile, and find each record whole or not at all.
 */
package org.mammoth.console.store;
