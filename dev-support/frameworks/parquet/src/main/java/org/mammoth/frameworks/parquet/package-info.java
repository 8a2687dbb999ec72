// SPDX-License-Identifier: Apache-2.0
/**
 * Parquet's part of the suite of frameworks: one job writes files, the next reads some of their
 * columns.
 */
package org.mammoth.frameworks.parquet;
