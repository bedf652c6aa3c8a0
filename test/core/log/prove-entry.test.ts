import { expect } from 'chai'
import { LogEntries } from '#core/log/log-entries.js'
import { ProveEntry } from '#core/log/prove-entry.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY } from '../../support/log-key.js'

describe('the proof of a fact', () => {
  forEachDatabase((open) => {
    let test: LoggingRegistry
    beforeEach(async () => {
      test = await loggingRegistry(await open(), { key: LOG_KEY })
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
  })
})
