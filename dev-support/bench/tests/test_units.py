# SPDX-License-Identifier: Apache-2.0
import unittest

from mammoth_bench import BenchError
from mammoth_bench.units import format_bytes, format_number, parse_size


class UnitsTest(unittest.TestCase):
    def test_sizes(self):
        self.assertEqual(parse_size("2g"), 2 << 30)
        self.assertEqual(parse_size("200M"), 200 << 20)
        self.assertEqual(parse_size("1.5k"), 1536)
        self.assertEqual(parse_size("7"), 7)
        self.assertEqual(parse_size("5gb"), 5 << 30)

    def test_no_sizes(self):
        for text in ("", "g", "-1g", "0", "2x", "1e9"):
            with self.assertRaisesRegex(BenchError, "is no size"):
                parse_size(text)

    def test_format(self):
        self.assertEqual(format_bytes(None), "-")
        self.assertEqual(format_bytes(0), "0 B")
        self.assertEqual(format_bytes(2 << 30), "2 GiB")
        self.assertEqual(format_bytes(1500), "1.46 KiB")
        self.assertEqual(format_number(None), "-")
        self.assertEqual(format_number(1.26), "1.3")
