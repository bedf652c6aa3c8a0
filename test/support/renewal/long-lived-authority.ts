import { type Plugin, TimestampSource, TrustStore, watch } from '@signed-registry/core'
import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { Certificate, Crl, type Trust } from '@signed-registry/verifier'
import type { TimeStampChange } from '#dev-authorities/authority/time-stamping.js'
import { CertificationAuthority } from '#dev-authorities/certification-authority.js'
import type { Holder } from '#dev-authorities/cms/signed-data.js'
import type { HashName } from '#dev-authorities/hashes.js'
import { generateKey } from '#dev-authorities/keys.js'
import { signCertificate } from '#dev-authorities/x509/certificate.js'
import { authorityKeyIdentifier } from '#dev-authorities/x509/extensions.js'
import { name } from '#dev-authorities/x509/name.js'
import { caProfile } from '#dev-authorities/x509/profiles.js'
import { DAY, type TestClock } from '../pki/authorities.js'
import { honestTsaExtensions } from '../pki/tokens.js'

const YEAR = 365 * DAY

/** Of any curve: what ends in these stories are certificates and digests. Longer ones take up to twenty times as long to verify. */
const newKey = () => generateKey('p256')

/** A root that certifies time-stamping authorities. */
function newRoot(from: number, years: number, hash: HashName): CertificationAuthority {
  const key = newKey()
  const subject = name(['CN', `ROOT OF ${new Date(from).getUTCFullYear()}`], ['C', 'KZ'])
  const extensions = [...caProfile(key.spki), authorityKeyIdentifier(key.spki)]
  const validity = { notBefore: from, notAfter: from + years * YEAR }
  const certificate = signCertificate({ ...validity, subject, issuer: subject, spki: key.spki, extensions }, key, hash)
  return new CertificationAuthority({ key, certificate })
}

/** Time-stamping authorities that follow each other, certified by roots that follow each other. */
export class LongLivedAuthority {
  /** How often one was asked. */
  asked = 0
  isDown = false
  /** Set while its roots are missing from the trust. */
  isUnknown = false
  /** How the present one misbehaves. */
  change: TimeStampChange | undefined
  private hash: HashName = 'sha256'
  private root: CertificationAuthority
  private readonly roots: CertificationAuthority[] = []
  private present: Holder
  private trust: Trust | undefined

  constructor(
    private readonly authorities: DevAuthorities,
    private readonly clock: TestClock,
    years: number,
  ) {
    this.root = this.newRoot(15, 'sha256')
    this.present = this.certified(years)
  }

  /** Everything of it for a registry. */
  readonly plugin: Plugin = {
    name: 'long-lived-authority',
    watches: [
      watch(TimestampSource, () => ({
        url: 'http://tsa.test.invalid/',
        timestamp: async (request) => this.answer(request),
      })),
      watch(TrustStore, (store) => ({
        state: () => store.state(),
        trust: () => {
          if (this.isUnknown) return store.trust()
          this.trust ??= this.trustWith(store.trust())
          return this.trust
        },
      })),
    ],
  }

  /** The present authority, for tests that steal its key. */
  get holder(): Holder {
    return this.present
  }

  /** Goes on with another certificate, valid for some years from now. */
  rollOver(years: number): void {
    this.present = this.certified(years)
  }

  /** Goes on with another root, which signs by another digest; its authorities too. */
  newGeneration(rootYears: number, hash: HashName, years: number): void {
    this.root = this.newRoot(rootYears, hash)
    this.present = this.certified(years)
  }

  /** Revokes an authority in the CRLs of the trust. */
  revoke(holder: Holder, at: number, reason: 'keyCompromise' | 'cessationOfOperation'): void {
    for (const root of this.roots) root.revoke(holder.certificate, at, reason)
    this.trust = undefined
  }

  /** Gives current CRLs, once there are any. */
  refresh(): void {
    this.trust = undefined
  }

  private newRoot(years: number, hash: HashName): CertificationAuthority {
    const root = newRoot(this.clock.time - DAY, years, hash)
    this.hash = hash
    this.roots.push(root)
    this.trust = undefined
    return root
  }

  private certified(years: number): Holder {
    const key = newKey()
    const certificate = this.root.issue({
      subject: name(['CN', `TSA OF ${new Date(this.clock.time).toISOString().slice(0, 7)}`], ['C', 'KZ']),
      spki: key.spki,
      notBefore: this.clock.time - DAY,
      notAfter: this.clock.time + years * YEAR,
      extensions: honestTsaExtensions,
      hash: this.hash,
    })
    return { key, certificate }
  }

  private answer(request: Uint8Array): Buffer {
    this.asked += 1
    if (this.isDown) throw new Error('The authority is down')
    const { present, hash } = this
    return this.authorities.tsa.respond(request, (honest) => ({
      ...{ signer: present, hash, certificates: [present.certificate] },
      ...this.change?.(honest),
    }))
  }

  private trustWith(known: Trust): Trust {
    const roots = this.roots.map(({ certificate }) => Certificate.parse(certificate))
    const crls = this.roots.map((root) => Crl.parse(root.crl(this.clock.time)))
    return { ...known, anchors: [...known.anchors, ...roots], crls: [...(known.crls ?? []), ...crls] }
  }
}
