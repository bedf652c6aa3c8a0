import { digest } from '../algorithms/digest.js'
import { itemAt } from '../item-at.js'
import type { ReducedTree } from './evidence-record.js'

/**
 * The hash of a list of siblings: of all of them, in ascending order of their octets (RFC 4998, 4.2). One alone stands for
 * itself, as RFC 6283, 3.2.2 says where RFC 4998 is silent.
 */
export const hashOfSiblings = (oid: string, siblings: readonly Uint8Array[]): Uint8Array =>
  siblings.length === 1 ? itemAt(siblings, 0) : digest(oid, Buffer.concat([...siblings].sort(Buffer.compare)))

/** A tree of pairs over hashes of one digest: one time stamp over its root covers all members. */
export class HashTree {
  /** From the members up to the root; the last of an odd level stands in the next one as it is. */
  private readonly levels: (readonly Uint8Array[])[]

  /** `members` are distinct and not empty; throws a `TypeError` otherwise. */
  constructor(
    readonly oid: string,
    members: readonly Uint8Array[],
  ) {
    if (members.length === 0) throw new TypeError('A tree has members')
    const distinct = new Set(members.map((hash) => Buffer.from(hash).toString('latin1')))
    if (distinct.size !== members.length) throw new TypeError('Members of a tree are distinct')
    this.levels = [members]
    for (let level = members; level.length > 1; ) {
      level = above(oid, level)
      this.levels.push(level)
    }
  }

  get root(): Uint8Array {
    return itemAt(itemAt(this.levels, this.levels.length - 1), 0)
  }

  /**
   * The way from a member to the root; `undefined` where the member is the root. A member may be the hash of a group of hashes
   * (`hashOfSiblings`), which the way then begins with.
   */
  reducedTree(member: number, group: readonly Uint8Array[] = []): ReducedTree | undefined {
    const lists: Uint8Array[][] = group.length > 1 ? [[...group]] : []
    let place = member
    for (const level of this.levels) {
      const sibling = level[place ^ 1]
      if (sibling !== undefined) lists.push(lists.length === 0 ? [itemAt(level, place), sibling] : [sibling])
      place >>= 1
    }
    return lists.length === 0 ? undefined : lists
  }
}

function above(oid: string, level: readonly Uint8Array[]): Uint8Array[] {
  const parents: Uint8Array[] = []
  for (let left = 0; left < level.length; left += 2) {
    const pair = level.slice(left, left + 2)
    parents.push(hashOfSiblings(oid, pair))
  }
  return parents
}
