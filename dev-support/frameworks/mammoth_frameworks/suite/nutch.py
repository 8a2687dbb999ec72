# SPDX-License-Identifier: Apache-2.0
"""Apache Nutch, which crawls a site that the suite serves."""

import os
import re
import zipfile
from xml.sax.saxutils import escape

from ..site import FIRST, Site
from .framework import HERE, Framework

_NUTCH = "org.apache.nutch"
_PLUGINS = os.path.join(HERE, "nutch", "src", "main", "plugins")
#: Moments, in whatever they stand.
_TIMES = re.compile(rb"(?<=time: ).*|(?<=nutch\.segment\.name=)\d+|(?<=nutch\.segment\.name = )\d+|(?<=_ngt_=)\d+|(?<=lastModified=)\d+")
#: Not the quantiles of scores: they are estimated from the maps' digests in the order in which these come.
_STATISTICS = re.compile(r"(?:TOTAL urls|status|retry|min score|max score|avg score).*")


class Nutch(Framework):
    name = "nutch"
    text = "a crawl of a site, its links, duplicates, hosts and dumps, in a job jar with plugins"
    module = "nutch"
    rounds = 1
    dumps = ("pages", "links", "segments", "hosts")

    def run(self, side):
        with Site() as site:
            self._chain(side, self._pack(side, site.port))

    def _pack(self, side, port):
        """Nutch's job jar: its classes, its libraries, the plugins and their configuration."""
        settings = {
            "http.agent.name": "mammoth", "plugin.includes": "protocol-site|parse-links", "site.port": port, "fetcher.server.delay": "0.0",
            "fetcher.server.min.delay": "0.0", "linkdb.ignore.internal.links": "false",
        }
        site = "".join(f"<property><name>{key}</name><value>{escape(str(value))}</value></property>\n" for key, value in settings.items())
        types = '<parse-plugins><mimeType name="text/html"><plugin id="parse-links"/></mimeType><aliases>' \
            '<alias name="parse-links" extension-id="links.html"/></aliases></parse-plugins>'
        path = os.path.join(side.work, "nutch.job")
        nutch = self.jars("nutch-*.jar")[0]
        with zipfile.ZipFile(path, "w") as job, zipfile.ZipFile(nutch) as classes:
            for entry in classes.infolist():
                if entry.filename != "nutch-site.xml":
                    job.writestr(entry, classes.read(entry))
            job.writestr("nutch-site.xml", f"<configuration>\n{site}</configuration>\n")
            job.writestr("parse-plugins.xml", types)
            job.writestr("host-protocol-mapping.txt", "")
            for jar in self.jars():
                if jar != nutch:
                    job.write(jar, f"lib/{os.path.basename(jar)}")
            for plugin in sorted(os.listdir(_PLUGINS)):
                job.write(os.path.join(_PLUGINS, plugin, "plugin.xml"), f"classes/plugins/{plugin}/plugin.xml")
                job.write(self.jobs_jar(), f"classes/plugins/{plugin}/jobs.jar")
        return path

    def _chain(self, side, job):
        def nutch(label, tool, *arguments):
            return side.hadoop(label, "jar", job, f"{_NUTCH}.{tool}", *arguments)

        seeds = os.path.join(side.work, "seeds.txt")
        with open(seeds, "w", encoding="utf-8") as out:
            out.writelines(f"{url}\n" for url in FIRST)
        side.hadoop("seeds", "fs", "-mkdir", f"{side.out}/seeds")
        side.hadoop("put-seeds", "fs", "-put", seeds, f"{side.out}/seeds/")
        pages, segments, links = (f"{side.out}/{name}" for name in ("crawldb", "parts", "linkdb"))
        nutch("inject", "crawl.Injector", pages, f"{side.out}/seeds")
        for number in range(1, self.rounds + 1):
            nutch(f"generate{number}", "crawl.Generator", pages, segments)
            segment = side.files(f"{segments}/")[-1]
            nutch(f"fetch{number}", "fetcher.Fetcher", segment, "-threads", 4)
            nutch(f"parse{number}", "parse.ParseSegment", segment)
            nutch(f"update{number}", "crawl.CrawlDb", pages, segment)
        nutch("invert", "crawl.LinkDb", links, "-dir", segments)
        nutch("dedup", "crawl.DeduplicationJob", pages, "-compareOrder", "urlLength,score,fetchTime")
        nutch("hosts", "util.domain.DomainStatistics", pages, f"{side.out}/hosts", "host")
        nutch("dump-pages", "crawl.CrawlDbReader", pages, "-dump", f"{side.out}/pages")
        nutch("dump-links", "crawl.LinkDbReader", links, "-dump", f"{side.out}/links")
        nutch("dump-segments", "segment.SegmentReader", "-dump", side.files(f"{segments}/")[0], f"{side.out}/segments")
        self.statistics = _STATISTICS.findall(nutch("statistics", "crawl.CrawlDbReader", pages, "-stats"))

    def results(self, side):
        found = {"statistics": [line.encode() + b"\n" for line in self.statistics]}
        for name in self.dumps:
            part = "dump" if name == "segments" else "part-*"
            # A reduce gets the values of a key in no order, and Nutch writes them in that order.
            found[name] = sorted(_TIMES.sub(b"-", line) for line in side.lines(f"{side.out}/{name}/{part}"))
        return found
