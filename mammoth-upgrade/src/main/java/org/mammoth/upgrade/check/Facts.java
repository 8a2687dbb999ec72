// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.util.Optional;
import org.mammoth.upgrade.node.Layout;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.JavaHome;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.Release;
import org.mammoth.upgrade.tree.SiteConfig;

/**
 * What the doctor looks at.
 *
 * @param tree the installation
 * @param layout where things of ours are in it
 * @param node what the NodeManager reads
 * @param job what jobs of this node's clients start from
 * @param release what is to be added
 * @param nodeManager the one that runs
 * @param obstacle why nobody could see that it is well; empty if nothing is in the way of that
 * @param service of systemd that it is; empty if it is none
 */
public record Facts(
    HadoopTree tree,
    Layout layout,
    SiteConfig node,
    SiteConfig job,
    Release release,
    Optional<JavaProcess> nodeManager,
    Optional<String> obstacle,
    Optional<String> service) {

  /** What engines are to run on, if not on the NodeManager's Java. */
  Optional<JavaHome> enginesJava() throws IOException {
    return JavaHome.ofEngines(nodeManager.flatMap(JavaProcess::javaHome), node);
  }
}
