import { fieldTooLarge } from '../kernel/field-length.js'
import { decodeSignature, digest, type ReadSignature, readCms, verifyXmlDocument } from '../signatures/index.js'
import { authErrors } from './errors.js'
import { nonceIn } from './nonce.js'

const MOST_CHARACTERS = 512 * 1024

/**
 * Reads a signature that must be over a nonce: CMS (DER in base64, or PEM) with the nonce as its content or detached
 * from it, or an XML document whose only text is the nonce in base64 and which its one signature covers as a whole,
 * by one reference.
 * Throws `invalidNonce` when it is over anything else, and what the readers refuse.
 */
export function readLoginSignature(signature: string, nonce: Uint8Array): ReadSignature {
  if (signature.length > MOST_CHARACTERS) throw fieldTooLarge('signature', MOST_CHARACTERS)
  return signature.trimStart().startsWith('<') ? readXml(signature, nonce) : readCmsOver(signature, nonce)
}

function readCmsOver(signature: string, nonce: Uint8Array): ReadSignature {
  const read = readCms(decodeSignature(signature))
  const isOver =
    read.content === undefined
      ? read.digests.every(({ oid, value }) => digest(oid, nonce).equals(value))
      : Buffer.from(read.content).equals(nonce)
  if (!isOver) throw authErrors.error('invalidNonce', { reason: 'signedOther' })
  return read
}

function readXml(text: string, nonce: Uint8Array): ReadSignature {
  const { signature, covers, signedBytes, contents } = verifyXmlDocument(text)
  if (covers !== 'document' || contents.length !== 1)
    throw authErrors.error('invalidNonce', { reason: 'documentNotSigned' })
  if (!nonceIn(signedBytes)?.equals(nonce)) throw authErrors.error('invalidNonce', { reason: 'signedOther' })
  return signature
}
