// SPDX-License-Identifier: Apache-2.0
/** Collections of bounded size, for what daemons remember of the past. */
package org.mammoth.api.collections;
