/** What a job brings for one of Hadoop's libraries. */
package org.brotli.dec;
