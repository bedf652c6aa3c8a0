import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readNote } from '@signed-registry/verifier'
import {
  EMPTY_ROOT,
  leafHash,
  readCheckpoint,
  TiledTree,
  VerifiedTiles,
  widthOfTile,
} from '@signed-registry/verifier/log'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { Database } from '#core/database/database.js'
import { entriesTable, logsTable, pendingTable } from '#core/log/log-tables.js'
import { TreeStore } from '#core/log/tree-store.js'

/** What is expected of a log beside being whole. */
interface Expected {
  /** Refs of facts whose transaction was committed. */
  readonly logged: readonly string[]
  /** Folders in which hosts keep what they have signed. */
  readonly folders: readonly string[]
}

/**
 * Expects a log without gap, doubled entry or fork: every committed fact is in it once or waits, and whatever was signed is what the
 * tree was at that size.
 */
export async function expectWholeLog(knex: Knex, { logged, folders }: Expected): Promise<number> {
  const [row]: Record<string, unknown>[] = await knex(logsTable.name).select(logsTable.columns)
  // A host that is killed early enough has not begun one.
  const { log, size, root } = row === undefined ? { log: 0, size: 0, root: EMPTY_ROOT } : logsTable.read(row)
  const store = new TreeStore({ database: new Database({ pool: { knex, isForeign: false } }) })
  const tiles = new VerifiedTiles({ size, root }, (tile) => store.tile(log, tile))

  const entries = (await knex(entriesTable.name).orderBy('idx').select(entriesTable.columns)).map((one) =>
    entriesTable.read(one),
  )
  expect(entries.map(({ index }) => index)).to.deep.equal(Array.from({ length: size }, (_, index) => index))
  const waiting = (await knex(pendingTable.name).select(pendingTable.columns)).map((one) => pendingTable.read(one))
  const refs = [...entries, ...waiting].map(({ ref }) => ref)
  expect(new Set(refs).size).to.equal(refs.length)
  expect([...logged].filter((ref) => !refs.includes(ref))).to.deep.equal([])

  for (let index = 0; index * 256 < size; index += 1) {
    const width = widthOfTile(size, 0, index)
    const hashes = await tiles.read({ level: 0, index, width })
    const leaves = (await store.entries(log, index, width)).map((entry) => leafHash(entry))
    expect(Buffer.concat(leaves).equals(hashes)).to.equal(true)
  }
  const notes: string[] = await knex('registry_log_checkpoints').pluck('note')
  const signed = [...notes.map((note) => readNote(note).text), ...folders.flatMap(marksIn)]
  for (const text of signed) {
    const checkpoint = readCheckpoint(text)
    expect(checkpoint.size).to.be.at.most(size)
    const then = await new TiledTree(checkpoint.size, (tile) => tiles.read(tile)).root()
    expect(Buffer.compare(then, checkpoint.root), `the tree of size ${checkpoint.size} was signed`).to.equal(0)
  }
  return size
}

const marksIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.checkpoint'))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
    : []
