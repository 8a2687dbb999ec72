# SPDX-License-Identifier: Apache-2.0
import unittest

from mammoth_frameworks.suite import mahout


class MahoutTest(unittest.TestCase):
    def test_only_the_choice_among_equal_scores_is_free(self):
        one, other, worse = (
            mahout._scores(line) for line in (b"0\t[67:5.0,100:5.0,3:4.5]\n", b"0\t[100:5.0,9:5.0,3:4.5]\n", b"0\t[100:5.0,9:4.5,3:4.5]\n")
        )
        self.assertEqual(one, other)
        self.assertEqual(one, b"0\t5.0 5.0 4.5\n")
        self.assertNotEqual(one, worse)


if __name__ == "__main__":
    unittest.main()
