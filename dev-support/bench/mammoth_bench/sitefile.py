# SPDX-License-Identifier: Apache-2.0
"""Hadoop's *-site.xml files."""

import os
import xml.etree.ElementTree as ElementTree

from . import BenchError


def read(path):
    """Properties of a site file as a dict; empty when there is no such file."""
    if not os.path.exists(path):
        return {}
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise BenchError(f"{path} is no configuration file: {error}") from error
    properties = {}
    for node in root.iter("property"):
        name, value = node.findtext("name"), node.findtext("value")
        if name is not None and value is not None:
            properties[name.strip()] = value.strip()
    return properties


def write(path, properties):
    """Writes a site file, sorted by name."""
    root = ElementTree.Element("configuration")
    for name in sorted(properties):
        node = ElementTree.SubElement(root, "property")
        ElementTree.SubElement(node, "name").text = name
        ElementTree.SubElement(node, "value").text = str(properties[name])
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
