// SPDX-License-Identifier: Apache-2.0
/**
 * The declarations of the cache's keys, and which paths may be cached. Immutable; any thread. The
 * reference page is made of them.
 */
package org.mammoth.mpcache.config;
