import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Static, Type } from 'typebox'
import type { CertificateInUse, CertificatesInUse } from './certificates-in-use.js'
import type { Reloadable, Reread } from './reload.js'

const Pem = Type.String({ pattern: '-----BEGIN ' })
const Path = Type.String({ minLength: 1 })

/** The option of a plugin that shows a certificate to others: PEM, or files of it, which are read anew when the registry is told to. */
export const ClientCertificateOptions = Type.Union([
  Type.Object({ cert: Pem, key: Pem }),
  Type.Object({ certFile: Path, keyFile: Path }),
])
export type ClientCertificateOptions = Static<typeof ClientCertificateOptions>

/** A certificate and its key, PEM. */
interface Pair {
  readonly cert: string
  readonly key: string
}

/** The certificate that a plugin shows to others: give it to an `OutboundClient`, and provide it as `Reloadable` and `CertificatesInUse`. */
export class ClientCertificate implements Reloadable, CertificatesInUse {
  private pair: Pair

  /** `use` is what it is for, as metrics name it. Throws for files that cannot be read. */
  constructor(
    private readonly use: string,
    private readonly options: ClientCertificateOptions,
  ) {
    this.pair = this.read()
    try {
      this.certificates()
    } catch (cause) {
      throw new Error(`${use}${this.where}: is no certificate in PEM`, { cause })
    }
  }

  get cert(): string {
    return this.pair.cert
  }

  get key(): string {
    return this.pair.key
  }

  certificates(): readonly CertificateInUse[] {
    return [certificateInUse(this.use, this.pair.cert)]
  }

  async reread(): Promise<Reread> {
    const next = this.read()
    const isSame = next.cert === this.pair.cert && next.key === this.pair.key
    // One that ended and was not touched keeps nothing else from being read anew.
    const wrong = isSame ? undefined : unusable(next)
    if (wrong !== undefined) throw new Error(`${this.use}${this.where}: ${wrong}`)
    return {
      changed: isSame ? undefined : `${this.use}: ${untilWords(next.cert)}`,
      apply: () => {
        this.pair = next
      },
    }
  }

  private get where(): string {
    return 'certFile' in this.options ? ` (${this.options.certFile})` : ''
  }

  private read(): Pair {
    const { options } = this
    if ('cert' in options) return options
    return { cert: this.file(options.certFile), key: this.file(options.keyFile) }
  }

  private file(path: string): string {
    try {
      return readFileSync(path, 'utf8')
    } catch (cause) {
      throw new Error(`${this.use}: cannot read ${path}`, { cause })
    }
  }
}

/** The first certificate of a PEM text, as it is told of. */
export function certificateInUse(use: string, pem: string | Buffer): CertificateInUse {
  const { subject, validTo } = new X509Certificate(pem)
  return { use, subject: (subject ?? '').replaceAll('\n', ', '), endsAt: Date.parse(validTo) }
}

/** Why TLS cannot use a certificate with a key now, if so: as servers and clients would find out one handshake at a time. */
export function unusable({ cert, key }: { readonly cert: string | Buffer; readonly key: string | Buffer }) {
  try {
    const certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return 'the key is not that of the certificate'
    createSecureContext({ cert, key })
    if (Date.parse(certificate.validTo) <= Date.now()) return `the certificate has ended on ${certificate.validTo}`
    if (Date.parse(certificate.validFrom) > Date.now()) return `the certificate begins on ${certificate.validFrom}`
    return undefined
  } catch (error) {
    return `no PEM certificate with its key: ${error instanceof Error ? error.message : error}`
  }
}

/** Until when a certificate holds, for the log. */
export const untilWords = (pem: string | Buffer): string =>
  `until ${new Date(certificateInUse('', pem).endsAt).toISOString()}`
