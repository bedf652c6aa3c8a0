import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous, provideValue } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { HighWaterMark } from '#core/log/high-water-mark.js'
import { LogStore } from '#core/log/log-store.js'
import { defaultLogTimes, LogTimes, LogWorker } from '#core/log/log-worker.js'
import { forEachDatabase } from '../../support/databases.js'
import { LOG_KEY } from '../../support/log-key.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

/** No turn ends while a test works, on however busy a machine. */
const longTurns = { name: 'long turns', provides: [provideValue(LogTimes, { ...defaultLogTimes, turnMs: 300_000 })] }

describe('hosts that take turns at the log', () => {
  forEachDatabase((open) => {
    let root: string
    let database: string
    const opened: TestRegistry[] = []
    beforeEach(async () => {
      root = mkdtempSync(join(tmpdir(), 'registry-turns-'))
      database = await open()
    })
    afterEach(async () => {
      for (const { registry } of opened.splice(0)) await registry.close()
      rmSync(root, { recursive: true, force: true })
    })

    const start = async (folder: string) => {
      const host = await testRegistry(database, {
        plugins: [longTurns],
        log: { key: LOG_KEY, folder: join(root, folder) },
      })
      opened.push(host)
      return host
    }
    const register = async ({ registry, authorities }: TestRegistry) => {
      const signature = authorities.person().signCms(Buffer.from('I owe you 5 tenge.')).toString('base64')
      await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
    }
    const round = ({ registry }: TestRegistry) => registry.get(LogWorker).run()
    const log = async ({ registry }: TestRegistry) => registry.get(LogStore).begin()

    it('leave it to the one that has the turn', async () => {
      const [one, other] = [await start('one'), await start('other')]
      await register(one)
      await round(one)
      const { size } = await log(one)
      await register(one)
      await round(other)
      expect(await log(one)).to.include({ size, publishedSize: size })
      await round(one)
      expect((await log(one)).publishedSize).to.be.greaterThan(size)
    })

    it('get it from one that cannot publish, and keep it', async () => {
      const [lame, sound] = [await start('lame'), await start('sound')]
      await register(lame)
      await round(lame)
      lame.registry.get(HighWaterMark).raise = async () => {
        throw new Error('the disk is full')
      }
      await register(lame)
      expect(await round(lame).catch(String)).to.include('the disk is full')
      const { size, publishedSize } = await log(lame)
      expect(publishedSize).to.be.lessThan(size)
      await register(lame)
      await round(lame)
      expect(await log(lame)).to.include({ size })
      await round(sound)
      const after = await log(sound)
      expect(after.size).to.be.greaterThan(size)
      expect(after).to.include({ publishedSize: after.size })
    })
  })
})
