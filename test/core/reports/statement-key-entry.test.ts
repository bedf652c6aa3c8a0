import { provideValue, type Registry, type RegistryOptions } from '@signed-registry/core'
import { GetStatementKey } from '@signed-registry/core/reports'
import { type PublicEntry, readPublicEntry } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { LogStore } from '#core/log/log-store.js'
import { LogTree } from '#core/log/log-tree.js'
import { defaultLogTimes, LogTimes, LogWorker } from '#core/log/log-worker.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { keptLog } from '../../support/log/kept-log.js'
import { newLogKey } from '../../support/log-key.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

/** Each start has its turn at once. */
const turns = { name: 'turns', provides: [provideValue(LogTimes, { ...defaultLogTimes, turnMs: 0 })] }

describe('the statement key in the log', () => {
  forEachDatabase((open) => {
    const start = (database: string, options: Partial<RegistryOptions>) =>
      registryWithoutAuthorities(database, options, [turns])
    /** What everybody can read of its statement keys, after a start of the registry. */
    const logged = async (registry: Registry): Promise<PublicEntry[]> => {
      await registry.get(LogWorker).run()
      const tree = await registry.get(LogStore).current()
      if (tree === undefined || tree.size === 0) return []
      const entries = await registry.get(LogTree).entries(tree, 0, tree.size)
      return entries.flatMap((entry) => readPublicEntry(entry) ?? []).filter(({ kind }) => kind === 'statementKey')
    }

    it('stands there once, also after another start, and beside the key that follows it', async () => {
      const database = await open()
      const first = await start(database, { ...keptLog, statementKey: STATEMENT_KEY })
      const { verifierKey } = first.get(GetStatementKey).execute()
      expect(await logged(first)).to.deep.equal([{ kind: 'statementKey', verifierKey }])
      await first.close()
      const second = await start(database, { ...keptLog, statementKey: STATEMENT_KEY })
      expect(await logged(second)).to.have.length(1)
      await second.close()
      const third = await start(database, { ...keptLog, statementKey: newLogKey() })
      const next = third.get(GetStatementKey).execute().verifierKey
      expect(next).not.to.equal(verifierKey)
      expect(await logged(third)).to.deep.equal([
        { kind: 'statementKey', verifierKey },
        { kind: 'statementKey', verifierKey: next },
      ])
      await third.close()
    })

    it('is missing where there is none, or no log is kept', async () => {
      const keyless = await start(await open(), keptLog)
      expect(await logged(keyless)).to.deep.equal([])
      await keyless.close()
      const off = await start(await open(), { log: 'off', statementKey: STATEMENT_KEY })
      await off.get(LogWorker).run()
      expect(await off.get(Database).query('registry_log_pending').select('id')).to.deep.equal([])
      await off.close()
    })
  })
})
