import { Database } from '../database/database.js'
import { bytes, integer, optional, type Stored, table, text } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import type { BodyStream } from '../kernel/upload.js'
import { piecesOf } from '../originals/index.js'

/** Bytes of one row: large enough to be quick, small enough for any database and for memory. */
const PIECE = 256 * 1024

const bodies = table('registry_procedure_bodies', {
  id: text('id'),
  procedureId: text('procedure_id'),
  /** `data` and `result` of a raw procedure, or the document whose original it is. */
  name: text('name'),
  type: optional(text('type')),
  size: integer('size'),
  createdAt: integer('created_at'),
})
const chunks = table('registry_procedure_chunks', {
  bodyId: text('body_id'),
  number: integer('number'),
  bytes: bytes('bytes'),
})

/** A body that is kept: exactly the bytes that came. */
export interface KeptBody extends Pick<Stored<typeof bodies>, 'type' | 'size'> {
  bytes(): AsyncIterable<Uint8Array>
}

/** Keeps what passes between callers and the app, for as long as a procedure lives. It passes piece by piece. */
export class ProcedureBodies {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof ProcedureBodies.inject>) {}

  /** Reads a body to its end and answers its identifier. Rejects with `bodyTooLarge`, or as the stream does; then nothing is kept. */
  async keep(procedureId: string, name: string, { stream, type }: BodyStream, limit: number): Promise<string> {
    const id = newId()
    let size = 0
    let number = 0
    await this.insert(
      bodies.name,
      bodies.row({ id, procedureId, name, type: type?.slice(0, 255), size, createdAt: this.use.clock.now() }),
    )
    try {
      for await (const piece of piecesOf(limited(stream, limit), PIECE)) {
        await this.insert(chunks.name, chunks.row({ bodyId: id, number, bytes: piece }))
        size += piece.length
        number += 1
      }
      await this.use.database.transaction(() => this.use.database.query(bodies.name).where({ id }).update({ size }))
    } catch (error) {
      await this.drop([id]).catch(() => undefined)
      throw error
    }
    return id
  }

  async open(id: string): Promise<KeptBody | undefined> {
    const row = await this.use.database.query(bodies.name).where({ id }).first(bodies.columns)
    if (row === undefined) return undefined
    const { type, size } = bodies.read(row)
    return { type, size, bytes: () => this.read(id) }
  }

  /** The body of this name. */
  async find(procedureId: string, name: string): Promise<KeptBody | undefined> {
    const row = await this.use.database.query(bodies.name).where(bodies.row({ procedureId, name })).first('id')
    return row && this.open(String(row.id))
  }

  /** Removes bodies. */
  async drop(ids: readonly string[]): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.use.database.query(chunks.name).whereIn('body_id', ids).delete()
      await this.use.database.query(bodies.name).whereIn('id', ids).delete()
    })
  }

  /** Removes everything that these procedures keep. */
  async dropOf(procedureIds: readonly string[]): Promise<void> {
    const ids: string[] = await this.use.database.query(bodies.name).whereIn('procedure_id', procedureIds).pluck('id')
    for (const id of ids) await this.drop([id])
  }

  /** Removes what procedures that expired before a moment, or never came to be, have left. */
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
      for (const id of ids) await this.drop([id])
      if (ids.length < limit) return
    }
  }

  private async *read(bodyId: string): AsyncGenerator<Uint8Array> {
    for (let number = 0; ; number++) {
      const row = await this.use.database.query(chunks.name).where(chunks.row({ bodyId, number })).first('bytes')
      if (row === undefined) return
      yield row.bytes
    }
  }

  private async insert(name: string, row: Record<string, unknown>): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.use.database.query(name).insert(row)
    })
  }
}

async function* limited(stream: BodyStream['stream'], limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) throw requestErrors.error('bodyTooLarge', { limit })
    yield chunk
  }
}
