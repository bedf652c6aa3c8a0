#!/bin/sh
# Registers a file and the signature of it, then proves it: register.sh http://127.0.0.1:8080 FILE SIGNATURE.b64
set -eu
registry=$1/api file=$2 signature=$3
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# A refusal says why in its body: `code` is stable, GET /api/strings has its texts.
send() { curl -sS --fail-with-body -o "$answer" "$@" || { cat "$answer" >&2; exit 1; }; }
field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/p" "$answer"; }

printf '{"title": "%s", "signature": "%s"}' "$(basename "$file")" "$(tr -d '\n' <"$signature")" >"$answer.request"
trap 'rm -f "$answer" "$answer.request"' EXIT
send "$registry" -H 'content-type: application/json' --data-binary "@$answer.request"
id=$(field documentId)
send "$registry/$id/data" -H 'content-type: application/octet-stream' --data-binary "@$file"
send "$registry/$id/verify" -H 'content-type: application/octet-stream' --data-binary "@$file"
echo "$id: $(field signaturesTotal) signature(s) proved"
