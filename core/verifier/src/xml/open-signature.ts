import { createHash } from 'node:crypto'
import { type AlgorithmPolicy, defaultAlgorithmPolicy, requireTrusted } from '../algorithms/policy.js'
import { xmlSignatureScheme } from '../algorithms/xml-signature-scheme.js'
import type { DocumentContent } from '../document-content.js'
import { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import { type EvidenceTaken, evidenceFields, type ReadSignature } from '../signature.js'
import type { Certificate } from '../x509/certificate.js'
import { addCertificateValues, readCarriedEvidence } from './embedded-evidence.js'
import { readKeyInfo } from './key-info.js'
import type { XmlLimits } from './limits.js'
import type { XmlElement } from './node.js'
import { type QualifyingProperties, readQualifyingProperties } from './qualifying-properties.js'
import { readSignatureElement, type SignatureElement } from './signature-element.js'
import { type ValueOptions, verifyValue } from './signature-value.js'
import { readSignedInfo, type SignedInfo } from './signed-info.js'
import { namedBySigningCertificate } from './signing-certificate.js'
import { invalid } from './xml-errors.js'
import type { XmlIds } from './xml-ids.js'

/** Options for verifying XML signatures. */
export interface XmlSignatureOptions extends ValueOptions {
  /** Which algorithms are trusted; the default refuses MD5, SHA-1 and RSA below 2048 bits. */
  readonly algorithms?: AlgorithmPolicy
  /** The time (ms) for the policy; if absent, only algorithms that are never trusted are refused. */
  readonly at?: number
  readonly limits?: XmlLimits
  /** Which embedded evidence is read; default `one`. */
  readonly evidence?: EvidenceTaken
  /** Required coverage: `document` (default), or also `element`, which leaves parts of the document unsigned. */
  readonly covers?: 'document' | 'element'
  /**
   * Returns the bytes for an external reference (ASiC), or digests of them by OID, which suffice where the reference has no
   * canonicalization; `undefined` if there are none: then the reference is refused. Nothing is ever fetched.
   */
  readonly resolve?: (uri: string) => DocumentContent | undefined
  /**
   * The content of the single external reference that `resolve` cannot find, whatever its URI: most detached signatures
   * refer to a file name. For a stand-alone signature only its presence matters.
   */
  readonly externalDocument?: Uint8Array | ReadonlyMap<string, Uint8Array>
  /** For a stand-alone signature over several files: the URI of the one that is its document; the others are not compared. */
  readonly documentUri?: string | undefined
}

/** A parsed signature; its value and references are not verified yet. */
export interface OpenSignature {
  readonly parts: SignatureElement
  readonly info: SignedInfo
  readonly properties: QualifyingProperties | undefined
}

/** Parses a ds:Signature; throws `signatureNotParsed`, or an error about its algorithms. */
export function openSignature(element: XmlElement, options: XmlSignatureOptions = {}): OpenSignature {
  const parts = readSignatureElement(element)
  const { algorithms = defaultAlgorithmPolicy, at = 0 } = options
  const info = readSignedInfo(parts.signedInfo, algorithms, at)
  return { parts, info, properties: readQualifyingProperties(parts) }
}

/** Finds the signer, verifies the signature value with its key and reads the evidence; references are left to the caller. */
export function readSigner(
  { parts, info, properties }: OpenSignature,
  ids: XmlIds,
  options: XmlSignatureOptions,
): Omit<ReadSignature, 'kept' | 'digests'> {
  const { algorithms = defaultAlgorithmPolicy, at = 0 } = options
  const certificates = readKeyInfo(parts.keyInfo, ids)
  const { candidates, named } = namedBySigningCertificate(certificates, properties, algorithms, at)
  const signer = chooseSigner(candidates, info, parts.value, options)
  const key = signer.publicKey
  const scheme = xmlSignatureScheme(info.method.uri, key, info.method.pss)
  requireTrusted(algorithms, scheme, key, at)
  const taken = options.evidence ?? 'one'
  addCertificateValues(certificates, properties, taken)
  const carried = readCarriedEvidence(properties, parts, taken)
  return {
    signType: 'xml',
    signer,
    certificateNamed: named,
    certificates,
    scheme,
    signAlgorithm: scheme.oid,
    signatureValue: parts.value,
    fingerprint: createHash('sha256').update(signer.tbs).update(info.bytes).digest(),
    ...evidenceFields(carried, carried.answers[0]),
  }
}

/**
 * The candidate whose key verifies the signature value. Two certificates with that key are refused: nothing signed says which
 * of them is meant.
 */
function chooseSigner(
  candidates: readonly Certificate[],
  info: SignedInfo,
  value: Uint8Array,
  options: ValueOptions,
): Certificate {
  if (candidates.length === 0) throw signatureErrors.error('badSignerCertificate', { reason: 'certificateMissing' })
  let unusable: RegistryError | undefined
  const verdicts = new Map<string, boolean>()
  const signers = candidates.filter((candidate) => {
    const key = Buffer.from(candidate.spki).toString('base64')
    try {
      const verdict = verdicts.get(key) ?? verifyValue(info, value, candidate.publicKey, options)
      verdicts.set(key, verdict)
      return verdict
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      unusable ??= error
      return false
    }
  })
  const [signer, ...others] = signers
  if (signer === undefined) throw verdicts.size === 0 && unusable !== undefined ? unusable : invalid('signatureValue')
  if (others.length > 0) throw signatureErrors.error('badSignerCertificate', { reason: 'signerAmbiguous' })
  return signer
}
