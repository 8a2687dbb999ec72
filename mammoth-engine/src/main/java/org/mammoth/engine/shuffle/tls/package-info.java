// SPDX-License-Identifier: Apache-2.0
/** TLS of the shuffle, with the keys and rules of Hadoop's own configuration. */
package org.mammoth.engine.shuffle.tls;
