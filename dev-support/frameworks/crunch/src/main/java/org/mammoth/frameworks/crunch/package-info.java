// SPDX-License-Identifier: Apache-2.0
/**
 * Crunch's part of the suite of frameworks: one pipeline, which Crunch plans as a chain of jobs.
 */
package org.mammoth.frameworks.crunch;
