import {
  canBeMet,
  type LogPolicy,
  type PolicyWitness,
  quorumsIntersect,
  verifyCosignature,
} from '@signed-registry/verifier/log'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { type AskedCheckpoint, AskWitness, type WitnessAnswer } from './ask-witness.js'
import { LogSettings } from './log-settings.js'
import { type WitnessState, WitnessStates, witnessId } from './witness-states.js'
import type { Objection } from './witness-tables.js'

/** What all witnesses together have for a checkpoint, before it is published without the others. */
const ALL_MS = 2000
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** Who is asked: those that have not cosigned the checkpoint, those that object to the log, or all. */
export type AskedWitnesses = 'lacking' | 'objecting' | 'everybody'

/** Collects the cosignatures of the configured witnesses. */
export class AskWitnesses {
  static readonly inject = {
    settings: LogSettings,
    ask: AskWitness,
    states: WitnessStates,
    clock: Clock,
    logger: Logger,
  }
  /** Witnesses that failed, and until when each is left alone, by the clock of the process, which does not jump. */
  private readonly pauses = new Map<string, { readonly until: number; readonly ms: number }>()
  private hasWarned = false

  constructor(private readonly use: Injected<typeof AskWitnesses.inject>) {}

  /**
   * The note of a checkpoint with the cosignatures that it lacks, as far as witnesses give them in two seconds. `everybody` and
   * `objecting` ask also those that have cosigned it, for what they say of the log.
   */
  async cosigned(asked: AskedCheckpoint, whom: AskedWitnesses = 'lacking'): Promise<string> {
    const { witnesses: policy } = this.use.settings
    if (policy === undefined) return asked.note
    this.warn(policy)
    if (policy.witnesses.length === 0) return asked.note
    const lacking = policy.witnesses.filter(({ verifierKey }) => !isCosigned(asked.note, verifierKey))
    const states = await this.use.states.of(asked.tree.log)
    const stateOf = ({ verifierKey }: PolicyWitness) => states.get(witnessId(verifierKey))
    const those = {
      lacking,
      everybody: policy.witnesses,
      objecting: policy.witnesses.filter((witness) => stateOf(witness)?.objection !== undefined),
    }
    const free = those[whom].filter((witness) => !this.isPaused(witness))
    const deadline = performance.now() + ALL_MS
    const answers = await Promise.all(
      free.map(async (witness) => {
        const { size = 0, objection } = stateOf(witness) ?? {}
        // What it said against the log it says again of itself, or not at all.
        const from = objection === undefined ? size : 0
        return { witness, answer: await this.use.ask.ask(witness, asked, from, deadline) }
      }),
    )
    for (const { witness, answer } of answers) await this.learn(asked, witness, answer, stateOf(witness)?.objection)
    const lines = answers.map(({ witness, answer }) =>
      answer.outcome === 'cosigned' && lacking.includes(witness) ? answer.line : '',
    )
    return asked.note + lines.join('')
  }

  /**
   * What a configured witness says against a log. It counts until that witness cosigns the log again, or is no longer ahead of
   * it, or nobody asks it.
   */
  async objection(log: number): Promise<Objection | undefined> {
    const { witnesses: policy } = this.use.settings
    if (policy === undefined || policy.witnesses.length === 0) return undefined
    const states = await this.use.states.of(log)
    return policy.witnesses
      .map(({ verifierKey }) => states.get(witnessId(verifierKey))?.objection)
      .find((objection) => objection !== undefined)
  }

  private async learn(
    { tree }: AskedCheckpoint,
    witness: PolicyWitness,
    answer: WitnessAnswer,
    before: Objection | undefined,
  ): Promise<void> {
    const isAgainst = answer.outcome === 'objected' || (answer.outcome === 'passed' && before === 'otherTree')
    if (answer.outcome === 'failed') this.pause(witness, answer.reason)
    else if (isAgainst) this.leave(witness, LONGEST_PAUSE_MS)
    else this.pauses.delete(witness.verifierKey)
    if (answer.outcome === 'objected' && before === undefined)
      this.use.logger.error('A witness has cosigned a tree of the log that is not in the database', {
        witness: witness.name,
        size: answer.size,
      })
    await this.use.states.keep(tree.log, witness, this.learned(answer, tree.size, before))
  }

  private learned(answer: WitnessAnswer, size: number, before: Objection | undefined): Partial<WitnessState> {
    const now = this.use.clock.now()
    switch (answer.outcome) {
      case 'cosigned':
        // Where it was not known before, it may be newer than this answer.
        return { size, cosignedAt: now, ...(before !== undefined && { objection: undefined }) }
      case 'passed':
        // The log is as large as the witness says now. Whether it is the same tree is asked before the next one is published.
        return { size: answer.size, ...(before === 'ahead' && { objection: undefined }) }
      case 'objected':
        return { size: answer.size, objection: answer.objection, failedAt: now, failure: answer.objection }
      case 'failed':
        return { failedAt: now, failure: answer.reason }
    }
  }

  private isPaused({ verifierKey }: PolicyWitness): boolean {
    return performance.now() < (this.pauses.get(verifierKey)?.until ?? 0)
  }

  private pause(witness: PolicyWitness, reason: string): void {
    const before = this.pauses.get(witness.verifierKey)
    if (before === undefined)
      this.use.logger.warn('A witness does not cosign checkpoints; it is asked again', {
        witness: witness.name,
        reason,
      })
    this.leave(witness, before === undefined ? FIRST_PAUSE_MS : Math.min(2 * before.ms, LONGEST_PAUSE_MS))
  }

  private leave({ verifierKey }: PolicyWitness, ms: number): void {
    this.pauses.set(verifierKey, { until: performance.now() + ms, ms })
  }

  private warn(policy: LogPolicy): void {
    if (this.hasWarned) return
    this.hasWarned = true
    const { quorum, passedOver } = policy
    const names = passedOver.filter(({ role }) => role === 'witness').map(({ name }) => name)
    if (names.length > 0)
      this.use.logger.warn('Witnesses whose keys are of types not known here are not asked', { witnesses: names })
    if (!canBeMet(policy))
      this.use.logger.warn('The quorum of the witnesses cannot be met by those that can be asked', { quorum })
    if (!quorumsIntersect(policy))
      this.use.logger.warn(
        'The witnesses do not keep the log from showing two trees: two sets of them satisfy the quorum and have none in common',
        { quorum },
      )
  }
}

/** Our own notes have no wrong cosignatures: each was verified when it was taken. */
const isCosigned = (note: string, verifierKey: string): boolean => verifyCosignature(note, verifierKey) !== undefined
