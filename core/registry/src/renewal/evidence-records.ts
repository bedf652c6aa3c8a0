import {
  coveredTokens,
  hashWithChains,
  type NewStamp,
  writeChain,
  writeRecord,
} from '@signed-registry/verifier/records'
import type { Injected } from '../kernel/service.js'
import { BatchStore } from './batch-store.js'
import type { Chain, Stamp } from './renewal-tables.js'
import { BLOCK, LEVELS_OF_BLOCK, treeOfBlock, wayThrough } from './tree-blocks.js'

/** A chain of time stamps by one digest, of one member: DER. */
export interface WrittenChain {
  readonly digestOid: string
  readonly der: Uint8Array
}

/** Writes the evidence records of the members of batches. */
export class EvidenceRecords {
  static readonly inject = { batches: BatchStore }

  constructor(private readonly use: Injected<typeof EvidenceRecords.inject>) {}

  /** The records of members at these places; `undefined` where no time stamp covers the batch yet. */
  async of(batch: number, places: readonly number[]): Promise<ReadonlyMap<number, Uint8Array> | undefined> {
    const stamps = await this.use.batches.stamps(batch)
    const newest = stamps.at(-1)
    const last = (await this.use.batches.chains(batch)).find(({ chain }) => chain === newest?.chain)
    if (last === undefined) return undefined
    const chains = await this.written(batch, places, { from: last.firstChain, to: last.chain })
    return new Map([...chains].map(([place, own]) => [place, writeRecord(own)]))
  }

  /** The chains that a tree continues, of members at these places. */
  before({ batch, chain, firstChain }: Chain, places: readonly number[]): Promise<ReadonlyMap<number, WrittenChain[]>> {
    return this.written(batch, places, { from: firstChain, to: chain - 1 })
  }

  private async written(
    batch: number,
    places: readonly number[],
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<ReadonlyMap<number, WrittenChain[]>> {
    const { batches } = this.use
    const stamps = await batches.stamps(batch)
    const written = new Map<number, WrittenChain[]>(places.map((place) => [place, []]))
    for (const chain of await batches.chains(batch)) {
      const own = stamps.filter((one) => one.chain === chain.chain)
      const [first] = own
      if (first === undefined || chain.chain < from || chain.chain > to) continue
      const later = laterStamps(chain.digestOid, own)
      for (const [place, way] of await this.ways(chain, places)) {
        const der = writeChain(chain.digestOid, [{ token: first.token, reducedTree: way }, ...later])
        written.get(place)?.push({ digestOid: chain.digestOid, der })
      }
    }
    return written
  }

  private async ways({ batch, chain, digestOid, hashed }: Chain, places: readonly number[]) {
    const levels = levelsOf(hashed)
    const blocksAbove = (place: number) =>
      levels.map((level) => [level, Math.floor(place / 2 ** level / BLOCK)] as const)
    const wanted = new Map(places.flatMap(blocksAbove).map((one) => [one.join(' '), one]))
    const blocks = await this.use.batches.blocks(batch, chain, [...wanted.values()])
    const trees = new Map(
      [...wanted.keys()]
        .map((key, index) => [key, blocks[index]] as const)
        .map(([key, block]) => {
          if (block === undefined) throw new TypeError(`A block of tree ${chain} of batch ${batch} is missing`)
          return [key, treeOfBlock(digestOid, block)] as const
        }),
    )
    return places.map((place) => {
      const above = blocksAbove(place).flatMap((one) => trees.get(one.join(' ')) ?? [])
      return [place, wayThrough(place, above)] as const
    })
  }
}

/** The levels of a tree of so many members of which blocks are stored. */
function levelsOf(members: number): number[] {
  const levels = [0]
  for (let width = members; width > BLOCK; width = Math.ceil(width / BLOCK))
    levels.push(levels.length * LEVELS_OF_BLOCK)
  return levels
}

/** Every time stamp of a chain but the first covers all tokens before it. */
const laterStamps = (digestOid: string, stamps: readonly Stamp[]): NewStamp[] =>
  stamps.slice(1).map(({ token }, index) => {
    const { group } = coveredTokens(
      digestOid,
      stamps.slice(0, index + 1).map((one) => one.token),
    )
    return { token, reducedTree: group.length > 1 ? [group] : undefined }
  })

/** What the first time stamp of a new chain covers of a member: its hash alone where there is none before. */
export const coveredByNewChain = (digestOid: string, hash: Uint8Array, chains: readonly WrittenChain[]): Uint8Array =>
  chains.length === 0 ? hash : hashWithChains(digestOid, hash, chains)
