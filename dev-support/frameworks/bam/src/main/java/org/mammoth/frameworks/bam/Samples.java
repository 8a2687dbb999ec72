// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.bam;

import htsjdk.samtools.SAMFileHeader;
import htsjdk.samtools.SAMFileWriter;
import htsjdk.samtools.SAMFileWriterFactory;
import htsjdk.samtools.SAMReadGroupRecord;
import htsjdk.samtools.SAMRecord;
import htsjdk.samtools.SAMSequenceDictionary;
import htsjdk.samtools.SAMSequenceRecord;
import htsjdk.samtools.fastq.BasicFastqWriter;
import htsjdk.samtools.fastq.FastqRecord;
import htsjdk.variant.variantcontext.Allele;
import htsjdk.variant.variantcontext.GenotypeBuilder;
import htsjdk.variant.variantcontext.VariantContextBuilder;
import htsjdk.variant.variantcontext.writer.Options;
import htsjdk.variant.variantcontext.writer.VariantContextWriter;
import htsjdk.variant.variantcontext.writer.VariantContextWriterBuilder;
import htsjdk.variant.vcf.VCFFormatHeaderLine;
import htsjdk.variant.vcf.VCFHeader;
import htsjdk.variant.vcf.VCFHeaderLineType;
import htsjdk.variant.vcf.VCFInfoHeaderLine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Reads and variants of chance, the same every time. */
final class Samples {

  private static final int CHROMOSOMES = 3;
  private static final int LENGTH = 1_000_000;
  private static final int READS = 12_000;
  private static final int READ_LENGTH = 100;
  private static final int VARIANTS = 6_000;
  private static final String BASES = "ACGT";
  private static final List<String> PEOPLE = List.of("anna", "bert", "carl");

  private final Random random = new Random(7);

  /** Writes reads.bam, more.sam, reads.fastq and calls.vcf. */
  void write(FileSystem fs, Path folder) throws IOException {
    SAMFileHeader header = header();
    SAMFileWriterFactory factory = new SAMFileWriterFactory();
    List<SAMRecord> reads = reads(header);
    try (SAMFileWriter out =
        factory.makeBAMWriter(header, true, fs.create(new Path(folder, "reads.bam")))) {
      reads.subList(READS / 4, READS).forEach(out::addAlignment);
    }
    try (SAMFileWriter out =
        factory.makeSAMWriter(header, true, fs.create(new Path(folder, "more.sam")))) {
      reads.subList(0, READS / 4).forEach(out::addAlignment);
    }
    writeFastq(fs.create(new Path(folder, "reads.fastq")));
    writeVariants(fs.create(new Path(folder, "calls.vcf")), header.getSequenceDictionary());
  }

  private static SAMFileHeader header() {
    SAMSequenceDictionary dictionary = new SAMSequenceDictionary();
    for (int number = 1; number <= CHROMOSOMES; number++) {
      dictionary.addSequence(new SAMSequenceRecord("chr" + number, LENGTH));
    }
    SAMFileHeader header = new SAMFileHeader(dictionary);
    header.setSortOrder(SAMFileHeader.SortOrder.unsorted);
    for (String person : PEOPLE) {
      SAMReadGroupRecord group = new SAMReadGroupRecord(person);
      group.setSample(person);
      header.addReadGroup(group);
    }
    return header;
  }

  /** Each begins somewhere else: the order of equal ones is nobody's promise. */
  private List<SAMRecord> reads(SAMFileHeader header) {
    List<SAMRecord> reads = new ArrayList<>();
    for (int number = 0; number < READS; number++) {
      SAMRecord read = new SAMRecord(header);
      read.setReadName("read" + number);
      read.setReadString(bases(READ_LENGTH));
      read.setBaseQualityString(qualities(READ_LENGTH));
      read.setAttribute("RG", PEOPLE.get(random.nextInt(PEOPLE.size())));
      read.setAttribute("NM", random.nextInt(5));
      if (random.nextInt(50) == 0) {
        read.setReadUnmappedFlag(true);
      } else {
        read.setReferenceName("chr" + (1 + random.nextInt(CHROMOSOMES)));
        read.setAlignmentStart(1 + number * (LENGTH / READS) + random.nextInt(50));
        read.setCigarString(random.nextInt(4) == 0 ? "40M2I30M5D28M" : READ_LENGTH + "M");
        read.setMappingQuality(random.nextInt(60));
        read.setReadNegativeStrandFlag(random.nextBoolean());
      }
      reads.add(read);
    }
    Collections.shuffle(reads, random);
    return reads;
  }

  private void writeFastq(OutputStream file) {
    try (BasicFastqWriter out = new BasicFastqWriter(new PrintStream(file))) {
      for (int number = 0; number < READS; number++) {
        String name = "EAS:7:FC1:" + (1 + random.nextInt(8)) + ":2:" + number + ":10 1:N:0:ATCACG";
        out.write(new FastqRecord(name, bases(READ_LENGTH), "", qualities(READ_LENGTH)));
      }
    }
  }

  private void writeVariants(OutputStream file, SAMSequenceDictionary dictionary) {
    VCFHeader header =
        new VCFHeader(
            Set.of(
                new VCFInfoHeaderLine("DP", 1, VCFHeaderLineType.Integer, "Depth"),
                new VCFFormatHeaderLine("GT", 1, VCFHeaderLineType.String, "Genotype")),
            new LinkedHashSet<>(PEOPLE));
    header.setSequenceDictionary(dictionary);
    try (VariantContextWriter out =
        new VariantContextWriterBuilder()
            .setOutputVCFStream(file)
            .setReferenceDictionary(dictionary)
            .unsetOption(Options.INDEX_ON_THE_FLY)
            .build()) {
      out.writeHeader(header);
      for (int number = 0; number < VARIANTS; number++) {
        int chromosome = 1 + number * CHROMOSOMES / VARIANTS;
        long place = 1 + number % (VARIANTS / CHROMOSOMES) * 400L + random.nextInt(300);
        int base = random.nextInt(BASES.length());
        Allele is = Allele.create(BASES.substring(base, base + 1), true);
        int instead = (base + 1 + random.nextInt(3)) % BASES.length();
        Allele other = Allele.create(BASES.substring(instead, instead + 1), false);
        VariantContextBuilder variant =
            new VariantContextBuilder(
                    "samples", "chr" + chromosome, place, place, List.of(is, other))
                .id("rs" + number)
                .attribute("DP", random.nextInt(100))
                .log10PError(-random.nextInt(9) / 2.0);
        List<htsjdk.variant.variantcontext.Genotype> genotypes = new ArrayList<>();
        for (String person : PEOPLE) {
          genotypes.add(
              GenotypeBuilder.create(person, List.of(is, random.nextBoolean() ? is : other)));
        }
        out.add(variant.genotypes(genotypes).make());
      }
    }
  }

  private String bases(int length) {
    StringBuilder all = new StringBuilder(length);
    for (int at = 0; at < length; at++) {
      all.append(BASES.charAt(random.nextInt(BASES.length())));
    }
    return all.toString();
  }

  private String qualities(int length) {
    StringBuilder all = new StringBuilder(length);
    for (int at = 0; at < length; at++) {
      all.append((char) ('!' + 2 + random.nextInt(38)));
    }
    return all.toString();
  }
}
