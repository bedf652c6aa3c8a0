import { RegistryError } from '@signed-registry/verifier'
import { cosignatureLines, LogTileError, type PolicyWitness, writeAddCheckpoint } from '@signed-registry/verifier/log'
import { type OutboundAnswer, type OutboundClient, OutboundError } from '../kernel/outbound.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { LogStore } from './log-store.js'
import { type KnownTree, LogTree } from './log-tree.js'
import type { Objection } from './witness-tables.js'

/** How witnesses are reached. */
export const WitnessConnections = port<Pick<OutboundClient, 'send'>>('WitnessConnections', 'defaulted')

/** A checkpoint that a witness is asked to cosign. */
export interface AskedCheckpoint {
  /** With the signature of the log. */
  readonly note: string
  readonly tree: KnownTree
}

/** What came of asking a witness. */
export type WitnessAnswer =
  /** The line to add to the note. */
  | { readonly outcome: 'cosigned'; readonly line: string }
  /** It has cosigned a later checkpoint of the log, of this size. */
  | { readonly outcome: 'passed'; readonly size: number }
  | { readonly outcome: 'objected'; readonly objection: Objection; readonly size: number }
  | { readonly outcome: 'failed'; readonly reason: string }

/** Octets of an answer. */
const MAX_ANSWER = 64 * 1024
/** The size known here, the one that it answers with, and one that another host got ahead with. */
const MAX_REQUESTS = 3

/** Asks one witness to cosign a checkpoint (C2SP tlog-witness, "add-checkpoint"). */
export class AskWitness {
  static readonly inject = { connections: WitnessConnections, tree: LogTree, logs: LogStore }

  constructor(private readonly use: Injected<typeof AskWitness.inject>) {}

  /** Asks until `deadline`, by `performance.now()`. `size` is that of the last tree which the witness is known to have cosigned. */
  async ask(witness: PolicyWitness, asked: AskedCheckpoint, size: number, deadline: number): Promise<WitnessAnswer> {
    let oldSize = size
    try {
      for (let request = 0; request < MAX_REQUESTS; request += 1) {
        if (oldSize > asked.tree.size) return await this.beyond(asked.tree, oldSize)
        const answer = await this.send(witness, asked, oldSize, deadline)
        if (answer.status !== 409) return judged(witness, asked, oldSize, answer)
        const known = sizeIn(answer)
        if (known === undefined || known === oldSize) return failed('badAnswer')
        oldSize = known
      }
      return failed('changesItsMind')
    } catch (error) {
      if (error instanceof OutboundError) return failed(error.reason)
      if (error instanceof LogTileError) return failed('treeBroken')
      throw error
    }
  }

  /** What a witness that has cosigned more than it is asked for has seen: what this log has grown to meanwhile, or more. */
  private async beyond({ log }: KnownTree, size: number): Promise<WitnessAnswer> {
    const now = await this.use.logs.at(log)
    const isOurs = now !== undefined && size <= now.size
    return isOurs ? { outcome: 'passed', size } : { outcome: 'objected', objection: 'ahead', size }
  }

  private async send(
    { url = '' }: PolicyWitness,
    { note, tree }: AskedCheckpoint,
    oldSize: number,
    deadline: number,
  ): Promise<OutboundAnswer> {
    const proof = await this.use.tree.consistency(tree, oldSize)
    const timeoutMs = Math.ceil(deadline - performance.now())
    if (timeoutMs <= 0) throw new OutboundError('timeout')
    return this.use.connections.send({
      url: `${url.replace(/\/+$/, '')}/add-checkpoint`,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: Buffer.from(writeAddCheckpoint({ oldSize, proof, note })),
      timeoutMs,
      maxBytes: MAX_ANSWER,
      ifLarger: 'refuse',
    })
  }
}

function judged(
  { verifierKey }: PolicyWitness,
  { note }: AskedCheckpoint,
  oldSize: number,
  { status, body }: OutboundAnswer,
): WitnessAnswer {
  // From no tree to any other there is nothing that could be wrong.
  if (status === 422 && oldSize > 0) return { outcome: 'objected', objection: 'otherTree', size: oldSize }
  if (status !== 200) return failed(`status${status}`)
  try {
    // One is enough, and a note has room for so many.
    const [line = ''] = cosignatureLines(note, body.toString('utf8'), verifierKey).split(/(?<=\n)/)
    return line === '' ? failed('notCosigned') : { outcome: 'cosigned', line }
  } catch (error) {
    if (error instanceof RegistryError) return failed('wrongCosignature')
    throw error
  }
}

/** The size in a conflict; `undefined` where the answer is not as the specification has it. */
function sizeIn({ headers, body }: OutboundAnswer): number | undefined {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const text = body.toString('latin1')
  const size = /^(0|[1-9]\d{0,15})\n$/.test(text) ? Number(text) : undefined
  return type.trim() === 'text/x.tlog.size' && Number.isSafeInteger(size) ? size : undefined
}

const failed = (reason: string): WitnessAnswer => ({ outcome: 'failed', reason })
