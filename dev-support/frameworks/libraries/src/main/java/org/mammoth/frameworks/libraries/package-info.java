// SPDX-License-Identifier: Apache-2.0
/** A job whose tasks use many libraries, brought by the job, each for a moment. */
package org.mammoth.frameworks.libraries;
