import { Database } from '../database/database.js'
import { bytes, integer, optional, type Stored, table, text } from '../database/table.js'
import type { Owner } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import type { BodyStream } from '../kernel/upload.js'
import { KeptLedger } from '../ledger/index.js'
import { ArchivePieces, piecesOf } from '../originals/index.js'
import { procedureErrors } from './errors.js'
import type { Procedure } from './procedure-store.js'

/** Bytes of one row: large enough to be fast, small enough for any database and for memory. */
const ROW = 256 * 1024
/** Bytes of one object in the archive store, which holds larger bodies. */
const OBJECT = 512 * 1024

const bodies = table('registry_procedure_bodies', {
  id: text('id'),
  procedureId: text('procedure_id'),
  /** `data` and `result` of a raw procedure, or the document whose original it is. */
  name: text('name'),
  type: optional(text('type')),
  /** Bytes counted against the owner; the size of the body once it is complete. */
  size: integer('size'),
  /** Whoever began the procedure. */
  owner: optional(text('owner')),
  createdAt: integer('created_at'),
})
const chunks = table('registry_procedure_chunks', {
  bodyId: text('body_id'),
  number: integer('number'),
  bytes: bytes('bytes'),
})

/** A stored body: exactly the bytes that were received. */
export interface KeptBody extends Pick<Stored<typeof bodies>, 'type' | 'size'> {
  bytes(): AsyncIterable<Uint8Array>
}

/** The procedure that a body belongs to. */
export type BodyOf = Pick<Procedure, 'id' | 'begunBy'>

/**
 * Stores what callers and the app exchange, for the life of a procedure. Bodies are streamed: small ones into the database,
 * others into the archive store, if there is one. They count against the share of whoever began the procedure.
 */
export class ProcedureBodies {
  static readonly inject = { database: Database, pieces: ArchivePieces, ledger: KeptLedger, clock: Clock }

  constructor(private readonly use: Injected<typeof ProcedureBodies.inject>) {}

  /**
   * Stores a body and answers its identifier. Rejects with `bodyTooLarge`, with `shareTaken` or `serviceBusy` where a share is
   * used up (before reading, if the size was declared), or as the stream does; then nothing is stored.
   */
  async keep(of: BodyOf, name: string, { stream, type, size = 0 }: BodyStream, limit: number): Promise<string> {
    if (size > limit) throw requestErrors.error('bodyTooLarge', { limit })
    const { id: procedureId, begunBy: owner } = of
    const body = { id: newId(), owner, counted: size }
    await this.use.database.transaction(async () => {
      const createdAt = this.use.clock.now()
      const row = { id: body.id, procedureId, name, type: type?.slice(0, 255), size, owner, createdAt }
      await this.use.database.query(bodies.name).insert(bodies.row(row))
      await this.use.ledger.take('procedureBytes', owner, size)
    })
    let written: string | undefined
    try {
      let [received, number] = [0, 0]
      for await (const piece of piecesOf(limited(stream, limit), this.use.pieces.canKeep ? OBJECT : ROW)) {
        received += piece.length
        written = await this.add(body, number, piece, received)
        if (written !== undefined) await this.use.pieces.write(written, piece)
        number += 1
      }
      await this.count(body, received)
    } catch (error) {
      await this.drop([body.id]).catch(() => undefined)
      // A concurrent drop may have missed the last object.
      if (written !== undefined) await this.use.pieces.remove([written])
      throw error
    }
    return body.id
  }

  /** Answers the key of the object to write the piece to; `undefined` where a row holds it. */
  private async add(body: Kept, number: number, piece: Buffer, received: number): Promise<string | undefined> {
    const isSmall = !this.use.pieces.canKeep || (number === 0 && piece.length <= ROW)
    return this.use.database.transaction(async () => {
      await this.count(body, Math.max(received, body.counted))
      if (!isSmall) return this.use.pieces.add(body.id, number, piece)
      await this.use.database.query(chunks.name).insert(chunks.row({ bodyId: body.id, number, bytes: piece }))
      return undefined
    })
  }

  /** Counts `size` bytes for a body. Rejects with `qrNotActive` where it was dropped because its procedure ended. */
  private async count(body: Kept, size: number): Promise<void> {
    const { id, owner, counted } = body
    await this.use.database.transaction(async () => {
      const row = await this.use.database.query(bodies.name).where({ id }).forUpdate().first('id')
      if (row === undefined) throw procedureErrors.error('qrNotActive')
      if (size === counted) return
      await this.use.database.query(bodies.name).where({ id }).update({ size })
      if (size > counted) await this.use.ledger.take('procedureBytes', owner, size - counted)
      else await this.use.ledger.release('procedureBytes', owner, counted - size)
    })
    this.use.database.afterCommit(() => {
      body.counted = size
    })
  }

  async open(id: string): Promise<KeptBody | undefined> {
    const row = await this.use.database.query(bodies.name).where({ id }).first(bodies.columns)
    if (row === undefined) return undefined
    const { type, size } = bodies.read(row)
    return { type, size, bytes: () => this.read(id) }
  }

  /** The body of this name; `undefined` where there is none. */
  async find(procedureId: string, name: string): Promise<KeptBody | undefined> {
    const row = await this.use.database.query(bodies.name).where(bodies.row({ procedureId, name })).first('id')
    return row && this.open(String(row.id))
  }

  /** Removes bodies and releases their shares. */
  async drop(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const keys = await this.use.database.transaction(async () => {
        const row = await this.use.database.query(bodies.name).where({ id }).forUpdate().first(bodies.columns)
        if (row === undefined) return []
        const { owner, size } = bodies.read(row)
        await this.use.database.query(chunks.name).where({ body_id: id }).delete()
        const keys = await this.use.pieces.drop(id)
        await this.use.database.query(bodies.name).where({ id }).delete()
        if (owner !== undefined) await this.use.ledger.release('procedureBytes', owner, size)
        return keys
      })
      await this.use.pieces.remove(keys)
    }
  }

  /** Removes all bodies of these procedures. */
  async dropOf(procedureIds: readonly string[]): Promise<void> {
    const ids: string[] = await this.use.database.query(bodies.name).whereIn('procedure_id', procedureIds).pluck('id')
    await this.drop(ids)
  }

  /** Removes leftovers of procedures that expired before a moment or were never stored. */
  async sweep(before: number, limit: number): Promise<void> {
    for (;;) {
      const left = this.use.database
        .query(bodies.name)
        .leftJoin('registry_procedures', 'registry_procedures.id', `${bodies.name}.procedure_id`)
        .where((over) =>
          over
            .where('registry_procedures.expire_at', '<', before)
            .orWhere((lost) =>
              lost.whereNull('registry_procedures.id').andWhere(`${bodies.name}.created_at`, '<', before),
            ),
        )
      const ids: string[] = await left.limit(limit).pluck(`${bodies.name}.id`)
      await this.drop(ids)
      if (ids.length < limit) return
    }
  }

  /** Counted bytes by owner. */
  async counted(): Promise<ReadonlyMap<Owner, number>> {
    const rows: { owner: string; total: number | string }[] = await this.use.database
      .query(bodies.name)
      .whereNotNull('owner')
      .groupBy('owner')
      .select('owner')
      .sum({ total: 'size' })
    return new Map(rows.map(({ owner, total }) => [owner, Number(total)]))
  }

  private async *read(bodyId: string): AsyncGenerator<Uint8Array> {
    const pieces = await this.use.pieces.of(bodyId)
    for (const piece of pieces) yield this.use.pieces.read(piece)
    for (let number = 0; pieces.length === 0; number++) {
      const row = await this.use.database.query(chunks.name).where(chunks.row({ bodyId, number })).first('bytes')
      if (row === undefined) return
      yield row.bytes
    }
  }
}

/** A body that is being received. */
interface Kept {
  readonly id: string
  readonly owner: Owner
  /** Bytes counted against the owner so far. */
  counted: number
}

async function* limited(stream: BodyStream['stream'], limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) throw requestErrors.error('bodyTooLarge', { limit })
    yield chunk
  }
}
