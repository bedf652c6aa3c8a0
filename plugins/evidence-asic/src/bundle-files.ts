import { createHash } from 'node:crypto'
import type { Bundle, DocumentInBundle, SignatureInBundle } from '@signed-registry/core'
import { joinCms, pem } from '@signed-registry/verifier'
import {
  BUNDLE_TYPE,
  CERTIFICATES_FILE,
  CONTAINER_TYPE,
  type FileHash,
  type FileStatement,
  isJoined,
  recordFiles,
  SIGNATURES_FILE,
} from '@signed-registry/verifier/evidence'
import { evidenceFiles, placeOf } from './file-places.js'
import { logFilesOf } from './log-files.js'
import { readmeText } from './readme/readme.js'
import { container, streamed, type ZipFile } from './write-zip.js'

/** A file of a bundle, and how `evidence.json` names it. */
export interface BundleFile {
  readonly file: ZipFile
  readonly stated: FileStatement
}

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** The first file: what kind of file this is. */
export const MEDIA_TYPE: ZipFile = { name: 'mimetype', content: Buffer.from(BUNDLE_TYPE) }

/** Every file of a bundle that `evidence.json` names, in order. */
export function bundleFiles(bundle: Bundle): BundleFile[] {
  const { reports, documents } = bundle
  return [
    inMemory('README.txt', readmeText(bundle)),
    inMemory('report.kk.html', reports.html.kk),
    inMemory('report.ru.html', reports.html.ru),
    inMemory('report.en.html', reports.html.en),
    inMemory('report.xml', reports.xml),
    inMemory(CERTIFICATES_FILE, bundle.certificates.map((der) => pem('CERTIFICATE', der)).join('')),
    ...documents.flatMap(({ signatures }) => signatures.flatMap(signatureFiles)),
    ...logFilesOf(bundle)
      .all()
      .map(({ name, content }) => inMemory(name, content)),
    ...documents.flatMap(({ signatures }) => signatures.flatMap(recordFilesOf)),
    ...documents.flatMap((one) => originalFile(bundle, one)),
  ]
}

function signatureFiles(signature: SignatureInBundle): BundleFile[] {
  const names = evidenceFiles(signature)
  return [
    inMemory(names.signature, signature.signed),
    inMemory(names.timeStamp, signature.timeStamp),
    inMemory(names.stamped, signature.stamped),
    ...(names.ocsp === undefined || signature.ocsp === undefined ? [] : [inMemory(names.ocsp, signature.ocsp)]),
    ...signature.crls.flatMap((crl, index) => inMemory(names.crls[index] ?? '', crl)),
  ]
}

function recordFilesOf({ signId, record }: SignatureInBundle): BundleFile[] {
  if (record === undefined) return []
  const names = recordFiles(signId)
  return [inMemory(names.object, record.object), inMemory(names.record, record.record)]
}

function originalFile(bundle: Bundle, document: DocumentInBundle): BundleFile[] {
  const place = placeOf(bundle, document)
  if (place === undefined || document.original === undefined) return []
  const { bytes } = document.original
  const content = streamed(document.size, () => bytes())
  const stated = { name: place.file, size: document.size, sha256: hashOf(document) }
  if (place.container === undefined) return [{ file: { name: place.file, content }, stated }]
  const cms = document.signatures.filter(isJoined).map(({ signed }) => signed)
  const joined = inMemory(SIGNATURES_FILE, joinCms(undefined, cms))
  const inside = container([
    { name: 'mimetype', content: Buffer.from(CONTAINER_TYPE) },
    { name: place.file, content },
    joined.file,
  ])
  return [
    {
      file: { name: place.container, content: inside },
      stated: { name: place.container, files: [stated, joined.stated] },
    },
  ]
}

/** The hash that was fixed: reading fails where the original has another. */
function hashOf({ documentId, digests }: DocumentInBundle): string {
  const hash = digests.get(SHA_256)
  if (hash === undefined) throw new TypeError(`The SHA-256 of document ${documentId} is not fixed`)
  return Buffer.from(hash).toString('hex')
}

function inMemory(name: string, given: Uint8Array | string): { file: ZipFile; stated: FileHash } {
  const content = typeof given === 'string' ? Buffer.from(given) : given
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { file: { name, content }, stated: { name, size: content.length, sha256 } }
}
