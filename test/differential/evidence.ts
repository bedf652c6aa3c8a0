import { createHash } from 'node:crypto'
import { defaultAlgorithmPolicy, requireTrusted } from '#verifier/algorithms/policy.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { DerError } from '#verifier/der/reader.js'
import { buildPath } from '#verifier/path/build-path.js'
import type { Trust } from '#verifier/path/trust.js'
import { verifyOcsp } from '#verifier/status/verify-ocsp.js'
import { verifyTimeStamp } from '#verifier/timestamp/verify-time-stamp.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import type { Case } from './compare.js'
import type { Opinion } from './opinion.js'

/** What paths end in and are built with, all DER, and the moment that is judged. */
interface Authorities {
  /** What is odd about the case, where a disagreement depends on it. */
  readonly traits?: readonly string[]
  readonly time: number
  readonly anchor: Uint8Array
  readonly others: readonly Uint8Array[]
}

/** A path from a certificate to the anchor; where there are CRLs they have to show that each of it is good. */
export interface PathInput extends Authorities {
  readonly leaf: Uint8Array
  readonly crls?: readonly Uint8Array[]
}

/** A CMS over data, whose signers have paths. */
export interface MessageInput extends Authorities {
  readonly cms: Uint8Array
  readonly data: Uint8Array
}

/** A time-stamp token over data, whose authority has a path. */
export interface StampInput extends Authorities {
  readonly token: Uint8Array
  readonly data: Uint8Array
}

/** An OCSPResponse that has to say of a certificate that it is good. */
export interface AnswerInput extends Authorities {
  readonly response: Uint8Array
  readonly certificate: Uint8Array
  readonly issuer: Uint8Array
}

type Asked<I> = (input: I) => Opinion | Promise<Opinion>

/** Somebody who judges the same as we do. */
export interface Judge {
  readonly path: Asked<PathInput>
  readonly message: Asked<MessageInput>
  readonly stamp: Asked<StampInput>
  readonly answer: Asked<AnswerInput>
}

export const pathCase = (input: PathInput, by: Pick<Judge, 'path'>): Case => ({
  files: filesOf(input),
  traits: input.traits ?? [],
  ours: () => {
    const crls = input.crls?.map((der) => Crl.parse(der))
    const trust = crls === undefined ? trustIn(input) : { ...trustIn(input), crls }
    const crlUse = crls === undefined ? 'none' : 'required'
    buildPath(Certificate.parse(input.leaf), { trust, time: input.time, crlUse })
  },
  theirs: () => by.path(input),
})

export const messageCase = (input: MessageInput, by: Pick<Judge, 'message'>): Case => ({
  files: filesOf(input),
  traits: input.traits ?? [],
  ours: () => {
    const { signer, certificates, digests, scheme } = readCms(input.cms)
    requireTrusted(defaultAlgorithmPolicy, scheme, signer.publicKey, input.time)
    buildPath(signer, { trust: trustIn(input), candidates: certificates, time: input.time })
    for (const { oid, value } of digests)
      if (!digestOf(oid, input.data).equals(value)) throw new DerError('digest of other data')
  },
  theirs: () => by.message(input),
})

export const stampCase = (input: StampInput, by: Pick<Judge, 'stamp'>): Case => ({
  files: filesOf(input),
  traits: input.traits ?? [],
  ours: () => verifyTimeStamp(input.token, input.data, { trust: trustIn(input), now: input.time }),
  theirs: () => by.stamp(input),
})

export const answerCase = (input: AnswerInput, by: Pick<Judge, 'answer'>): Case => ({
  files: filesOf(input),
  traits: input.traits ?? [],
  ours: () => {
    const [certificate, issuer] = [Certificate.parse(input.certificate), Certificate.parse(input.issuer)]
    const { time } = input
    verifyOcsp(input.response, { certificate, issuer, trust: trustIn(input), time, now: time })
  },
  theirs: () => by.answer(input),
})

const trustIn = ({ anchor, others }: Authorities): Trust => ({
  anchors: [Certificate.parse(anchor)],
  intermediates: others.map((der) => Certificate.parse(der)),
})

const DIGESTS: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
}
/** By Node, so that our table of digests is not compared with itself; another one is never the digest of the data. */
function digestOf(oid: string, data: Uint8Array): Buffer {
  const name = DIGESTS[oid]
  return name === undefined ? Buffer.alloc(0) : createHash(name).update(data).digest()
}

/** Every part of an input as a file, to be kept where a case fails. */
function filesOf(input: object): Record<string, Uint8Array | string> {
  const files: Record<string, Uint8Array | string> = {}
  for (const [name, value] of Object.entries(input)) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const [index, one] of list.entries())
      files[`${name}-${index}`] = one instanceof Uint8Array ? one : `${String(one)}\n`
  }
  return files
}
