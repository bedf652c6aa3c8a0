"""Registers a file and the signature of it, then proves it: register.py http://127.0.0.1:8080 FILE SIGNATURE.b64"""

import json
import os
import sys
import urllib.error
import urllib.request


def send(address, body, content_type):
    request = urllib.request.Request(address, data=body, headers={"content-type": content_type})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        # `code` is stable; GET /api/strings has its texts in three languages.
        problem = json.load(refusal)
        sys.exit(f"{problem['code']}: {problem['message']} (request {problem['requestID']})")


def main(registry, path, signature_path):
    with open(path, "rb") as file, open(signature_path) as signature:
        original, base64 = file.read(), signature.read().strip()
    registration = json.dumps({"title": os.path.basename(path), "signature": base64}).encode()
    document_id = send(f"{registry}/api", registration, "application/json")["documentId"]
    send(f"{registry}/api/{document_id}/data", original, "application/octet-stream")
    proved = send(f"{registry}/api/{document_id}/verify", original, "application/octet-stream")["signaturesTotal"]
    print(f"{document_id}: {proved} signature(s) proved")


if __name__ == "__main__":
    main(*sys.argv[1:])
