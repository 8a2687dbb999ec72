// SPDX-License-Identifier: Apache-2.0
/** Jobs with random settings of upstream's end as on stock. */
package org.mammoth.compat.settings;
