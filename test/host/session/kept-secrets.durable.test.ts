import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { keptKey } from '#host/session/kept-secrets.js'
import { watchSyncedFiles } from '../../support/synced-files.js'

describe('a key that a host makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-keys-'))
  after(() => rmSync(folder, { recursive: true }))

  it('is durable when it is answered: the file before it has its name, and the name', () => {
    const file = join(folder, 'log.key')
    const synced: (readonly [inode: number, isNamed: boolean])[] = []
    const watch = watchSyncedFiles((inode) => synced.push([inode, existsSync(file)]))
    try {
      keptKey(file)
      expect(synced).to.deep.equal([
        [statSync(file).ino, false],
        [statSync(folder).ino, true],
      ])
    } finally {
      watch.end()
    }
  })
})
