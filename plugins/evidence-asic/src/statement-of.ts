import type { Bundle, DocumentInBundle, SignatureInBundle } from '@signed-registry/core'
import {
  COVERAGE_VERSION,
  type DocumentStatement,
  type EvidenceStatement,
  type LogStatement,
  RECORDS_VERSION,
  recordFiles,
  type SignatureStatement,
  STATEMENT_TYPE,
  STATEMENT_VERSION,
  statedTime,
} from '@signed-registry/verifier/evidence'
import type { BundleFile } from './bundle-files.js'
import { evidenceFiles, placeOf } from './file-places.js'
import { logFilesOf, logKeysOf } from './log-files.js'

/** What `evidence.json` says of a bundle. */
export function statementOf(bundle: Bundle, files: readonly BundleFile[]): EvidenceStatement {
  const { registry, rules, asOf, package: pack, documents, anchors, timeStampPolicies } = bundle
  const log = logFilesOf(bundle)
  const logKeys = logKeysOf(bundle)
  return {
    type: `${STATEMENT_TYPE};version=${versionOf(bundle)}`,
    registry: { origin: registry.origin, name: registry.name, statementKey: registry.statementKey },
    rules,
    asOf: statedTime(asOf),
    ...(pack && {
      package: {
        packageId: pack.packageId,
        title: pack.title,
        description: pack.description,
        storedAt: statedTime(pack.storedAt),
      },
    }),
    documents: documents.map((one) => documentStatement(bundle, one, log)),
    hints: { anchors, timeStampPolicies, ...(logKeys.length > 0 && { logKeys }) },
    files: files.map(({ stated }) => stated),
  }
}

function versionOf({ documents }: Pick<Bundle, 'documents'>): string {
  const signatures = documents.flatMap((one) => one.signatures)
  if (signatures.some(({ coverage }) => coverage !== undefined)) return COVERAGE_VERSION
  return signatures.some(({ record }) => record !== undefined) ? RECORDS_VERSION : STATEMENT_VERSION
}

function documentStatement(
  bundle: Bundle,
  document: DocumentInBundle,
  log: ReturnType<typeof logFilesOf>,
): DocumentStatement {
  const logged = log.digests(document)
  const original = placeOf(bundle, document)
  const digests = [...document.digests].map(([oid, value]) => [oid, Buffer.from(value).toString('hex')] as const)
  return {
    documentId: document.documentId,
    title: document.title,
    description: document.description,
    private: document.isPrivate,
    storedAt: statedTime(document.storedAt),
    size: document.size,
    digests: Object.fromEntries(digests.sort(([one], [other]) => (one < other ? -1 : 1))),
    ...(original && { original }),
    ...(logged && { log: logged }),
    signatures: document.signatures.map((one) => signatureStatement(one, log.signature(one))),
  }
}

function signatureStatement(given: SignatureInBundle, log: LogStatement | undefined): SignatureStatement {
  const { ocsp, crls, ...names } = evidenceFiles(given)
  return {
    signId: given.signId,
    signType: given.signType,
    storedAt: statedTime(given.storedAt),
    ...names,
    ...(ocsp !== undefined && { ocsp }),
    ...(crls.length > 0 && { crls }),
    ...(given.coverage && { coverage: given.coverage }),
    ...(log && { log }),
    ...(given.record && { record: recordFiles(given.signId) }),
  }
}
