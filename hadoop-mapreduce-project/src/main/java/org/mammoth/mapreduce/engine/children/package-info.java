// SPDX-License-Identifier: Apache-2.0
/** The processes that tasks start: which of them are whose, and what they leave behind. */
package org.mammoth.mapreduce.engine.children;
