// SPDX-License-Identifier: Apache-2.0
/** What containers and the engine print and log, and the files that it goes to. */
package org.mammoth.mapreduce.engine.output;
