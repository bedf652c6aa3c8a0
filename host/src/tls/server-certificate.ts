import type http from 'node:http'
import https from 'node:https'
import {
  type CertificateInUse,
  type CertificatesInUse,
  certificateInUse,
  type Reread,
  untilWords,
  unusable,
} from '@signed-registry/core'

/** A certificate, or a chain that begins with it, and its key, PEM. */
export interface ServerPair {
  readonly cert: Buffer | string
  readonly key: Buffer | string
}

/** The certificate of TLS servers, which may be replaced while they run: connections that are open stay as they are. */
export class ServerCertificate implements CertificatesInUse {
  private readonly servers = new Map<https.Server, https.ServerOptions>()

  constructor(
    private pair: ServerPair,
    /** What it is for, as metrics name it. */
    private readonly use = 'TLS',
  ) {}

  /** A server that shows it, and from now on whatever takes its place. */
  createServer(options: https.ServerOptions, listener: http.RequestListener): https.Server {
    const server = https.createServer({ ...options, cert: this.pair.cert, key: this.pair.key }, listener)
    this.servers.set(server, options)
    server.once('close', () => this.servers.delete(server))
    return server
  }

  certificates(): readonly CertificateInUse[] {
    return [certificateInUse(this.use, this.pair.cert)]
  }

  /** Prepares that another one takes its place. Rejects when TLS cannot use it now. */
  async reread(next: ServerPair): Promise<Reread> {
    const isSame = `${next.cert}` === `${this.pair.cert}` && `${next.key}` === `${this.pair.key}`
    // One that ended and was not touched keeps nothing else from being read anew.
    const wrong = isSame ? undefined : unusable(next)
    if (wrong !== undefined) throw new Error(`TLS_CERT, TLS_KEY: ${wrong}`)
    return {
      changed: isSame ? undefined : `TLS_CERT: ${untilWords(next.cert)}`,
      apply: () => {
        this.pair = next
        if (isSame) return
        for (const [server, options] of this.servers) {
          const { minVersion } = options
          server.setSecureContext({ cert: next.cert, key: next.key, ...(minVersion && { minVersion }) })
        }
      },
    }
  }
}
