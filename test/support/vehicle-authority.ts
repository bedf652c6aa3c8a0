import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { localCertificate } from '@signed-registry/dev-authorities'
import { clientCertificate } from './client-certificate.js'

/** A document as the authority got it, by the wire format of `plugins/vehicle-registration`. */
export interface AuthorityDocument {
  readonly key: string
  /** Of the certificate that was shown. */
  readonly subject: string
  readonly registration: {
    readonly deliveryId: string
    readonly documentId: string
    readonly title: string
    readonly documentTypeCode: string
    readonly signatures: readonly {
      readonly part: string
      readonly signId: number
      readonly signer: string
      readonly signType: string
      readonly userId: string
      readonly businessId?: string
    }[]
  }
  readonly original: Buffer
  readonly signatures: readonly Buffer[]
}

/** Plays the authority that registers vehicles, on loopback over mutual TLS: takes everything unless a test says otherwise. */
export class VehicleAuthority {
  readonly got: AuthorityDocument[] = []
  answer: (document: AuthorityDocument, response: ServerResponse) => void = (_document, response) =>
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"taken":true}')
  private readonly waiting: { readonly count: number; readonly resolve: () => void }[] = []

  private constructor(
    private readonly server: https.Server,
    /** Options of `vehicleRegistration` by which a registry reaches it. */
    readonly options: {
      readonly url: string
      readonly trust: string
      readonly clientCertificate: { readonly cert: string; readonly key: string }
    },
  ) {}

  static async start(): Promise<VehicleAuthority> {
    const folder = mkdtempSync(join(tmpdir(), 'vehicle-authority-'))
    const own = localCertificate(folder)
    rmSync(folder, { recursive: true })
    const known = clientCertificate()
    const server = https.createServer({ ...own, ca: known.pem, requestCert: true, rejectUnauthorized: true })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const authority = new VehicleAuthority(server, {
      url: `https://localhost:${port}/documents`,
      trust: own.cert.toString(),
      clientCertificate: { cert: known.pem, key: known.key },
    })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.method === 'POST') authority.take(request, response).catch(() => response.destroy())
      else response.writeHead(405).end()
    })
    return authority
  }

  /** Resolves when so many have come. */
  async came(count: number): Promise<void> {
    if (this.got.length < count) await new Promise<void>((resolve) => this.waiting.push({ count, resolve }))
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate()
    const body = await buffer(request)
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    const part = async (name: string) => {
      const value = form.get(name)
      if (value === null) throw new Error(`There is no part ${name}`)
      return typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer())
    }
    const registration: AuthorityDocument['registration'] = JSON.parse((await part('registration')).toString())
    const document: AuthorityDocument = {
      key: String(request.headers['idempotency-key']),
      subject: String(subject?.CN),
      registration,
      original: await part('document'),
      signatures: await Promise.all(registration.signatures.map((signature) => part(signature.part))),
    }
    this.got.push(document)
    for (const { count, resolve } of this.waiting) if (this.got.length >= count) resolve()
    this.answer(document, response)
  }
}
