// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.bam;

import htsjdk.samtools.SAMRecord;
import htsjdk.variant.variantcontext.VariantContext;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.seqdoop.hadoop_bam.AnySAMInputFormat;
import org.seqdoop.hadoop_bam.FastqInputFormat;
import org.seqdoop.hadoop_bam.FastqOutputFormat;
import org.seqdoop.hadoop_bam.KeyIgnoringAnySAMOutputFormat;
import org.seqdoop.hadoop_bam.KeyIgnoringBAMOutputFormat;
import org.seqdoop.hadoop_bam.KeyIgnoringVCFOutputFormat;
import org.seqdoop.hadoop_bam.SAMFormat;
import org.seqdoop.hadoop_bam.SAMRecordWritable;
import org.seqdoop.hadoop_bam.SequencedFragment;
import org.seqdoop.hadoop_bam.VCFFormat;
import org.seqdoop.hadoop_bam.VCFInputFormat;
import org.seqdoop.hadoop_bam.VariantContextWritable;

/** Reads sorted to BAM, and that as SAM; variants and sequences sorted: Hadoop-BAM's formats. */
public final class BamJobs extends Configured implements Tool {

  private static final String HEADER = "frameworks.bam.header";

  /** Arguments: FOLDER, where samples are written, and SORTED, SAM, VCF and FASTQ below it. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new BamJobs(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    Path folder = new Path(args[0]);
    new Samples().write(folder.getFileSystem(getConf()), new Path(folder, "samples"));
    return run(sort(folder), folder, "sorted", "reads.bam", "more.sam")
            && run(text(folder), folder, "sam", "../sorted/part-*")
            && run(variants(folder), folder, "vcf", "calls.vcf")
            && run(sequences(), folder, "fastq", "reads.fastq")
        ? 0
        : 1;
  }

  private static boolean run(Job job, Path folder, String output, String... inputs)
      throws Exception {
    for (String input : inputs) {
      FileInputFormat.addInputPath(job, new Path(new Path(folder, "samples"), input));
    }
    FileOutputFormat.setOutputPath(job, new Path(folder, output));
    return job.waitForCompletion(true);
  }

  private Job sort(Path folder) throws IOException {
    Job job = job("bam sort", AnySAMInputFormat.class, BamOutput.class, folder, "reads.bam");
    job.setMapOutputKeyClass(LongWritable.class);
    job.setMapOutputValueClass(SAMRecordWritable.class);
    job.setReducerClass(Values.class);
    return job;
  }

  private Job text(Path folder) throws IOException {
    Job job = job("bam text", AnySAMInputFormat.class, SamOutput.class, folder, "reads.bam");
    job.setMapperClass(Mapped.class);
    job.setNumReduceTasks(0);
    return job;
  }

  private Job variants(Path folder) throws IOException {
    Job job = job("bam variants", VCFInputFormat.class, VcfOutput.class, folder, "calls.vcf");
    job.setMapperClass(Variants.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(VariantContextWritable.class);
    return job;
  }

  private Job sequences() throws IOException {
    Job job = job("bam sequences", FastqInputFormat.class, FastqOutputFormat.class, null, null);
    job.setMapperClass(Sequences.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(SequencedFragment.class);
    return job;
  }

  @SuppressWarnings("rawtypes")
  private Job job(
      String name,
      Class<? extends InputFormat> input,
      Class<? extends OutputFormat> output,
      Path folder,
      String header)
      throws IOException {
    Configuration conf = new Configuration(getConf());
    conf.setLong(FileInputFormat.SPLIT_MAXSIZE, 500_000);
    if (header != null) {
      conf.set(HEADER, new Path(new Path(folder, "samples"), header).toString());
    }
    Job job = Job.getInstance(conf, name);
    job.setJarByClass(BamJobs.class);
    job.setInputFormatClass(input);
    job.setOutputFormatClass(output);
    return job;
  }

  /** Reads in their order, whatever the key. */
  public static final class Values
      extends Reducer<LongWritable, SAMRecordWritable, NullWritable, SAMRecordWritable> {
    @Override
    protected void reduce(LongWritable place, Iterable<SAMRecordWritable> reads, Context context)
        throws IOException, InterruptedException {
      for (SAMRecordWritable read : reads) {
        context.write(NullWritable.get(), read);
      }
    }
  }

  /** Reads that are mapped; all are counted by flags and sample. */
  public static final class Mapped
      extends Mapper<LongWritable, SAMRecordWritable, NullWritable, SAMRecordWritable> {
    @Override
    protected void map(LongWritable place, SAMRecordWritable value, Context context)
        throws IOException, InterruptedException {
      SAMRecord read = value.get();
      context.getCounter("flags", Integer.toString(read.getFlags())).increment(1);
      context.getCounter("samples", read.getReadGroup().getSample()).increment(1);
      if (!read.getReadUnmappedFlag()) {
        context.write(NullWritable.get(), value);
      }
    }
  }

  /** Variants by what somebody has. */
  public static final class Variants
      extends Mapper<LongWritable, VariantContextWritable, Text, VariantContextWritable> {
    @Override
    protected void map(LongWritable place, VariantContextWritable value, Context context)
        throws IOException, InterruptedException {
      VariantContext variant = value.get();
      context.getCounter("types", variant.getType().name()).increment(1);
      context.getCounter("genotypes", "het").increment(variant.getHetCount());
      context.write(new Text(variant.getGenotype("bert").getType() + variant.getID()), value);
    }
  }

  /** Sequences by lane and bases. */
  public static final class Sequences
      extends Mapper<Text, SequencedFragment, Text, SequencedFragment> {
    @Override
    protected void map(Text name, SequencedFragment value, Context context)
        throws IOException, InterruptedException {
      context.write(new Text(value.getLane() + " " + value.getSequence()), value);
    }
  }

  /** BAM, with the header of a sample. */
  public static final class BamOutput extends KeyIgnoringBAMOutputFormat<NullWritable> {
    @Override
    public RecordWriter<NullWritable, SAMRecordWritable> getRecordWriter(TaskAttemptContext task)
        throws IOException {
      Configuration conf = task.getConfiguration();
      readSAMHeaderFrom(new Path(conf.get(HEADER)), conf);
      // htsjdk goes by names of files.
      return super.getRecordWriter(task, getDefaultWorkFile(task, ".bam"));
    }
  }

  /** SAM, with the header of a sample. */
  public static final class SamOutput extends KeyIgnoringAnySAMOutputFormat<NullWritable> {
    /** For Hadoop. */
    public SamOutput() {
      super(SAMFormat.SAM);
    }

    @Override
    public RecordWriter<NullWritable, SAMRecordWritable> getRecordWriter(TaskAttemptContext task)
        throws IOException {
      Configuration conf = task.getConfiguration();
      readSAMHeaderFrom(new Path(conf.get(HEADER)), conf);
      return super.getRecordWriter(task);
    }
  }

  /** VCF, with the header of a sample. */
  public static final class VcfOutput extends KeyIgnoringVCFOutputFormat<Text> {
    /** For Hadoop. */
    public VcfOutput() {
      super(VCFFormat.VCF);
    }

    @Override
    public RecordWriter<Text, VariantContextWritable> getRecordWriter(TaskAttemptContext task)
        throws IOException {
      Path header = new Path(task.getConfiguration().get(HEADER));
      readHeaderFrom(header, header.getFileSystem(task.getConfiguration()));
      return super.getRecordWriter(task);
    }
  }
}
