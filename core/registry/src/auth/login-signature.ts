import { fieldTooLarge } from '../kernel/field-length.js'
import {
  type CmsOptions,
  decodeSignature,
  digest,
  type ReadSignature,
  readCms,
  readIdentity,
  signatureErrors,
  signerFacts,
  verifyXmlDocument,
} from '../signatures/index.js'
import { authErrors } from './errors.js'
import { nonceIn } from './nonce.js'
import type { AuthenticationResult } from './schema.js'

/** A nonce, one signature and its certificates; XML of that length is read in some 30 ms. */
const MAX_CHARACTERS = 128 * 1024

/**
 * Reads a signature that must be over a nonce: CMS (DER in base64, or PEM) with the nonce as its content or detached
 * from it, or an XML document whose only text is the nonce in base64 and which its one signature covers as a whole,
 * by one reference.
 * `options` say which algorithms are trusted. Throws `invalidNonce` when it is over anything else, and what the readers refuse.
 */
export function readLoginSignature(signature: string, nonce: Uint8Array, options: Trusted): ReadSignature {
  if (signature.length > MAX_CHARACTERS) throw fieldTooLarge('signature', MAX_CHARACTERS)
  return signature.trimStart().startsWith('<')
    ? readXml(signature, nonce, options)
    : readCmsOver(signature, nonce, options)
}

type Trusted = Pick<CmsOptions, 'algorithms' | 'at'>

function readCmsOver(signature: string, nonce: Uint8Array, options: Trusted): ReadSignature {
  const read = readCms(decodeSignature(signature), options)
  const isOver =
    read.content === undefined
      ? read.digests.every(({ oid, value }) => digest(oid, nonce).equals(value))
      : Buffer.from(read.content).equals(nonce)
  if (!isOver) throw authErrors.error('invalidNonce', { reason: 'signedOther' })
  return read
}

function readXml(text: string, nonce: Uint8Array, options: Trusted): ReadSignature {
  const { signature, covers, signedBytes, contents } = verifyXmlDocument(text, { ...options, covers: 'element' })
  if (covers !== 'document' || contents.length !== 1)
    throw authErrors.error('invalidNonce', { reason: 'documentNotSigned' })
  if (!nonceIn(signedBytes)?.equals(nonce)) throw authErrors.error('invalidNonce', { reason: 'signedOther' })
  return signature
}

/** Purposes become part of the session token, which has to fit into a cookie. */
const MAX_PURPOSES = 32

/** What the certificate of a login says about its holder. Throws `badSignerCertificate` for one without an IIN. */
export function authenticationResult(signature: ReadSignature): AuthenticationResult {
  const { userId, businessId, subjectAltName, subjectAltNameStructure, keyStorage, ...facts } = signerFacts(signature)
  const { email } = readIdentity(signature.signer)
  if (facts.extKeyUsages.length > MAX_PURPOSES) {
    throw signatureErrors.error('badSignerCertificate', { reason: 'tooManyPurposes', most: MAX_PURPOSES })
  }
  return {
    userId,
    ...(businessId !== undefined && { businessId }),
    ...(email !== undefined && { email }),
    subject: facts.subject,
    subjectStructure: facts.subjectStructure,
    ...(subjectAltName !== undefined && { subjectAltName }),
    ...(subjectAltNameStructure !== undefined && { subjectAltNameStructure }),
    signAlgorithm: facts.signAlgorithm,
    ...(keyStorage !== undefined && { keyStorage }),
    policyIds: facts.policyIds,
    extKeyUsages: facts.extKeyUsages,
    certificateValidFrom: facts.from,
    certificateValidUntil: facts.until,
  }
}
