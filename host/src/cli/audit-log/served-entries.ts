import { RegistryError } from '@signed-registry/core'
import {
  HASH_BYTES,
  LogTileError,
  leafHash,
  TILE_WIDTH,
  type TreeHead,
  VerifiedTiles,
  widthOfTile,
} from '@signed-registry/verifier/log'
import { type LogReader, LogUnreadable } from './log-reader.js'

/** Consecutive entries, or why they could not be proved. */
export type ServedBundle =
  | { readonly first: number; readonly entries: readonly Uint8Array[] }
  | { readonly first: number; readonly width: number; readonly fault: Fault }

/** Why something of a log is not proved. */
export interface Fault {
  /** In words of people. */
  readonly text: string
  /** `unread` where the log gave nothing that could be looked at. */
  readonly weight: 'wrong' | 'unread'
}

/** Bundles at a time: each of them needs a tile too, so that eight requests are under way. */
const BUNDLES_AT_ONCE = 4

/** The entries of a tree as a log serves them, each proved to be in it. */
export class ServedEntries {
  /** The hashes of the tree, proved up to its root. */
  readonly tiles: VerifiedTiles
  private last: { readonly index: number; readonly bundle: Promise<ServedBundle> } | undefined

  constructor(
    private readonly tree: TreeHead,
    private readonly reader: LogReader,
  ) {
    this.tiles = new VerifiedTiles(tree, reader.tile)
  }

  /** Entries from an index on, in their order, in bundles; the first one begins at or before the index. */
  async *from(start: number): AsyncGenerator<ServedBundle> {
    const end = Math.ceil(this.tree.size / TILE_WIDTH)
    const ahead: Promise<ServedBundle>[] = []
    let next = Math.floor(start / TILE_WIDTH)
    for (;;) {
      while (next < end && ahead.length < BUNDLES_AT_ONCE) {
        ahead.push(this.bundle(next))
        next += 1
      }
      const bundle = ahead.shift()
      if (bundle === undefined) return
      yield await bundle
    }
  }

  /** One entry; `undefined` where there is none, or none that is proved. */
  async at(index: number): Promise<Uint8Array | undefined> {
    if (index >= this.tree.size) return undefined
    const place = Math.floor(index / TILE_WIDTH)
    if (this.last?.index !== place) this.last = { index: place, bundle: this.bundle(place) }
    const bundle = await this.last.bundle
    return 'entries' in bundle ? bundle.entries[index % TILE_WIDTH] : undefined
  }

  private async bundle(index: number): Promise<ServedBundle> {
    const first = index * TILE_WIDTH
    const width = widthOfTile(this.tree.size, 0, index)
    try {
      const [entries, hashes] = await Promise.all([
        this.reader.entries(index, width),
        this.tiles.read({ level: 0, index, width }),
      ])
      const isEntry = (entry: Uint8Array, at: number) =>
        leafHash(entry).equals(hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES))
      if (entries.every(isEntry)) return { first, entries }
      return { first, width, fault: wrong('they are not those of the tree') }
    } catch (error) {
      return { first, width, fault: faultOf(error) }
    }
  }
}

const wrong = (text: string): Fault => ({ text, weight: 'wrong' })

/** Why something of a log is not proved; throws what has another cause. */
export function faultOf(error: unknown): Fault {
  if (error instanceof LogUnreadable) return { text: error.message, weight: 'unread' }
  if (error instanceof LogTileError) {
    const { reason, tile } = error
    const name = `tile ${tile.level}/${tile.index} of ${tile.width} hashes`
    return wrong(reason === 'wrong' ? `${name} is not of this tree` : `${name} is missing`)
  }
  if (error instanceof RegistryError) return wrong('they are malformed')
  throw error
}
