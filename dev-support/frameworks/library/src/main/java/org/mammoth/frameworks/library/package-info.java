// SPDX-License-Identifier: Apache-2.0
/** Jobs of the parts that Hadoop's MapReduce library has for users. */
package org.mammoth.frameworks.library;
