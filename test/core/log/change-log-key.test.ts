import { createPublicKey } from 'node:crypto'
import { openAdministration } from '@signed-registry/core'
import { verifierKey, verifySignedNote } from '@signed-registry/verifier'
import { openCheckpoint } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY, newLogKey } from '../../support/log-key.js'

describe('the key of the log', () => {
  forEachDatabase((open) => {
    const next = newLogKey()
    let database: string
    let test: LoggingRegistry
    beforeEach(async () => {
      database = await open()
      test = await loggingRegistry(database, { key: LOG_KEY })
      await test.register()
      await test.integrate()
    })
    afterEach(() => test.registry.close())

    const change = async (present: string | undefined, to: string) => {
      const administration = await openAdministration({
        database,
        log: { ...(present !== undefined && { key: present }) },
      })
      try {
        return await administration.log.changeKey(to)
      } finally {
        await administration.close()
      }
    }
    const publicKey = async (pem: string) => verifierKey((await test.log()).origin, createPublicKey(pem))
    const again = async (key: string) => {
      await test.registry.close()
      test = await loggingRegistry(database, { key })
    }
    const refusal = (work: Promise<unknown>) =>
      work.then(
        () => '',
        (error: unknown) => (error instanceof TypeError ? error.message : String(error)),
      )

    it('is changed by a checkpoint that both keys sign, which covers the entry with the next one', async () => {
      const { size } = await change(LOG_KEY, next)
      const { checkpoint = '', verifierKey: told } = await test.log()
      expect(told).to.equal(await publicKey(next))
      expect(openCheckpoint(checkpoint, await publicKey(next)).size).to.equal(size)
      expect(openCheckpoint(checkpoint, await publicKey(LOG_KEY)).size).to.equal(size)
      const entries = await test.publicEntries(0, await test.checkpoint())
      expect(entries).to.deep.include({ kind: 'logKey', verifierKey: await publicKey(next) })
    })

    it('signs alone afterwards', async () => {
      await change(LOG_KEY, next)
      await again(next)
      await test.register()
      await test.integrate()
      const { note } = await test.checkpoint()
      expect(verifySignedNote(note, await publicKey(next))).to.be.a('string')
      const former = await publicKey(LOG_KEY)
      expect(() => verifySignedNote(note, former)).to.throw()
    })

    it('is told with the checkpoint that leads to it, to everybody who knows the former one', async () => {
      expect((await test.log()).keyChanges).to.deep.equal([])
      const { size, formerKey } = await change(LOG_KEY, next)
      await again(next)
      await test.register()
      await test.integrate()
      const [told] = (await test.log()).keyChanges
      expect(told?.formerKey).to.equal(formerKey)
      expect(openCheckpoint(told?.checkpoint ?? '', formerKey).size).to.equal(size)
      expect(openCheckpoint(told?.checkpoint ?? '', await publicKey(next)).size).to.equal(size)
    })

    it('is told with the checkpoint that leads to it also of a log that another one has succeeded', async () => {
      await change(LOG_KEY, next)
      const { origin, keyChanges } = await test.log()
      await test.registry.get(Database).query('registry_log_tiles').delete()
      const administration = await openAdministration({ database, log: { key: next } })
      await administration.log.resume().finally(() => administration.close())
      const after = await test.log()
      expect(after.keyChanges).to.deep.equal([])
      expect(after.earlier.map((log) => [log.origin, log.keyChanges])).to.deep.equal([[origin, keyChanges]])
      expect(keyChanges).to.have.length(1)
    })

    it('is never announced twice', async () => {
      await change(LOG_KEY, next)
      await change(next, LOG_KEY)
      expect(await refusal(change(LOG_KEY, next))).to.match(/announced before/)
    })

    it('leaves hosts that have the former one without a signature, and their entries waiting', async () => {
      await change(LOG_KEY, next)
      const { size } = await test.checkpoint()
      await test.register()
      await test.integrate()
      expect((await test.checkpoint()).size).to.equal(size)
      await again(next)
      await test.integrate()
      expect((await test.checkpoint()).size).to.equal(size + 1)
    })

    it('stops hosts from the moment that the next one is announced, and is changed when it is tried again', async () => {
      const { size } = await test.checkpoint()
      const { query } = test.registry.get(Database)
      await query('registry_logs').update({ next_key: await publicKey(newLogKey()) })
      await test.register()
      await test.integrate()
      expect((await test.checkpoint()).size).to.equal(size)
      await change(LOG_KEY, next)
      expect(await test.log()).to.include({ verifierKey: await publicKey(next) })
    })

    it('is changed only by who has it, to another one', async () => {
      expect(await refusal(change(newLogKey(), next))).to.match(/otherKey/)
      expect(await refusal(change(undefined, next))).to.match(/noKey/)
      expect(await refusal(change(LOG_KEY, LOG_KEY))).to.equal('The next key is the present one')
      expect(await test.log()).to.include({ verifierKey: await publicKey(LOG_KEY) })
    })
  })
})
