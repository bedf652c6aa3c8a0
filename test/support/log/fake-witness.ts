import { createPublicKey, type KeyObject } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { cosign, cosignerKey } from '#verifier/log/cosignature.js'
import type { TreeHead } from '#verifier/log/merkle.js'
import { judgeAddCheckpoint, type ReadAddCheckpoint, readAddCheckpoint } from '#verifier/log/witness.js'
import { readNote } from '#verifier/notes/signed-note.js'
import { privateKeyOf } from './note-keys.js'

/** Seconds of the cosignatures. */
export const COSIGNED_AT = 1_700_000_000

/** A witness of one log on loopback, which answers as the specification has it unless a test says otherwise. */
export class FakeWitness {
  /** What it was asked, in order. */
  readonly asked: ReadAddCheckpoint[] = []
  /** The last tree that it has cosigned. */
  latest: TreeHead | undefined
  answer: (asked: ReadAddCheckpoint, response: ServerResponse) => void = (asked, response) =>
    this.honest(asked, response)

  private constructor(
    private readonly server: Server,
    private readonly logKey: string,
    private readonly key: KeyObject,
    readonly url: string,
    readonly name: string,
  ) {}

  /** Starts the witness with the key of this number, for the log with this key. */
  static async start(number: number, logKey: string): Promise<FakeWitness> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const witness = new FakeWitness(server, logKey, privateKeyOf(number), `http://127.0.0.1:${port}/`, `w${number}`)
    server.on('request', async (request, response) => {
      const isAsked = request.method === 'POST' && request.url === '/add-checkpoint'
      const asked = isAsked ? readAddCheckpoint(await text(request)) : undefined
      if (asked === undefined) return response.writeHead(404).end()
      witness.asked.push(asked)
      witness.answer(asked, response)
    })
    return witness
  }

  get verifierKey(): string {
    return cosignerKey(this.name, createPublicKey(this.key))
  }

  /** Its line in a policy. */
  get policyLine(): string {
    return `witness ${this.name} ${this.verifierKey} ${this.url}`
  }

  honest(asked: ReadAddCheckpoint, response: ServerResponse): void {
    const verdict = judgeAddCheckpoint(asked, { keys: [this.logKey], latest: this.latest })
    if (verdict.outcome === 'conflict') this.conflict(verdict.size, response)
    else if (verdict.outcome !== 'accepted') response.writeHead(verdict.outcome === 'inconsistent' ? 422 : 403).end()
    else {
      this.latest = asked.checkpoint
      response.writeHead(200).end(this.line(readNote(asked.note).text))
    }
  }

  conflict(size: number, response: ServerResponse): void {
    response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${size}\n`)
  }

  /** Its cosignature under any checkpoint. */
  line(checkpoint: string): string {
    return cosign(checkpoint, { name: this.name, key: this.key, time: COSIGNED_AT })
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** A policy in which all of these witnesses have to cosign. */
export const policyOf = (...witnesses: readonly FakeWitness[]): string =>
  [
    ...witnesses.map(({ policyLine }) => policyLine),
    `group all all ${witnesses.map(({ name }) => name).join(' ')}`,
    'quorum all\n',
  ].join('\n')
