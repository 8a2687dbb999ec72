// SPDX-License-Identifier: Apache-2.0
/**
 * Writes the configuration of a cluster of the Mammoth release: {@code ClusterPlan} is what an
 * administrator says of it, {@code ClusterConfig} makes Hadoop's files of that, {@code
 * SystemdUnits} makes services. One thread; nothing that is there is changed.
 */
package org.mammoth.upgrade.configure;
