import {
  coveredTokens,
  hashWithChains,
  type NewStamp,
  writeChain,
  writeRecord,
} from '@signed-registry/verifier/records'
import type { Injected } from '../kernel/service.js'
import { BatchStore } from './batch-store.js'
import type { Batch, Chain, Stamp } from './renewal-tables.js'
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
  async of(
    batch: Pick<Batch, 'batch' | 'firstChain'>,
    places: readonly number[],
  ): Promise<ReadonlyMap<number, Uint8Array> | undefined> {
    const chains = await this.chains(batch, places)
    const records = [...chains].flatMap(([place, own]) =>
      own.length === 0 ? [] : [[place, writeRecord(own)] as const],
    )
    return records.length === 0 ? undefined : new Map(records)
  }

  /** The chains of members at these places that time stamps cover. */
  async chains(
    { batch, firstChain }: Pick<Batch, 'batch' | 'firstChain'>,
    places: readonly number[],
  ): Promise<ReadonlyMap<number, WrittenChain[]>> {
    const { batches } = this.use
    const stamps = await batches.stamps(batch)
    const written = new Map<number, WrittenChain[]>(places.map((place) => [place, []]))
    for (const chain of await batches.chains(batch)) {
      if (chain.chain < firstChain) continue
      const own = stamps.filter((one) => one.chain === chain.chain)
      const [first] = own
      if (first === undefined) continue
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
