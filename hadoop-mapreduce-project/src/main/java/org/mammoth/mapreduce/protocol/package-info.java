// SPDX-License-Identifier: Apache-2.0
/**
 * What NodeManager and engine say to each other, and administrators to NodeManagers: two RPC
 * interfaces, the records that cross them, and the engine's home folder with its token. Plain
 * values; calls may arrive twice. A NodeManager's user alone can read a home; an engine that runs
 * as its user has one of its own, made of what {@code EngineDelivery} brings.
 */
package org.mammoth.mapreduce.protocol;
