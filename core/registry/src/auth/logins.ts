import { Database } from '../database/database.js'
import type { Employee, Person } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { fieldTooLarge } from '../kernel/field-length.js'
import { newLinkSecret } from '../kernel/ids.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { PartyNames } from '../parties/index.js'
import { UserSettingsStore } from '../settings/index.js'
import {
  authenticationKeyRules,
  authenticationRules,
  type CmsOptions,
  decodeSignature,
  digest,
  type ReadSignature,
  readCms,
  readIdentity,
  SignaturePolicy,
  type SignerRules,
  signatureErrors,
  signerFacts,
  VerifyPresentSignature,
  verifyXmlDocument,
} from '../signatures/index.js'
import { AuthenticationStore } from './authentication-store.js'
import { authErrors } from './errors.js'
import { decodeNonce, nonceIn } from './nonce.js'
import { NonceStore } from './nonce-store.js'
import type { AuthenticationResult } from './schema.js'

/** Enough for a nonce, one signature and its certificates; XML of this length takes about 30 ms to read. */
const MAX_CHARACTERS = 128 * 1024

/**
 * Reads a signature that must be over a nonce: CMS (DER in base64, or PEM), attached or detached, or an XML document whose
 * only text is the nonce in base64, with one signature that covers all of it by one reference. Throws `invalidNonce` when it
 * is over anything else, and the errors of the readers.
 */
function readLoginSignature(signature: string, nonce: Uint8Array, options: Trusted): ReadSignature {
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

/** Purposes are part of the session token, which must fit into a cookie. */
const MAX_PURPOSES = 32

/** What a login certificate says about its holder. Throws `badSignerCertificate` for one without an IIN. */
function authenticationResult(signature: ReadSignature): AuthenticationResult {
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

/** The identity that a signature over a nonce has proved. */
export interface ProvedLogin {
  readonly result: AuthenticationResult
  /** Of the certificate, lower-case hexadecimal. */
  readonly serialNumber: string
  /** RFC 4514. */
  readonly issuer: string
  /** Certificates from the signer to a trust anchor, base64 of DER. */
  readonly path: readonly string[]
}

/** Which certificates people may log in with: those for authentication or signing, or those for authentication only. */
export type LoginCertificates = 'any' | 'authentication'
export const LoginCertificates = port<LoginCertificates>('LoginCertificates', 'defaulted')

/** The key usage that a login certificate must have. */
const loginRules: Readonly<Record<LoginCertificates, SignerRules>> = {
  any: authenticationRules,
  authentication: authenticationKeyRules,
}

/** A session that an authentication begins. Times are milliseconds since the epoch. */
export interface Session {
  readonly caller: (Person | Employee) & { readonly sessionId: string }
  /** Serial number of the certificate, lower-case hexadecimal. */
  readonly serialNumber: string
  readonly authAt: number
  /** When it ends, however often it is renewed. */
  readonly endsAt: number
}

const MAX_SESSION_MS = 12 * 60 * 60_000

/** Verifies signatures over nonces, and begins sessions by them. */
export class Logins {
  static readonly inject = {
    nonces: NonceStore,
    signatures: VerifyPresentSignature,
    policy: SignaturePolicy,
    certificates: LoginCertificates,
    authentications: AuthenticationStore,
    settings: UserSettingsStore,
    names: PartyNames,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof Logins.inject>) {}

  /** A new nonce in base64. */
  async nonce(): Promise<string> {
    return (await this.use.nonces.issue()).toString('base64')
  }

  /** Verifies a signature as of now. The nonce is consumed even if that fails: each allows one attempt. */
  async prove(signed: { readonly nonce: string; readonly signature: string }): Promise<ProvedLogin> {
    const nonce = decodeNonce(signed.nonce)
    if (nonce === undefined) throw authErrors.error('invalidNonce', { reason: 'malformed' })
    if (!(await this.use.nonces.useUp(nonce))) throw authErrors.error('invalidNonce', { reason: 'unknownOrUsed' })
    const trusted = { algorithms: this.use.policy.algorithms, at: this.use.clock.now() }
    const signature = readLoginSignature(signed.signature, nonce, trusted)
    if (signature.signType === 'xml') await this.use.nonces.addUsed(signature.digests.map(({ value }) => value))
    const { certificates } = await this.use.signatures.verify(signature, loginRules[this.use.certificates])
    const { serialNumber, issuer } = signature.signer
    return {
      result: authenticationResult(signature),
      serialNumber,
      issuer: issuer.toString(),
      path: certificates.map(({ der }) => Buffer.from(der).toString('base64')),
    }
  }

  /**
   * Logs an authentication, creates settings for a new user, and begins a session, which ends after 12 hours or with the
   * certificate.
   */
  async begin({ result, ...facts }: ProvedLogin, ip: string): Promise<Session> {
    const { userId: iin, businessId: bin, email, extKeyUsages: authorities } = result
    const authAt = this.use.clock.now()
    const sessionId = newLinkSecret()
    await this.use.database.transaction(async () => {
      await this.use.settings.ensure(iin, { email }, authAt)
      await this.use.names.remember(result, authAt)
      await this.use.authentications.add({ sessionId, authAt, goodAt: authAt, ...facts, ip, result })
    })
    return {
      caller: {
        ...(bin === undefined ? { kind: 'person', iin } : { kind: 'employee', iin, bin, authorities }),
        sessionId,
      },
      serialNumber: facts.serialNumber,
      authAt,
      endsAt: Math.min(authAt + MAX_SESSION_MS, result.certificateValidUntil),
    }
  }
}
