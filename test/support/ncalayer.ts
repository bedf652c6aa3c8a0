import { mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localCertificate, type Subject } from '@signed-registry/dev-authorities'
import { type WebSocket, WebSocketServer } from 'ws'
import { messageDigestOf } from '#dev-authorities/cms/attributes.js'

/** What the person at the computer does in the window of the program. */
export type Behaviour = 'signs' | 'cancels' | 'fails'

/** Plays NCALayer: TLS, the greeting with a version, and `sign` of the module `basics`, as public clients speak with it. */
export class NcaLayer {
  /** What it was asked, oldest first. */
  readonly asked: { readonly method?: string; readonly args?: SignArguments }[] = []
  behaviour: Behaviour = 'signs'

  private constructor(
    private readonly server: Server,
    private readonly sockets: WebSocketServer,
    /** Signs documents, and proves who they are. */
    public signers: { readonly signing: Subject; readonly authentication: Subject },
  ) {
    sockets.on('connection', (socket) => this.serve(socket))
  }

  static async start(signers: NcaLayer['signers']): Promise<NcaLayer> {
    const server = createServer(localCertificate(mkdtempSync(join(tmpdir(), 'ncalayer-'))))
    const program = new NcaLayer(server, new WebSocketServer({ server }), signers)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return program
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const client of this.sockets.clients) client.terminate()
    this.sockets.close()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private serve(socket: WebSocket): void {
    socket.send(JSON.stringify({ result: { version: '1.4' } }))
    socket.on('message', (text) => {
      const question = JSON.parse(String(text))
      this.asked.push(question)
      socket.send(JSON.stringify(this.answer(question)))
    })
  }

  private answer({ method, args }: (typeof this.asked)[number]) {
    if (this.behaviour === 'fails' || method !== 'sign' || args === undefined) {
      return { status: false, code: '500', message: 'The key store cannot be opened', details: '' }
    }
    if (this.behaviour === 'cancels') return { status: true, body: {} }
    const isLogin = args.signerParams.extKeyUsageOids.includes('1.3.6.1.5.5.7.3.2')
    const signer = isLogin ? this.signers.authentication : this.signers.signing
    const contents = [args.data].flat().map((data) => Buffer.from(data, 'base64'))
    if (!args.signingParams.digested)
      return { status: true, body: { result: contents.map((content) => signer.signCms(content).toString('base64')) } }
    // Its keys sign SHA-256.
    if (contents.some(({ length }) => length !== 32)) return { status: false, code: '500', message: 'Wrong hash' }
    return { status: true, body: { result: contents.map((hash) => signHash(signer, hash).toString('base64')) } }
  }
}

/** A detached CMS over something whose SHA-256 this is. */
function signHash(signer: Subject, hash: Buffer): Buffer {
  const signed = messageDigestOf(hash)
  return signer.signCms(Buffer.alloc(0), {
    hash: 'sha256',
    signedAttributes: (honest) => honest.map((attribute) => (attribute.oid === signed.oid ? signed : attribute)),
  })
}

interface SignArguments {
  readonly data: string | readonly string[]
  readonly signingParams: { readonly digested: boolean }
  readonly signerParams: { readonly extKeyUsageOids: readonly string[] }
}
