// SPDX-License-Identifier: Apache-2.0
/**
 * What an engine has classes of Hadoop's do otherwise: what they are asked for with every record
 * (finding the ends of lines, turning strings into bytes and back, summing the bytes that were read
 * and written), with every job (parsing files of settings), or would make of a class that is not
 * ours. Each asks first whether the class is made as it is known here, and leaves it alone if not.
 */
package org.mammoth.engine.upstream;
