# SPDX-License-Identifier: Apache-2.0
import os
import sys

# The suite stands on the bench's cluster.
sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "bench"))
