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

/** Limits of answers that are kept for keys. */
export interface IdempotencyLimits {
  /** Milliseconds for which a key leads to the first answer. */
  readonly keptAnswerMs: number
  /** Bytes of an answer as JSON. */
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
  /** What the operation takes: JSON values only. */
  readonly input: object
}

const answers = table('registry_kept_answers', {
  keyDigest: bytes('key_digest'),
  requestDigest: bytes('request_digest'),
  answer: json<object>('answer'),
  keptAt: integer('kept_at'),
})

/**
 * Keeps what calls were answered under the keys of their callers, in the transaction that has the effect: an answer is kept
 * exactly when there was an effect, so a call that is sent again after a lost answer has no second one.
 */
export class KeptAnswers {
  static readonly inject = { database: Database, clock: Clock, limits: IdempotencyLimits }

  constructor(private readonly use: Injected<typeof KeptAnswers.inject>) {}

  /**
   * Executes a call once: gives the first answer when the key is known with the same request, and rejects with
   * `idempotencyKeyReused` when it is known with another. Of calls that race with one key one has its effect.
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
      // A twin may have been quicker; then its answer is the answer, whatever stopped this call.
      const twin = await this.find(keyDigest, requestDigest)
      if (twin !== undefined) return twin
      throw error
    }
  }

  /** Forgets answers whose time has passed. */
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

  /** Runs in the transaction that has the effect, at its end; what loses here is undone. */
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

/** Forgets answers that were kept for keys. */
export class ForgetAnswers {
  static readonly task = { name: 'forgetAnswers', schedule: '17 * * * *' }
  static readonly inject = { answers: KeptAnswers }

  constructor(private readonly use: Injected<typeof ForgetAnswers.inject>) {}

  run(): Promise<void> {
    return this.use.answers.forget()
  }
}

const KEY = /^[!-~]{1,255}$/
/** Callers without a name share their keys: one that cannot be guessed leads nobody to the answer of another. */
const ANONYMOUS_MIN = 16

/** A key means the same with and without the quotation marks of a structured field (RFC 9651). */
function digestOfKey({ caller, key: given }: KeyedCall): Uint8Array {
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given
  if (!KEY.test(key) || (caller.kind === 'anonymous' && key.length < ANONYMOUS_MIN)) {
    throw idempotencyErrors.error('invalidIdempotencyKey')
  }
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
