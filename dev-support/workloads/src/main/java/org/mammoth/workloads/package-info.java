// SPDX-License-Identifier: Apache-2.0
/**
 * The programs of the workloads jar: generators whose output depends on a seed alone, jobs for
 * benchmarks and tests, jobs that misbehave on purpose, and checks of results. They know nothing of
 * Mammoth and run on any Hadoop. {@code WorkloadDriver} is the way in.
 */
package org.mammoth.workloads;
