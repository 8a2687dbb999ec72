#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lay-out.sh CLASSPATH TREE OUT : sorts the jars of a class path into the rooms below OUT/share/hadoop.
#
# CLASSPATH is the file "mvn dependency:build-classpath" wrote, TREE the one of "mvn dependency:tree". The pom names Hadoop's own artifacts in the order of the rooms, so the
# first of them that needs a third-party jar decides where that jar goes, and each jar is there once.
set -euo pipefail

tree=$2
declare -A jars
out=$3/share/hadoop
room=
lib=
placed=0

# Where an artifact that the pom names belongs: the folder of its jar, and the folder of what it brings along.
choose_room() {
  case $1 in
    hadoop-common | hadoop-registry | hadoop-kms | hadoop-nfs) room=common lib=common/lib ;;
    lz4-java) room=common/lib lib=common/lib ;;
    hadoop-hdfs*) room=hdfs lib=hdfs/lib ;;
    hadoop-yarn-server-timelineservice) room=yarn/timelineservice lib=yarn/lib ;;
    hadoop-yarn-server-tests) room=yarn/test lib=yarn/test ;;
    hadoop-yarn-*) room=yarn lib=yarn/lib ;;
    hadoop-mapreduce-*) room=mapreduce lib=mapreduce/lib ;;
    mammoth-console) room=mammoth/console lib=mammoth/console ;;
    mammoth-upgrade) room=mammoth/upgrade lib=mammoth/upgrade ;;
    mammoth-workloads) room=mammoth/workloads lib=mammoth/workloads ;;
    mammoth-* | picocli | asm*) room=mammoth lib=mammoth ;;
    hadoop-* | junit) room=tools/lib lib=tools/lib ;;
    *)
      printf 'lay-out.sh: no room for %s; name one in choose_room\n' "$1" >&2
      exit 1
      ;;
  esac
}

place() {
  mkdir -p "${out}/$2"
  if [[ -z ${jars[$1]:-} ]]; then
    printf 'lay-out.sh: %s is in the dependency tree, but not in the class path\n' "$1" >&2
    exit 1
  fi
  cp "${jars[$1]}" "${out}/$2/$1"
  unset "jars[$1]"
  placed=$((placed + 1))
}

IFS=: read -r -a paths <"$1" || true
for path in "${paths[@]}"; do
  jars[${path##*/}]=${path}
done

rm -rf "${out}"
while IFS= read -r line; do
  coordinates=${line##*[+\\]- }
  [[ ${coordinates} != "${line}" ]] || continue
  IFS=: read -r -a part <<<"${coordinates}"
  case ${#part[@]} in
    5) file=${part[1]}-${part[3]}.jar scope=${part[4]} ;;
    6) file=${part[1]}-${part[4]}-${part[3]}.jar scope=${part[5]} ;;
    *)
      printf 'lay-out.sh: cannot read "%s" in %s\n' "${line}" "${tree}" >&2
      exit 1
      ;;
  esac
  if [[ ${line} != [\|\ ]* ]]; then
    choose_room "${part[1]}"
    # What serves only the build is "provided".
    [[ ${scope} == compile || ${scope} == runtime ]] && place "${file}" "${room}"
  elif [[ ${scope} == compile || ${scope} == runtime ]]; then
    case ${part[0]}:${part[1]} in
      org.apache.hadoop:hadoop-annotations | org.apache.hadoop:hadoop-auth) place "${file}" common/lib ;;
      org.apache.hadoop:*)
        printf 'lay-out.sh: %s comes with another artifact; name it in the pom\n' "${part[1]}" >&2
        exit 1
        ;;
      *) place "${file}" "${lib}" ;;
    esac
  fi
done <"${tree}"

if ((${#jars[@]})); then
  printf 'lay-out.sh: no room for %s
' "${!jars[*]}" >&2
  exit 1
fi
# Tells one build from another of the same version: names and bytes of all jars.
(cd "${out}" && find . -name '*.jar' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-16) >"${out}/mammoth/BUILD"
printf 'lay-out.sh: %d jars
' "${placed}"
