import { createHash } from 'node:crypto'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { bytes, integer, json, table } from '../database/table.js'
import { type Caller, ownerOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { limits } from '../kernel/limits.js'
import type { Keep } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { idempotencyErrors } from './errors.js'

/** Limits of the answers that are kept for idempotency keys. */
export interface IdempotencyLimits {
  /** Milliseconds for which a key gets the first answer again. */
  readonly keptAnswerMs: number
  /** The largest answer that is kept: bytes of its JSON. */
  readonly keptAnswerBytes: number
}
export const IdempotencyLimits = limits<IdempotencyLimits>('IdempotencyLimits', {
  keptAnswerMs: 24 * 60 * 60_000,
  keptAnswerBytes: 1024 * 1024,
})

/** A call that its caller may send again. */
export interface KeyedCall {
  readonly caller: Caller
  /** As the caller gave it. */
  readonly key: string
  /** `id` of the operation. */
  readonly operation: string
  /** The input of the operation: JSON values only. */
  readonly input: object
}

const answers = table('registry_kept_answers', {
  keyDigest: bytes('key_digest'),
  requestDigest: bytes('request_digest'),
  answer: json<object>('answer'),
  keptAt: integer('kept_at'),
})

/**
 * Keeps answers by the idempotency keys of callers, in the transaction of the change itself: an answer is kept exactly when
 * the change was made, so repeating a call whose answer was lost changes nothing a second time.
 */
export class KeptAnswers {
  static readonly inject = { database: Database, clock: Clock, limits: IdempotencyLimits }

  constructor(private readonly use: Injected<typeof KeptAnswers.inject>) {}

  /**
   * Executes a call once: gives the first answer when the key was used with the same request, and rejects with
   * `idempotencyKeyReused` when it was used with another one. Of concurrent calls with one key only one takes effect.
   */
  async once(call: KeyedCall, execute: (keep: Keep) => Promise<object>): Promise<object> {
    const [keyDigest, requestDigest] = [digestOfKey(call), sha256(canonical([call.operation, call.input]))]
    const first = await this.find(keyDigest, requestDigest)
    if (first !== undefined) return first
    let isKept = false
    try {
      const answer = await execute(async (given) => {
        await this.keep(keyDigest, requestDigest, given)
        isKept = true
        return given
      })
      if (!isKept) throw new TypeError(`${call.operation} is idempotent by key, and did not keep its answer`)
      return answer
    } catch (error) {
      // A concurrent call with this key may have finished first; then its answer counts, whatever stopped this one.
      const twin = await this.find(keyDigest, requestDigest)
      if (twin !== undefined) return twin
      throw error
    }
  }

  /** Deletes answers that have expired. */
  async forget(): Promise<void> {
    const moment = this.forgottenSince()
    for (;;) {
      const old: Uint8Array[] = await this.rows().where('kept_at', '<=', moment).limit(BATCH).pluck('key_digest')
      if (old.length > 0) await this.rows().whereIn('key_digest', old).andWhere('kept_at', '<=', moment).delete()
      if (old.length < BATCH) return
    }
  }

  private async find(keyDigest: Uint8Array, requestDigest: Uint8Array): Promise<object | undefined> {
    const row = await this.rows().where(answers.row({ keyDigest })).first(answers.columns)
    if (row === undefined) return undefined
    const known = answers.read(row)
    if (known.keptAt <= this.forgottenSince()) {
      await this.rows()
        .where(answers.row({ keyDigest, keptAt: known.keptAt }))
        .delete()
      return undefined
    }
    if (!Buffer.from(known.requestDigest).equals(requestDigest)) throw idempotencyErrors.error('idempotencyKeyReused')
    return known.answer
  }

  /** Runs at the end of the transaction that makes the change; the call that loses the race is rolled back here. */
  private async keep(keyDigest: Uint8Array, requestDigest: Uint8Array, answer: object): Promise<void> {
    const limit = this.use.limits.keptAnswerBytes
    const row = answers.row({ keyDigest, requestDigest, answer, keptAt: this.use.clock.now() })
    if (Buffer.byteLength(String(row.answer)) > limit) throw idempotencyErrors.error('answerTooLargeToKeep', { limit })
    if (!(await insertOrLose(this.rows().insert(row)))) throw idempotencyErrors.error('idempotencyKeyReused')
  }

  private forgottenSince(): number {
    return this.use.clock.now() - this.use.limits.keptAnswerMs
  }

  private rows() {
    return this.use.database.query(answers.name)
  }
}

const BATCH = 1000

/** Deletes kept answers that have expired. */
export class ForgetAnswers {
  static readonly task = { name: 'forgetAnswers', schedule: '17 * * * *' }
  static readonly inject = { answers: KeptAnswers }

  constructor(private readonly use: Injected<typeof ForgetAnswers.inject>) {}

  run(): Promise<void> {
    return this.use.answers.forget()
  }
}

const KEY = /^[!-~]{1,255}$/
/** Anonymous callers share one space of keys; a key this long cannot be guessed, so nobody gets another's answer. */
const ANONYMOUS_MIN = 16

/** A key is the same with and without the quotation marks of a structured field (RFC 9651). */
function digestOfKey({ caller, key: given }: KeyedCall): Uint8Array {
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given
  const least = caller.kind === 'anonymous' ? ANONYMOUS_MIN : 1
  if (!KEY.test(key) || key.length < least)
    throw idempotencyErrors.error('invalidIdempotencyKey', { characters: `${least} to 255 printable ASCII, no spaces` })
  return sha256(`${scopeOf(caller)}\n${key}`)
}

function scopeOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return ''
  if (caller.kind === 'system') return `${caller.bin} ${caller.certificateDigest}`
  return ownerOf(caller)
}

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest()

/** JSON in which the order of fields makes no difference. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
