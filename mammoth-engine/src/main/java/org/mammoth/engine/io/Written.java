package org.mammoth.engine.io;

import java.util.OptionalLong;

/**
 * What a completed file holds.
 *
 * @param bytes its length as it was handed in; an encrypting target may store more
 * @param crc32 CRC-32 of those bytes, or empty if {@code mammoth.io.checksum} is off
 */
public record Written(long bytes, OptionalLong crc32) {}
