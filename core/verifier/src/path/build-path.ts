import { defaultAlgorithmPolicy } from '../algorithms/policy.js'
import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import { itemAt } from '../item-at.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import { Budget, DEFAULT_STEPS, VALIDATION_STEPS } from './budget.js'
import { type Candidate, candidateIssuers, certificatesOf, mayIssue } from './candidate-issuers.js'
import { knownPath, pathKey, rememberPath } from './known-paths.js'
import type { CertificatePath, PathCheck, PathContext } from './path-context.js'
import { failureFacts, pathFailure } from './path-failure.js'
import { requireUnrevoked } from './path-status.js'
import { authorityKey, isSignedBy } from './signed-by.js'
import { trustIndex } from './trust.js'
import { type PathRules, validatePath } from './validate-path.js'

const MAX_CERTIFICATES = 12
const MAX_GIVEN = 200

/**
 * Builds a valid path from the certificate to a trust anchor at a time, trying every issuer with the right name within a budget
 * of steps. Throws `certificateIssuerUnknown` when no known authority signed it, `signerCertificateNotValidNow`,
 * `algorithmNotTrusted`, `certificateSignatureAlgorithmNotSupported`, or `certificatePathNotBuilt` with the reason for which the
 * most promising path failed. Every error has `{ reason, certificate, at }`.
 */
export function buildPath(leaf: Certificate, context: PathContext): CertificatePath {
  const key = pathKey(leaf, context)
  const known = key === undefined ? undefined : knownPath(key, context)
  if (known !== undefined) return known
  const search = new PathSearch(context, new Budget(context.budget ?? DEFAULT_STEPS))
  const path = search.from(leaf)
  return key === undefined || search.hadChoice ? path : rememberPath(key, context, path)
}

class PathSearch {
  private readonly rules: PathRules
  private readonly given: readonly Certificate[]
  /** Whether there were alternatives, so that the result may differ at another time. */
  hadChoice = false
  private failure: { readonly rank: number; readonly error: RegistryError } | undefined

  constructor(
    private readonly context: PathContext,
    budget: Budget,
    private readonly statusOfSigner?: PathCheck,
  ) {
    const { time, policies, purposes, algorithms = defaultAlgorithmPolicy } = context
    this.rules = { time, now: context.now ?? time, policies, purposes, algorithms, budget }
    this.given = context.candidates ?? []
  }

  from(leaf: Certificate): CertificatePath {
    if (this.given.filter(mayIssue).length > MAX_GIVEN) throw this.refusal('tooManyCertificates', leaf)
    const found = this.isAnchor(leaf) ? this.judge([leaf]) : this.extend([leaf])
    if (found !== undefined) return found
    throw this.failure?.error ?? this.unknownIssuer(leaf.isSelfIssued ? 'selfSigned' : 'noIssuer', leaf)
  }

  /** Depth-first search; a candidate is followed only if its key verifies the signature. */
  private extend(path: readonly Certificate[]): CertificatePath | undefined {
    const last = itemAt(path, path.length - 1)
    const candidates = this.candidatesFor(last).filter((candidate) => this.isAuthority(candidate, path))
    if (candidates.length === 0) this.note(0, path, this.unknownIssuer('noIssuer', last))
    if (candidates.length > 1) this.hadChoice = true
    for (const { certificate: issuer, isAnchor } of candidates) {
      this.rules.budget.spend(path.length)
      if (path.some((other) => isSameEntity(other, issuer)) || !this.follows(path, last, issuer)) continue
      const longer = [...path, issuer]
      const found = isAnchor ? this.judge(longer) : this.tooLong(longer) ? undefined : this.extend(longer)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Skips certificates that are not CAs before any signature is verified; anchors may predate basic constraints. */
  private isAuthority({ certificate, isAnchor }: Candidate, path: readonly Certificate[]): boolean {
    if (isAnchor || mayIssue(certificate)) return true
    this.rules.budget.spend()
    try {
      const { basicConstraints } = certificate.extensions
      const reason = basicConstraints === undefined ? 'basicConstraintsMissing' : 'notAnAuthority'
      this.note(2, path, this.refusal(reason, certificate))
    } catch (error) {
      if (!(error instanceof DerError)) throw error
      this.note(2, path, this.refusal('certificateMalformed', certificate))
    }
    return false
  }

  private judge(path: readonly Certificate[]): CertificatePath | undefined {
    this.rules.budget.spend(VALIDATION_STEPS * path.length)
    try {
      const { policies } = validatePath(path, this.rules)
      if (this.statusOfSigner !== undefined) this.statusOfSigner(path)
      const witnesses = this.statusOfSigner === undefined ? this.requireUnrevoked(path) : undefined
      this.context.check?.(path)
      return { certificates: path, policies, ...(witnesses && { witnesses }) }
    } catch (error) {
      this.noteRefusal(3, path, error)
      return undefined
    }
  }

  private requireUnrevoked(path: readonly Certificate[]): CertificatePath['witnesses'] {
    const { trust, crlUse = 'whenKnown' } = this.context
    const crls = [...(trust.crls ?? []), ...(this.context.crls ?? [])]
    if (crlUse === 'none' || (crls.length === 0 && crlUse === 'whenKnown')) return undefined
    const { time, now, algorithms, budget } = this.rules
    const required = crlUse === 'required' ? 'all' : crlUse === 'leaf' ? 'leaf' : 'none'
    const witnesses = { crls: new Set<Crl>(), signers: new Set<Certificate>(), good: new Set<Certificate>() }
    requireUnrevoked(path, {
      ...{ time, now, crls, required, algorithms, budget, witnesses },
      certificatesOf: (name) => certificatesOf(name, trust, this.given),
      hasPath: (certificate, anchor, at, check) => this.hasPath(certificate, anchor, at, check),
    })
    return { ...witnesses, crls: [...witnesses.crls], signers: [...witnesses.signers] }
  }

  /** Whether the certificate of a CRL signer has a valid path, within the same budget. */
  private hasPath(certificate: Certificate, anchor: Certificate, time: number, check: PathCheck): boolean {
    const trust = { anchors: [anchor], intermediates: this.context.trust.intermediates }
    const context = { ...this.context, trust, time, policies: undefined, purposes: undefined, check: undefined }
    try {
      new PathSearch(context, this.rules.budget, check).from(certificate)
      return true
    } catch (error) {
      if (!(error instanceof RegistryError) || this.rules.budget.exhausted) throw error
      return false
    }
  }

  /** Whether the issuer's key verifies the signature; the reason is noted if not. */
  private follows(path: readonly Certificate[], certificate: Certificate, issuer: Certificate): boolean {
    try {
      // A DSA key may inherit parameters, which are known only from the anchor down: path validation verifies it.
      if (inheritsParameters(issuer)) return true
      if (isSignedBy(certificate, issuer, authorityKey(issuer, this.rules.time), certificate, this.rules)) return true
      this.note(1, path, this.unknownIssuer('signatureMismatch', certificate))
    } catch (error) {
      this.noteRefusal(2, path, error)
    }
    return false
  }

  private candidatesFor(certificate: Certificate): Candidate[] {
    try {
      return candidateIssuers(certificate, this.context.trust, this.given)
    } catch (error) {
      if (!(error instanceof DerError)) throw error
      this.note(2, [certificate], this.refusal('certificateMalformed', certificate))
      return []
    }
  }

  private tooLong(path: readonly Certificate[]): boolean {
    if (path.length < MAX_CERTIFICATES) return false
    this.note(2, path, this.refusal('pathTooLong', itemAt(path, path.length - 1)))
    return true
  }

  /** An error ends only this branch; an exhausted budget ends the search. */
  private noteRefusal(rank: number, path: readonly Certificate[], error: unknown): void {
    if (!(error instanceof RegistryError) || this.rules.budget.exhausted) throw error
    this.note(rank, path, error)
  }

  /** Keeps the error of the most promising path: by kind, then by length. */
  private note(kind: number, path: readonly Certificate[], error: RegistryError): void {
    const rank = kind * 100 + path.length
    if (this.failure === undefined || rank > this.failure.rank) this.failure = { rank, error }
  }

  private isAnchor({ fingerprint }: Certificate): boolean {
    return trustIndex(this.context.trust).anchored.has(fingerprint)
  }

  private unknownIssuer(reason: string, certificate: Certificate): RegistryError {
    const facts = failureFacts(reason, certificate, this.rules.time, {
      issuer: certificate.issuer.toString().slice(0, 500),
    })
    return signatureErrors.error('certificateIssuerUnknown', facts)
  }

  private refusal(reason: string, certificate: Certificate): RegistryError {
    return pathFailure(reason, certificate, this.rules.time)
  }
}

/** Equal name and key: including it again would form a loop. */
const isSameEntity = (a: Certificate, b: Certificate): boolean =>
  a === b || (Buffer.compare(a.spki, b.spki) === 0 && a.subject.equals(b.subject))

const DSA_WITHOUT_PARAMETERS = Buffer.from('300906072a8648ce380401', 'hex')

const inheritsParameters = ({ spki }: Certificate): boolean =>
  Buffer.from(spki.buffer, spki.byteOffset, Math.min(spki.length, 24)).includes(DSA_WITHOUT_PARAMETERS)
