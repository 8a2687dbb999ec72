/**
 * Crunch's part of the suite of frameworks: one pipeline, which Crunch plans as a chain of jobs.
 */
package org.mammoth.frameworks.crunch;
