// SPDX-License-Identifier: Apache-2.0
/** What a job brings for one of Hadoop's libraries. */
package org.brotli.dec;
