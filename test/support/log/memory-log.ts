import { writeBundle } from '#verifier/log/bundle.js'
import { checkpointText } from '#verifier/log/checkpoint.js'
import { type GrownTree, growTree } from '#verifier/log/grow-tree.js'
import { HASH_BYTES, leafHash } from '#verifier/log/merkle.js'
import { readTilePath } from '#verifier/log/tile-path.js'
import { TILE_WIDTH } from '#verifier/log/tiles.js'
import { signNote } from '#verifier/notes/signed-note.js'
import type { AnswerPath, LogAnswer } from './log-server.js'
import { logKeyOf, privateKeyOf } from './note-keys.js'

/** A salted entry of a log, told from others by its number. */
export const saltedNumber = (number: number, of = 0): Buffer => {
  const entry = Buffer.alloc(HASH_BYTES, of)
  entry.writeUInt32BE(number)
  return entry
}

/** A log in memory that serves its tree at its newest size. */
export class MemoryLog {
  readonly entries: Uint8Array[] = []
  private readonly tiles = new Map<string, Uint8Array>()
  private tree: GrownTree = { size: 0, root: growTree({ size: 0, edge: [] }, []).root, edge: [], tiles: [] }

  constructor(
    readonly origin = 'log.example/one',
    /** Numbers of the keys that sign its checkpoints. */
    public keys: readonly number[] = [1],
  ) {}

  get key(): string {
    return logKeyOf(this.origin, this.keys[0] ?? 1)
  }

  get root(): Uint8Array {
    return this.tree.root
  }

  /** Adds that many salted entries; those of logs with another `of` differ. */
  grow(count: number, of = 0): this {
    const first = this.entries.length
    return this.add(...Array.from({ length: count }, (_, at) => saltedNumber(first + at, of)))
  }

  add(...entries: readonly Uint8Array[]): this {
    this.entries.push(...entries)
    this.tree = growTree(this.tree, entries.map(leafHash))
    for (const { level, index, hashes } of this.tree.tiles) this.tiles.set(`${level}/${index}`, hashes)
    return this
  }

  /** Its newest checkpoint. */
  note(): string {
    const text = checkpointText({ origin: this.origin, size: this.tree.size, root: this.tree.root })
    const [first = '', ...others] = this.keys.map((number) => signNote(text, this.origin, privateKeyOf(number)))
    return `${first}${others.map((note) => note.slice(text.length + 1)).join('')}`
  }

  /** Serves it at the root of a server; `note` in place of its newest checkpoint. */
  served(note = this.note()): AnswerPath {
    return (path) => (path === '/checkpoint' ? { body: note } : this.tile(path.replace(/^\/tile\//, '')))
  }

  private tile(path: string): LogAnswer | undefined {
    const asked = readTilePath(path)
    if (asked === undefined) return undefined
    const { index, width } = asked
    if (asked.kind === 'hashes') {
      const hashes = this.tiles.get(`${asked.level}/${index}`)
      return hashes === undefined || hashes.length < width * HASH_BYTES
        ? undefined
        : { body: hashes.subarray(0, width * HASH_BYTES) }
    }
    const entries = this.entries.slice(index * TILE_WIDTH, index * TILE_WIDTH + width)
    return entries.length < width ? undefined : { body: writeBundle(entries) }
  }
}
