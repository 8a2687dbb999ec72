// SPDX-License-Identifier: Apache-2.0
/** What an engine knows of its jobs' finished maps. */
package org.mammoth.mapreduce.events;
