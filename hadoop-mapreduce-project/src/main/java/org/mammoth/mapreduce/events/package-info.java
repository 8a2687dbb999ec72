/** What an engine knows of its jobs' finished maps. */
package org.mammoth.mapreduce.events;
