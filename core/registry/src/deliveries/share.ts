import type { Knex } from 'knex'
import { newId } from '../kernel/ids.js'

/** A part of all deliveries: those whose identifiers begin with `from` or what follows it, and come before `to`. */
export interface Share {
  readonly from: string
  /** The last part has no end. */
  readonly to: string | undefined
}

/** The characters of identifiers by their bytes: each is as likely as any other. */
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 2

/** The share of one of several hosts, the first of which is 0; `undefined` is everything. The shares of all are disjoint. */
export function shareOf(rank: number, hosts: number): Share | undefined {
  if (hosts < 2) return undefined
  return { from: prefixAt(rank / hosts), to: rank + 1 === hosts ? undefined : prefixAt((rank + 1) / hosts) }
}

function prefixAt(part: number): string {
  const at = Math.floor(part * CHARACTERS.length ** PREFIX)
  return CHARACTERS.charAt(Math.floor(at / CHARACTERS.length)) + CHARACTERS.charAt(at % CHARACTERS.length)
}

/** A new identifier of a delivery in this share. */
export function newIdIn({ from, to }: Share): string {
  for (;;) {
    const id = newId()
    if (id >= from && (to === undefined || id < to)) return id
  }
}

/** Narrows a query to a share. By the prefix: a condition on the identifier would let the server read rows in that order. */
export function within(query: Knex.QueryBuilder, { from, to }: Share): Knex.QueryBuilder {
  void query.andWhereRaw(`substr(id, 1, ${PREFIX}) >= ?`, [from])
  return to === undefined ? query : query.andWhereRaw(`substr(id, 1, ${PREFIX}) < ?`, [to])
}
