import type { Lenders } from '@signed-registry/core'
import type { Siblings } from './siblings.js'

/** A question for requests of a key. */
interface Wanted {
  readonly key: string
  readonly needed: number
}

/** Lends what callers may do in a minute between the workers of a host. */
export const lendRates = (siblings: Siblings): Lenders => ({
  parts: siblings.count,
  async borrow(limit, key, needed) {
    const lent = await siblings.ask(topicOf(limit), { key, needed } satisfies Wanted)
    return lent.reduce<number>((sum, one) => (typeof one === 'number' ? sum + one : sum), 0)
  },
  onBorrow(limit, lend) {
    siblings.on(topicOf(limit), (body) => (isWanted(body) ? lend(body.key, body.needed) : 0))
  },
})

const topicOf = (limit: string): string => `lend ${limit}`

const isWanted = (body: unknown): body is Wanted =>
  typeof body === 'object' &&
  body !== null &&
  'key' in body &&
  typeof body.key === 'string' &&
  'needed' in body &&
  typeof body.needed === 'number'
