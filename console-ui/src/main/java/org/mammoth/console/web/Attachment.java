// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

/** An answer that is a file to keep. */
record Attachment(String contentType, String fileName, byte[] bytes) {}
