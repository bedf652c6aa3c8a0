import { RegistryError } from '@signed-registry/verifier'
import {
  type AddCheckpoint,
  cosignatureLines,
  LogTileError,
  type PolicyWitness,
  writeAddCheckpoint,
} from '@signed-registry/verifier/log'
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
/** With the size known here, the one that it answers with, one that another host got ahead with, and once more to confirm. */
const MAX_ROUNDS = 4

/** Asks one witness to cosign a checkpoint (C2SP tlog-witness, "add-checkpoint"). */
export class AskWitness {
  static readonly inject = { connections: WitnessConnections, tree: LogTree, logs: LogStore }

  constructor(private readonly use: Injected<typeof AskWitness.inject>) {}

  /** Asks until `deadline`, by `performance.now()`. `size` is that of the last tree which the witness is known to have cosigned. */
  async ask(witness: PolicyWitness, asked: AskedCheckpoint, size: number, deadline: number): Promise<WitnessAnswer> {
    const answer = await this.askOnce(witness, asked, size, deadline)
    if (answer.outcome !== 'objected' || answer.objection !== 'ahead') return answer
    // One answer may come from anything on the way. Only another one takes it back: silence does not, as it may be a fork.
    const again = await this.askOnce(witness, asked, size, deadline)
    return again.outcome === 'failed' ? answer : again
  }

  private async askOnce(
    witness: PolicyWitness,
    asked: AskedCheckpoint,
    size: number,
    deadline: number,
  ): Promise<WitnessAnswer> {
    let oldSize = size
    let refusedFrom: number | undefined
    try {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        if (oldSize > asked.tree.size) return await this.beyond(asked.tree, oldSize)
        const request = { oldSize, proof: await this.use.tree.consistency(asked.tree, oldSize), note: asked.note }
        const answer = await this.send(witness, request, deadline)
        // From no tree to any other there is nothing that could be wrong.
        const isRefused = answer.status === 422 && oldSize > 0
        if (isRefused && oldSize === refusedFrom) return { outcome: 'objected', objection: 'otherTree', size: oldSize }
        if (!isRefused && answer.status !== 409) return judged(witness, asked, answer)
        const known = isRefused ? await this.sizeToldFor(witness, request, asked.tree, deadline) : sizeIn(answer)
        if (known === undefined || (known === oldSize && !isRefused)) return failed(`status${answer.status}`)
        if (isRefused) refusedFrom = known
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

  /**
   * The size that a witness tells when it is asked the same for another old size. A refusal may come from anything on the way;
   * a witness looks at the size first, and what is on the way finds hardly a difference.
   */
  private async sizeToldFor(
    witness: PolicyWitness,
    request: AddCheckpoint,
    { size }: KnownTree,
    deadline: number,
  ): Promise<number | undefined> {
    const { oldSize } = request
    // Zero has no proof, as the only tree of one entry has none to itself.
    const other = oldSize === 1 && size > 1 ? 2 : oldSize - 1
    return sizeIn(await this.send(witness, { ...request, oldSize: other }, deadline))
  }

  private send({ url = '' }: PolicyWitness, request: AddCheckpoint, deadline: number): Promise<OutboundAnswer> {
    const timeoutMs = Math.ceil(deadline - performance.now())
    if (timeoutMs <= 0) throw new OutboundError('timeout')
    return this.use.connections.send({
      url: `${url.replace(/\/+$/, '')}/add-checkpoint`,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: Buffer.from(writeAddCheckpoint(request)),
      timeoutMs,
      maxBytes: MAX_ANSWER,
      ifLarger: 'refuse',
    })
  }
}

function judged(
  { verifierKey }: PolicyWitness,
  { note }: AskedCheckpoint,
  { status, body }: OutboundAnswer,
): WitnessAnswer {
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
function sizeIn({ status, headers, body }: OutboundAnswer): number | undefined {
  if (status !== 409) return undefined
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const text = body.toString('latin1')
  const size = /^(0|[1-9]\d{0,15})\n$/.test(text) ? Number(text) : undefined
  return type.trim() === 'text/x.tlog.size' && Number.isSafeInteger(size) ? size : undefined
}

const failed = (reason: string): WitnessAnswer => ({ outcome: 'failed', reason })
