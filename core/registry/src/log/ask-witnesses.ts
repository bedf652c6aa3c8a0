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

/** Collects the cosignatures of the configured witnesses. */
export class AskWitnesses {
  static readonly inject = {
    settings: LogSettings,
    ask: AskWitness,
    states: WitnessStates,
    clock: Clock,
    logger: Logger,
  }
  /** Witnesses that failed, and until when each is left alone, by their verifier keys. */
  private readonly pauses = new Map<string, { readonly until: number; readonly ms: number }>()
  private hasWarned = false

  constructor(private readonly use: Injected<typeof AskWitnesses.inject>) {}

  /**
   * The note of a checkpoint with the cosignatures that it lacks, as far as witnesses give them in two seconds. `everybody`
   * asks also those that have cosigned it, for what they say of the log.
   */
  async cosigned(asked: AskedCheckpoint, { everybody = false } = {}): Promise<string> {
    const { witnesses: policy } = this.use.settings
    if (policy === undefined) return asked.note
    this.warn(policy)
    if (policy.witnesses.length === 0) return asked.note
    const lacking = policy.witnesses.filter(({ verifierKey }) => !isCosigned(asked.note, verifierKey))
    const free = (everybody ? policy.witnesses : lacking).filter((witness) => !this.isPaused(witness))
    if (free.length === 0) return asked.note
    const { log } = asked.tree
    const states = await this.use.states.of(log)
    const deadline = performance.now() + ALL_MS
    const answers = await Promise.all(
      free.map(async (witness) => {
        const { size = 0 } = states.get(witnessId(witness.verifierKey)) ?? {}
        return { witness, answer: await this.use.ask.ask(witness, asked, size, deadline) }
      }),
    )
    for (const { witness, answer } of answers) await this.learn(asked, witness, answer)
    const lines = answers.map(({ witness, answer }) =>
      answer.outcome === 'cosigned' && lacking.includes(witness) ? answer.line : '',
    )
    return asked.note + lines.join('')
  }

  /** What a configured witness says against a log. It counts until the log is succeeded by another, or nobody asks that witness. */
  async objection(log: number): Promise<Objection | undefined> {
    const { witnesses: policy } = this.use.settings
    if (policy === undefined || policy.witnesses.length === 0) return undefined
    const states = await this.use.states.of(log)
    return policy.witnesses
      .map(({ verifierKey }) => states.get(witnessId(verifierKey))?.objection)
      .find((objection) => objection !== undefined)
  }

  private async learn({ tree }: AskedCheckpoint, witness: PolicyWitness, answer: WitnessAnswer): Promise<void> {
    if (answer.outcome === 'failed') this.pause(witness, answer.reason)
    else this.pauses.delete(witness.verifierKey)
    if (answer.outcome === 'objected')
      this.use.logger.error('A witness has cosigned a tree of the log that is not in the database', {
        witness: witness.name,
        size: answer.size,
      })
    await this.use.states.keep(tree.log, witness, this.learned(answer, tree.size))
  }

  private learned(answer: WitnessAnswer, size: number): Partial<WitnessState> {
    const now = this.use.clock.now()
    switch (answer.outcome) {
      case 'cosigned':
        return { size, cosignedAt: now }
      case 'passed':
        return { size: answer.size }
      case 'objected':
        return { size: answer.size, objection: answer.objection, failedAt: now, failure: answer.objection }
      case 'failed':
        return { failedAt: now, failure: answer.reason }
    }
  }

  private isPaused({ verifierKey }: PolicyWitness): boolean {
    return this.use.clock.now() < (this.pauses.get(verifierKey)?.until ?? 0)
  }

  private pause({ verifierKey, name }: PolicyWitness, reason: string): void {
    const before = this.pauses.get(verifierKey)
    if (before === undefined)
      this.use.logger.warn('A witness does not cosign checkpoints; it is asked again', { witness: name, reason })
    const ms = before === undefined ? FIRST_PAUSE_MS : Math.min(2 * before.ms, LONGEST_PAUSE_MS)
    this.pauses.set(verifierKey, { until: this.use.clock.now() + ms, ms })
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
