# SPDX-License-Identifier: Apache-2.0
"""Upstream's own test classes on the release."""
