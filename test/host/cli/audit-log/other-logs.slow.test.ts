import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdministration } from '@signed-registry/core'
import { expect } from 'chai'
import { LogEntries } from '#core/log/log-entries.js'
import { forEachDatabase } from '../../../support/databases.js'
import { OPERATED_LOG, OperatedRegistry } from '../../../support/log/operated-registry.js'
import { auditJson } from '../../../support/log/run-audit.js'
import { LOG_KEY } from '../../../support/log-key.js'

// After a restore a registry has an ended log and the one that follows it: what one of them has is not in the other.
describe('Audits of the logs of a registry that went on after a restore', () => {
  forEachDatabase((open) => {
    let folder: string
    let test: OperatedRegistry
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'audits-'))
      test = await OperatedRegistry.start({ database: await open() })
    })
    afterEach(async () => {
      await test.close()
      rmSync(folder, { recursive: true })
    })

    const resume = async () => {
      await test.query('registry_logs').update({ halted: 'databaseOlder' })
      const log = { key: LOG_KEY, origin: OPERATED_LOG }
      const administration = await openAdministration({ database: test.database, log, clock: test.clock })
      await administration.log.resume()
      await administration.close()
    }
    const audit = async (which: 'ended' | 'present') => {
      const { address, verifierKey = '', earlier } = await test.log()
      const log = which === 'present' ? { address, verifierKey } : { verifierKey: '', ...earlier[0] }
      const args = [log.address ?? '', '--key', log.verifierKey, '--state', join(folder, 'state.json')]
      const { code, wrong, unread, found } = await auditJson([...args, '--with-database', test.database])
      return [code, ...wrong, ...unread, ...found.filter((one) => one === 'provedElsewhere')]
    }

    it('prove what the ended log has once that was compared with the database, and not before', async () => {
      await test.register()
      await test.stamp()
      await resume()
      await test.register()
      await test.stamp()
      expect(await audit('present')).to.deep.equal([3, 'loggedElsewhere'])
      expect(await audit('ended')).to.deep.equal([0, 'provedElsewhere'])
      expect(await audit('present')).to.deep.equal([0, 'provedElsewhere'])
    })

    it('prove what the later log says was forgotten of the ended one in the same way', async () => {
      const { id } = await test.register()
      await test.stamp()
      await resume()
      await test.registry.get(LogEntries).forget('digests', [id], 'retention')
      await test.query('registry_document_digests').where({ document_id: id }).delete()
      await test.query('registry_documents').where({ id }).update({ digests_fixed_at: null })
      await test.stamp()
      expect(await audit('ended')).to.deep.equal([3, 'forgottenElsewhere'])
      // The signature stands before what was forgotten, and was compared.
      expect(await audit('present')).to.deep.equal([0, 'provedElsewhere'])
      expect(await audit('ended')).to.deep.equal([0])
    })

    it('believe no entry of the ended log that could not be read again', async () => {
      const { signId } = await test.register()
      await test.stamp()
      await resume()
      await test.stamp()
      const { ocsp } = await test.query('registry_signatures').where({ sign_id: signId }).first('ocsp')
      await test.query('registry_signatures').update({ ocsp: null })
      expect(await audit('ended')).to.deep.equal([1, 'changed'])
      await test.query('registry_signatures').update({ ocsp })
      const bundles = await test.query('registry_log_bundles').where({ log: 0 }).select()
      await test.query('registry_log_bundles').where({ log: 0 }).delete()
      expect(await audit('ended')).to.deep.equal([3, 'entriesUnproved'])
      expect(await audit('present')).to.deep.equal([3, 'loggedElsewhere'])
      await test.query('registry_log_bundles').insert(bundles)
      expect(await audit('ended')).to.deep.equal([0])
      expect(await audit('present')).to.deep.equal([0, 'provedElsewhere'])
    })

    it('believe no entry of the ended log that was not as the database has it', async () => {
      const { signId } = await test.register()
      await test.stamp()
      await resume()
      await test.stamp()
      const signature = () => test.query('registry_signatures').where({ sign_id: signId })
      const { ocsp } = await signature().first('ocsp')
      await signature().update({ ocsp: null })
      expect(await audit('ended')).to.deep.equal([1, 'changed'])
      expect(await audit('present')).to.deep.equal([3, 'loggedElsewhere'])
      await signature().update({ ocsp })
    })
  })
})
