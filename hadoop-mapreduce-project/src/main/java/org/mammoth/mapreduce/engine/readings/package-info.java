// SPDX-License-Identifier: Apache-2.0
/** What an engine tells about itself, to its NodeManager, over JMX and as Hadoop metrics. */
package org.mammoth.mapreduce.engine.readings;
