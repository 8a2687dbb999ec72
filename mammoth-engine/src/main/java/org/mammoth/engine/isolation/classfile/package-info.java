// SPDX-License-Identifier: Apache-2.0
/**
 * What is read in class files and in native libraries before anything of them runs: the members
 * that code names, which code uses its package's mates, what this JVM can load. Loads nothing.
 * Stateless, safe for any thread.
 */
package org.mammoth.engine.isolation.classfile;
