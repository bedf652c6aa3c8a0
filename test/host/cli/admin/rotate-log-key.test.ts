import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdministration } from '@signed-registry/core'
import { expect } from 'chai'
import { rotateLogKey } from '#host/cli/admin/rotate-log-key.js'
import { forSqlite } from '../../../support/databases.js'
import { loggingRegistry } from '../../../support/log/logging-registry.js'
import { LOG_KEY, newLogKey } from '../../../support/log-key.js'
import { watchSyncedFiles } from '../../../support/synced-files.js'

describe('a change of the key of the log', () => {
  forSqlite((open) => {
    const folder = mkdtempSync(join(tmpdir(), 'rotate-log-key-'))
    after(() => rmSync(folder, { recursive: true }))

    it('makes the next key durable before the log depends on it, also one of an interrupted run, and the place of it after', async () => {
      const file = join(folder, 'log.key')
      const next = newLogKey()
      writeFileSync(file, LOG_KEY)
      writeFileSync(`${file}.new`, next)
      const database = await open()
      const test = await loggingRegistry(database, { key: LOG_KEY })
      await test.integrate()
      const administration = await openAdministration({ database, log: { key: LOG_KEY } })
      const { log } = administration
      const done: string[] = []
      const change = log.changeKey.bind(log)
      log.changeKey = async (key) => {
        done.push('changed')
        return change(key)
      }
      const inFolder = () => (readFileSync(file, 'utf8') === next ? 'next key in place' : 'former key in place')
      const watch = watchSyncedFiles((inode) => {
        if (inode === statSync(folder).ino) done.push(inFolder())
      })
      try {
        await rotateLogKey(administration, file)
      } finally {
        watch.end()
        await administration.close()
        await test.registry.close()
      }
      expect(done).to.deep.equal(['former key in place', 'changed', 'next key in place'])
    })
  })
})
