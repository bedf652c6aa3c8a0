#!/usr/bin/env bash
# Where the inputs and verdicts of test/conformance come from, and how to get them. None of them are in this repository.
#
#   test/conformance/vectors.sh list          what comes from where
#   test/conformance/vectors.sh fetch FOLDER  takes them from the public repositories; then CONFORMANCE_DIR=FOLDER npm test (and npm run test:slow)
#   test/conformance/vectors.sh link FOLDER   uses a folder that has them all, as ../shared/conformance
#
# The lists of verdicts pkits/index.json, xmlsec/index.json and kz/signatures/index.json are ours: written from PKITS.pdf, from
# tests/testDSig.sh and from NCANode's tests. They are kept beside the vectors in the project's shared folder, not in public; a suite whose
# list is missing is skipped and says so. The national roots and OIDs (kz/production-roots, kz/oids.json) are published by the authorities
# at https://pki.gov.kz, the example cards (ddc) by their authors; they are in the shared folder too.
set -euo pipefail

# folder, repository, commit, path there, licence
sources='
wycheproof    C2SP/wycheproof   dac1dd4729fd1f8dd9e1e9f3dce51d783da6c166  testvectors_v1                          Apache-2.0
xmlsec        lsh123/xmlsec     3b7b2dbe                                  tests                                   MIT
pkits         google/boringssl  a0689af2                                  pki/testdata/nist-pkits                 public-domain
kz/tsp-ocsp   malikzh/NCANode   35367459                                  src/test/resources/{ca,certs,crl,ocsp,tsp}  MIT
'
each() { while read -r folder repository commit path licence; do [ -z "$folder" ] || "$@"; done <<<"$sources"; }
show() { printf '%-12s %s@%s %s (%s)\n' "$folder" "$repository" "${commit:0:10}" "$path" "$licence"; }

get() {
  local clone part parts
  clone=$(mktemp -d)
  git clone --quiet --no-checkout --filter=blob:none "${MIRROR:-https://github.com}/$repository" "$clone"
  git -C "$clone" checkout --quiet "$commit"
  mkdir -p "$to/$folder"
  eval "parts=($path)"
  for part in "${parts[@]}"; do cp -R "$clone/$part/." "$to/$folder/"; done
  rm -rf "$clone"
  show
}

# The suite reads the names and counts of the files.
list_wycheproof() {
  node -e '
    const { readdirSync, readFileSync, writeFileSync } = require("node:fs")
    const folder = process.argv[1]
    const files = readdirSync(folder).filter((name) => /^(ecdsa_(secp(256|384|521)r|brainpoolP(256|384|512)[rt])1_sha\d+_test|ed(25519|448)_test|rsa_(signature|pss)_.*_test)\.json$/.test(name))
    const count = (file) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8")).numberOfTests
    writeFileSync(`${folder}/index.json`, JSON.stringify({ files: files.map((file) => ({ file, tests: count(file) })) }))
  ' "$to/wycheproof"
}

case ${1:-} in
  list) each show ;;
  fetch)
    to=${2:?fetch FOLDER}
    each get
    list_wycheproof
    ;;
  link)
    from=$(cd "${2:?link FOLDER}" && pwd)
    cd "$(dirname "$0")/../../.."
    mkdir -p shared
    ln -s "$from" shared/conformance
    ;;
  *)
    sed -n '2,12s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
