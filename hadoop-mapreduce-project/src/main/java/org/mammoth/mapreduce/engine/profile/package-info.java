// SPDX-License-Identifier: Apache-2.0
/** Samples of what the threads of an engine do, for flame graphs and thread dumps. */
package org.mammoth.mapreduce.engine.profile;
