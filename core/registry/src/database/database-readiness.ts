import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readiness, ReadinessCheck } from '../kernel/readiness.js'
import type { Injected } from '../kernel/service.js'
import { DatabasePool } from './database.js'

const MIN_ROOM = 32 * 1024 * 1024

/** Whether the database answers and, if it is a file, its disk has room. */
export class DatabaseReadiness implements ReadinessCheck {
  static readonly inject = { pool: DatabasePool }
  readonly name = 'database'

  constructor(private readonly use: Injected<typeof DatabaseReadiness.inject>) {}

  async check(): Promise<Readiness> {
    const { knex } = this.use.pool
    await knex.raw('select 1')
    const filename: unknown = knex.client.connectionSettings?.filename
    if (typeof filename === 'string' && filename !== ':memory:') await assertRoom(dirname(filename))
    return 'ok'
  }
}

async function assertRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < MIN_ROOM) throw new Error(`The disk of the database has ${bavail * bsize} bytes left`)
}
