# SPDX-License-Identifier: Apache-2.0
"""Tests of the lab. They find the bench's modules beside it."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "bench"))
