// SPDX-License-Identifier: Apache-2.0
/** Orders and questions to daemons over Hadoop's RPC, in the name of whoever uses the console. */
package org.mammoth.console.order;
