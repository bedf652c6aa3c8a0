import { createPublicKey } from 'node:crypto'
import { openAdministration } from '@signed-registry/core'
import { verifierKey } from '@signed-registry/verifier'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { LogEntries } from '#core/log/log-entries.js'
import { ProveEntry } from '#core/log/prove-entry.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY, newLogKey } from '../../support/log-key.js'

describe('the proof of a fact', () => {
  forEachDatabase((open) => {
    let database: string
    let test: LoggingRegistry
    beforeEach(async () => {
      database = await open()
      test = await loggingRegistry(database, { key: LOG_KEY })
    })
    afterEach(() => test.registry.close())

    const prove = ({ signId }: { readonly signId: number }) =>
      test.registry.get(ProveEntry).of('signature', `${signId}`)

    it('is never said to be absent while its entry moves into the tree', async () => {
      const document = await test.register()
      const entries = test.registry.get(LogEntries)
      const find = entries.find.bind(entries)
      entries.find = async (...asked) => {
        const found = await find(...asked)
        if (asked[0] !== 'signature') return found
        entries.find = find
        await test.integrate()
        return found
      }
      expect(await prove(document)).to.include({ state: 'logged' })
    })

    it('has the key that signed its checkpoint, whichever the log has now', async () => {
      const [one, two, three] = [LOG_KEY, newLogKey(), newLogKey()]
      await test.integrate()
      const { origin } = await test.log()
      const told = (pem: string) => verifierKey(origin, createPublicKey(pem))
      const documents: { readonly signId: number }[] = []
      const signers = async () => {
        const found = await Promise.all(documents.map(prove))
        return found.map((one) => (one.state === 'logged' ? one.verifierKey : one.state))
      }
      for (const [present, next] of [[one, two] as const, [two, three] as const]) {
        documents.push(await test.register())
        await test.integrate()
        // Of this one the first checkpoint is the one that both keys sign.
        documents.push(await test.register())
        const administration = await openAdministration({ database, log: { key: present } })
        await administration.log.changeKey(next).finally(() => administration.close())
        await test.registry.close()
        test = await loggingRegistry(database, { key: next })
      }
      expect(await signers()).to.deep.equal([one, two, two, three].map(told))
      await test.registry.get(Database).query('registry_log_key_changes').delete()
      expect(await signers()).to.deep.equal([undefined, undefined, undefined, told(three)])
    })
  })
})
