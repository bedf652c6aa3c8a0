import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Database } from '../database/database.js'
import { bytes, integer, optional, type Stored, table, text } from '../database/table.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { originalErrors } from './errors.js'
import { ArchiveStore, isArchiveFull } from './ports.js'

const piecesTable = table('registry_archive_pieces', {
  key: text('object_key'),
  /** Identifier of what it is a piece of; absent once the object is to be deleted. */
  partOf: optional(text('part_of')),
  number: integer('number'),
  size: integer('size'),
  /** SHA-256, since the store is not trusted. */
  digest: bytes('digest'),
})
type Piece = Stored<typeof piecesTable>

const AT_ONCE = 100

/**
 * Stores data other than originals in the archive store, in pieces that fit into memory. Each has a row before it has an
 * object, so that leftovers of a crash are found.
 */
export class ArchivePieces {
  static readonly inject = { database: Database, store: ArchiveStore, logger: Logger }

  constructor(private readonly use: Injected<typeof ArchivePieces.inject>) {}

  /** False in a registry without an archive store. */
  get canKeep(): boolean {
    return this.use.store !== undefined
  }

  /** Adds a piece's row in the caller's transaction; answers the key for `write`. */
  async add(partOf: string, number: number, piece: Uint8Array): Promise<string> {
    const key = randomBytes(16).toString('hex')
    await this.rows().insert(piecesTable.row({ key, partOf, number, size: piece.length, digest: sha256(piece) }))
    return key
  }

  /** Writes a piece that was added. Rejects with `archiveFull` or `archiveFailed`. */
  async write(key: string, piece: Uint8Array): Promise<void> {
    try {
      await this.use.store?.put(key, once(piece), piece.length)
    } catch (error) {
      throw originalErrors.error(isArchiveFull(error) ? 'archiveFull' : 'archiveFailed', undefined, error)
    }
  }

  /** The pieces of something, in order. */
  async of(partOf: string): Promise<readonly Piece[]> {
    const rows = await this.rows().where(piecesTable.row({ partOf })).orderBy('number').select(piecesTable.columns)
    return rows.map((row: Record<string, unknown>) => piecesTable.read(row))
  }

  /** Rejects with `archiveNotRead` where the object is missing or was altered. */
  async read({ key, digest }: Piece): Promise<Uint8Array> {
    try {
      const stored = await this.use.store?.get(key)
      if (stored === undefined) throw new Error('The archive store has no such object')
      const piece = await buffer(stored.bytes)
      if (!Buffer.from(digest).equals(sha256(piece))) throw new Error('The object is not what was stored')
      return piece
    } catch (error) {
      throw originalErrors.error('archiveNotRead', undefined, error)
    }
  }

  /** Marks all pieces of something for deletion in the caller's transaction; answers the keys for `remove` afterwards. */
  async drop(partOf: string): Promise<string[]> {
    const keys: string[] = await this.rows().where(piecesTable.row({ partOf })).pluck('object_key')
    await this.rows().where(piecesTable.row({ partOf })).update({ part_of: null })
    return keys
  }

  /** Deletes dropped pieces; the next sweep retries where the store fails. */
  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      try {
        await this.use.store?.delete(key)
        await this.rows().where(piecesTable.row({ key })).whereNull('part_of').delete()
      } catch (error) {
        this.use.logger.warn('A piece was not deleted yet: the archive store failed', { key, error })
      }
    }
  }

  /** Deletes dropped pieces that are left. */
  async sweep(): Promise<void> {
    if (!this.canKeep) return
    for (let after = ''; ; ) {
      const dropped = this.rows().whereNull('part_of').andWhere('object_key', '>', after)
      const keys: string[] = await dropped.orderBy('object_key').limit(AT_ONCE).pluck('object_key')
      await this.remove(keys)
      after = keys.at(-1) ?? ''
      if (keys.length < AT_ONCE) return
    }
  }

  /** Which of these keys are known. */
  async known(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.rows().whereIn('object_key', keys).pluck('object_key'))
  }

  private rows() {
    return this.use.database.query(piecesTable.name)
  }
}

const sha256 = (piece: Uint8Array): Buffer => createHash('sha256').update(piece).digest()

async function* once(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece
}
