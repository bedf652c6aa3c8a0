import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous } from '@signed-registry/core'
import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { checkpointText } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { KnownDigests } from '#core/documents/known-digests.js'
import { HighWaterMark } from '#core/log/high-water-mark.js'
import { LogEntries } from '#core/log/log-entries.js'
import { LogState } from '#core/log/log-state.js'
import { ProveEntry } from '#core/log/prove-entry.js'
import { ServeLog } from '#core/log/serve-log.js'
import { StampCheckpoint } from '#core/log/stamp-checkpoint.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY, newLogKey } from '../../support/log-key.js'
import { uploadOf } from '../../support/registry.js'

const SHA512 = '2.16.840.1.101.3.4.2.3'

describe('checkpoints of a log', () => {
  forEachDatabase((open) => {
    let root: string
    let database: string
    const opened: LoggingRegistry[] = []
    beforeEach(async () => {
      root = mkdtempSync(join(tmpdir(), 'registry-checkpoints-'))
      database = await open()
    })
    afterEach(async () => {
      for (const { registry } of opened.splice(0)) await registry.close()
      rmSync(root, { recursive: true, force: true })
    })

    const start = async (log: Parameters<typeof loggingRegistry>[1]) => {
      const host = await loggingRegistry(database, log)
      opened.push(host)
      return host
    }
    const nameOf = async (host: LoggingRegistry) => (await host.log()).address.split('/').at(-1) ?? ''
    const sizes = async (host: LoggingRegistry) => {
      const { size, publishedSize } = await host.registry
        .get(Database)
        .query('registry_logs')
        .first({ size: 'size', publishedSize: 'published_size' })
      return [Number(size), Number(publishedSize)]
    }
    const markIn = async (host: LoggingRegistry, folder: string, size: number) => {
      mkdirSync(folder, { recursive: true })
      const { origin } = await host.log()
      const text = checkpointText({ origin, size, root: Buffer.alloc(32, 7) })
      writeFileSync(join(folder, `log-${await nameOf(host)}.checkpoint`), text)
    }

    it('are not signed of a tree that grew out of a changed tile, not even where no mark was kept', async () => {
      const first = await start({ key: LOG_KEY })
      for (let n = 0; n < 3; n += 1) await first.register()
      await first.integrate()
      const before = await sizes(first)
      const { query } = first.registry.get(Database)
      const { hashes } = await query('registry_log_tiles').where({ level: 0, idx: 0 }).first('hashes')
      const changed = Buffer.from(hashes)
      changed.writeUInt8(changed.readUInt8(3) ^ 1, 3)
      await query('registry_log_tiles').where({ level: 0, idx: 0 }).update({ hashes: changed })

      const second = await start({ key: LOG_KEY })
      await second.register()
      await second.integrate()
      expect(await sizes(second)).to.deep.equal(before)
      expect((await second.registry.get(LogState).report()).halted).to.include({ reason: 'treeBroken' })
      await query('registry_log_tiles').where({ level: 0, idx: 0 }).update({ hashes })
      await second.integrate()
      expect((await sizes(second))[1]).to.be.greaterThan(before[1] ?? 0)
    })

    it('are not signed of a tree whose last entries are lost, wrong or too few', async () => {
      const host = await start({ key: LOG_KEY })
      for (let n = 0; n < 3; n += 1) await host.register()
      await host.integrate()
      const before = await sizes(host)
      const bundles = () => host.registry.get(Database).query('registry_log_bundles')
      const { entries } = await bundles().first('entries')
      const wrong = Buffer.from(entries)
      wrong.writeUInt8(wrong.readUInt8(5) ^ 1, 5)
      await host.register()
      for (const damaged of [wrong, Buffer.alloc(1), undefined]) {
        if (damaged === undefined) await bundles().delete()
        else await bundles().update({ entries: damaged })
        await host.integrate()
        expect(await sizes(host)).to.deep.equal(before)
        expect((await host.registry.get(LogState).report()).halted).to.include({ reason: 'treeBroken' })
      }
      await bundles().insert({ log: 0, idx: 0, entries })
      await host.integrate()
      expect((await sizes(host))[1]).to.be.greaterThan(before[1] ?? 0)
    })

    it('are signed by the host that has the key, whatever others do', async () => {
      const right = await start({ key: LOG_KEY })
      await right.integrate()
      const wrong = await start({ key: newLogKey() })
      const before = await sizes(right)
      await right.register()
      await wrong.integrate()
      expect(await sizes(right)).to.deep.equal(before)
      await right.integrate()
      const [size, published] = await sizes(right)
      expect(published).to.equal(size)
      expect(size).to.be.greaterThan(before[0] ?? 0)
    })

    it('are not signed by any host once one has a mark that the database does not reach, nor served older', async () => {
      const other = await start({ key: LOG_KEY, folder: join(root, 'other') })
      await other.register()
      await other.integrate()
      await markIn(other, join(root, 'knows'), 50)
      const knows = await start({ key: LOG_KEY, folder: join(root, 'knows') })
      await knows.integrate()
      const before = await sizes(other)
      await other.register()
      await other.integrate()
      expect(await sizes(other)).to.deep.equal(before)
      const asked = other.registry.get(ServeLog).checkpoint(await nameOf(other))
      await asked.then(
        () => expect.fail('an older checkpoint was served'),
        (error: unknown) => expect(error).to.include({ code: 'logUnreadable' }),
      )
    })

    it('are remembered by a host that signs none', async () => {
      const signs = await start({ key: LOG_KEY, folder: join(root, 'signs') })
      await signs.register()
      await signs.integrate()
      const follows = await start({ key: LOG_KEY, folder: join(root, 'follows') })
      await follows.integrate()
      const { size } = await signs.checkpoint()
      expect(follows.registry.get(HighWaterMark).of(await nameOf(signs))).to.include({ size })
    })

    it('raise the mark only, also by two processes in one folder', async () => {
      const folder = join(root, 'shared')
      const marks = () => new HighWaterMark({ settings: { isOn: true, folder } })
      const [one, other] = [marks(), marks()]
      const text = (size: number) => checkpointText({ origin: 'log.example', size, root: Buffer.alloc(32, size) })
      await one.raise('x', text(100))
      await other.raise('x', text(200))
      await one.raise('x', text(150))
      expect(one.of('x')).to.include({ size: 200 })
      expect(readFileSync(join(folder, 'log-x.checkpoint'), 'utf8')).to.equal(text(200))
    })

    it('are signed again once the newest one, as it was served, is put in the place of a damaged mark', async () => {
      const folder = join(root, 'torn')
      const host = await start({ key: LOG_KEY, folder })
      await host.register()
      await host.integrate()
      const { note, size } = await host.checkpoint()
      const file = join(folder, `log-${await nameOf(host)}.checkpoint`)
      writeFileSync(file, 'log.exam')
      await host.register()
      await host.integrate()
      writeFileSync(file, note)
      expect(host.registry.get(HighWaterMark).of(await nameOf(host))).to.include({ size })
      await host.integrate()
      expect((await host.checkpoint()).size).to.be.greaterThan(size)
    })

    it('wait while the mark cannot be read', async () => {
      const folder = join(root, 'torn')
      const host = await start({ key: LOG_KEY, folder })
      await host.register()
      await host.integrate()
      writeFileSync(join(folder, `log-${await nameOf(host)}.checkpoint`), 'log.exam')
      await host.register()
      await host.integrate()
      expect((await host.registry.get(LogState).report()).halted).to.include({ reason: 'markUnreadable' })
    })

    it('keep their stamp together with its entry, or neither', async () => {
      const host = await start({ key: LOG_KEY })
      await host.register()
      const { registry } = host
      const entries = registry.get(LogEntries)
      const publish = entries.publish.bind(entries)
      entries.publish = async () => {
        throw new Error('the disk is full')
      }
      await host.integrate().catch(() => undefined)
      expect((await host.log()).stampedAt).to.equal(undefined)
      entries.publish = publish
      const { log, startedAt } = { log: 0, startedAt: 0 }
      await registry.get(StampCheckpoint).run({ log, startedAt })
      expect((await host.log()).stampedAt).to.equal(host.clock.time)
      expect(await entries.waits('public', `stamp 0 ${(await host.checkpoint()).size}`)).to.equal(true)
    })

    it('prove no evidence that was replaced and logged again', async () => {
      const host = await start({ key: LOG_KEY })
      const { signId } = await host.register()
      await host.integrate()
      const { registry } = host
      const { query } = registry.get(Database)
      const { log: number } = await query('registry_log_entries').first('log')
      await query('registry_signatures').where({ sign_id: signId }).update({ stored_at: 1 })
      await registry.get(LogEntries).append([{ kind: 'signature', ref: `${signId}`, fields: [['documentId', 'x']] }])
      await host.integrate()
      expect(Number(number)).to.equal(0)
      expect(await registry.get(ProveEntry).of('signature', `${signId}`)).to.deep.equal({ state: 'changed' })
    })

    it('prove nothing of what was registered while no log was kept, or whose waiting entry was deleted', async () => {
      const off = await start('off')
      const { signId } = await off.register()
      expect(await off.registry.get(ProveEntry).of('signature', `${signId}`)).to.deep.equal({ state: 'off' })
      const on = await start({ key: LOG_KEY })
      expect(await on.registry.get(ProveEntry).of('signature', `${signId}`)).to.deep.equal({ state: 'absent' })
      const later = await on.register()
      const state = () => on.registry.get(ProveEntry).of('signature', `${later.signId}`)
      expect(await state()).to.deep.equal({ state: 'pending' })
      await on.registry.get(Database).query('registry_log_pending').delete()
      await on.integrate()
      expect(await state()).to.deep.equal({ state: 'absent' })
    })

    it('still prove hashes when another one was added while the log was off', async () => {
      const on = await start({ key: LOG_KEY })
      const data = Buffer.from(`I owe you ${Math.random()} tenge.`)
      const signature = on.authorities.person().signCms(data).toString('base64')
      const { registry } = on
      const { documentId } = await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      await registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(data) })
      await on.integrate()
      const off = await start('off')
      await off.registry.get(KnownDigests).addMissing(documentId, new Map([[SHA512, Buffer.alloc(64)]]))
      expect(await on.registry.get(ProveEntry).of('digests', documentId)).to.include({ state: 'logged' })
    })
  })
})
