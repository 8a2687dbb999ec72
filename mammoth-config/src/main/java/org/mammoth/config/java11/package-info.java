// SPDX-License-Identifier: Apache-2.0
/**
 * What the release's jars call in place of parts of Java 17, so that daemons and clients on Java 11
 * can load them: the build turns records into plain classes and names these methods instead
 * (hadoop-dist/src/main/build/Java11.java). Nothing in the sources calls them.
 *
 * <p>Stateless; for any thread.
 */
package org.mammoth.config.java11;
