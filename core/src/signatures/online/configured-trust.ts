import type { Clock } from '../../kernel/clock.js'
import { publicKey } from '../algorithms/public-key.js'
import { signatureScheme } from '../algorithms/signature-scheme.js'
import type { Trust } from '../path/trust.js'
import type { TrustState, TrustStore } from '../ports.js'
import { Certificate } from '../x509/certificate.js'
import { Crl } from '../x509/crl.js'
import { readTrustFiles, type TrustEntry, type TrustFile, trustEntries, trustFilesState } from './trust-files.js'

const CHECK_EVERY = 60_000

/**
 * The operator's certificates and CRLs, from a file or folder, or given in code. Self-signed certificates are trust
 * anchors, the others issuing CAs for path building. Files are looked at again every minute that trust is asked for;
 * a set that cannot be loaded is reported in `state()` and the last good one stays.
 */
export class ConfiguredTrust implements TrustStore {
  private current: Trust
  private loaded: number
  private checked: number
  private seen: string
  private failure: string | undefined

  /** Loads the set; throws when there is none to begin with. `source` is a path, or DER or PEM values. */
  constructor(
    private readonly source: string | readonly Uint8Array[],
    private readonly clock: Clock,
  ) {
    this.seen = this.sourceState()
    this.current = loadTrust(this.files())
    this.loaded = this.checked = clock.now()
  }

  trust(): Trust {
    this.check()
    return this.current
  }

  state(): TrustState {
    this.check()
    const state = { loadedAt: this.loaded, anchors: this.current.anchors.length }
    return this.failure === undefined ? state : { ...state, error: this.failure }
  }

  /** Loads the set again, now. */
  reload(): void {
    this.checked = this.clock.now()
    try {
      // Read before the files: one that changes meanwhile is then loaded again.
      const seen = this.sourceState()
      this.current = loadTrust(this.files())
      this.loaded = this.checked
      this.seen = seen
      this.failure = undefined
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error)
    }
  }

  private check(): void {
    if (typeof this.source !== 'string' || Math.abs(this.clock.now() - this.checked) < CHECK_EVERY) return
    this.checked = this.clock.now()
    try {
      if (this.failure === undefined && this.sourceState() === this.seen) return
    } catch {
      // The load below meets the same failure, and tells.
    }
    this.reload()
  }

  private sourceState = (): string => (typeof this.source === 'string' ? trustFilesState(this.source) : '')

  private files = (): TrustFile[] =>
    typeof this.source === 'string'
      ? readTrustFiles(this.source)
      : this.source.map((bytes, index) => ({ name: `trust anchor ${index}`, bytes }))
}

/** Sorts certificates and CRLs out of files; throws an `Error` that names the file at fault. */
function loadTrust(files: readonly TrustFile[]): Trust {
  const anchors: Certificate[] = []
  const intermediates: Certificate[] = []
  const crls: Crl[] = []
  for (const entry of files.flatMap(trustEntries)) {
    const read = readEntry(entry)
    if (read instanceof Crl) crls.push(read)
    else if (isSelfSigned(read, entry.name)) anchors.push(read)
    else intermediates.push(read)
  }
  if (anchors.length === 0) throw new Error('no self-signed certificate among the trust anchors')
  return { anchors, intermediates, crls }
}

function readEntry({ name, der }: TrustEntry): Certificate | Crl {
  try {
    return Certificate.parse(der)
  } catch (notCertificate) {
    try {
      return Crl.parse(der)
    } catch {
      throw new Error(`${name} holds something else than a certificate or a CRL`, { cause: notCertificate })
    }
  }
}

/** Any algorithm that we know will do: an anchor is trusted because the operator says so. */
function isSelfSigned(certificate: Certificate, name: string): boolean {
  if (!certificate.isSelfIssued) return false
  try {
    const key = publicKey(certificate.spki)
    return key.verify(signatureScheme(certificate.signatureAlgorithm, key), certificate.tbs, certificate.signature)
  } catch (cause) {
    throw new Error(`${name} holds a certificate of an algorithm that is not supported`, { cause })
  }
}
