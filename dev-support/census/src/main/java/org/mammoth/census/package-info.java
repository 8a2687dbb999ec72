// SPDX-License-Identifier: Apache-2.0
/**
 * Reads every class that the engine's shared loader can load and tells which static fields can
 * change, and which calls change the whole JVM. What no rule proves harmless and no reviewed file
 * judges fails the build.
 */
package org.mammoth.census;
