// SPDX-License-Identifier: Apache-2.0
/** The frames of the shuffle protocol, their bytes, their checksums and the proofs of a job. */
package org.mammoth.engine.shuffle.wire;
