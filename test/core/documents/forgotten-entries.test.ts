import { ChangeDocumentSettings } from '@signed-registry/core/documents'
import { ChangePackageSettings } from '@signed-registry/core/packages'
import { type PublicEntry, readPublicEntry } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { ForgetDocuments } from '#core/documents/forget-documents.js'
import { LOGGED_KINDS } from '#core/log/index.js'
import { LogStore } from '#core/log/log-store.js'
import { LogTree } from '#core/log/log-tree.js'
import { LogWorker } from '#core/log/log-worker.js'
import { ForgetPackages } from '#core/packages/forget-packages.js'
import { systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { keptLog } from '../../support/log/kept-log.js'
import { DAY } from '../../support/pki/authorities.js'
import { type RoutingTest, receiver, routingTest, SENDER, sender } from '../../support/routing.js'

const RETENTION = 30 * DAY
/** Of what the sender's system registers, the sender may change settings. */
const by = systemCaller({ bin: SENDER, certificate: Buffer.from('certificate').toString('base64') })

describe('the log of documents and packages that are forgotten', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    beforeEach(async () => {
      test = await routingTest(open, { ...keptLog, limits: { incompleteRetentionMs: RETENTION } })
    })
    afterEach(() => test.registry.close())

    const rows = async (table: string, ...columns: string[]) => test.registry.get(Database).query(table).select(columns)
    const integrate = () => test.registry.get(LogWorker).run()
    const forget = async () => {
      test.clock.time += RETENTION
      await test.registry.get(ForgetPackages).run()
      await test.registry.get(ForgetDocuments).run()
    }
    /** Entries that a salt still opens, as `kind ref`. */
    const openable = async () =>
      (await rows('registry_log_entries', 'kind', 'ref', 'salt')).flatMap(({ kind, ref, salt }) =>
        salt === null ? [] : [`${kind} ${ref}`],
      )
    const publicEntries = async (): Promise<PublicEntry[]> => {
      const tree = await test.registry.get(LogStore).current()
      if (tree === undefined) return []
      const entries = await test.registry.get(LogTree).entries(tree, 0, tree.size)
      return entries.flatMap((entry) => readPublicEntry(entry) ?? [])
    }
    const openDocument = async (id: string) => {
      for (const settings of [{ private: true }, { private: false }])
        await test.registry.get(ChangeDocumentSettings).execute(sender, { id, request: settings })
    }
    const openPackage = async (packageId: string) => {
      for (const settings of [{ private: true }, { private: false }])
        await test.registry.get(ChangePackageSettings).execute(sender, { packageId, request: settings })
    }
    /** A package of which one document never gets its original, with an entry of each kind that such a package can have. */
    const incomplete = async () => {
      const { packageId, documentsIds } = await test.register({ by, count: 2 })
      const [fixed = '', never = ''] = documentsIds
      await test.fix(fixed, by)
      await openPackage(packageId)
      await openDocument(fixed)
      await openDocument(never)
      const itemId = await test.sendDocument(fixed)
      await test.answer(itemId, { status: 'accepted', comment: 'yes' }, receiver)
      return { fixed, itemId }
    }

    it('can be opened by nobody any more, and says which entries these were', async () => {
      const { fixed, itemId } = await incomplete()
      const other = await test.complete({ by, count: 1 })
      await openPackage(other.packageId)
      await integrate()
      const before = await openable()
      expect(before).to.include.members([`${LOGGED_KINDS.digests} ${fixed}`, `${LOGGED_KINDS.delivery} ${itemId}`])
      // What was decided is about the item, which its parties keep.
      const decision = `${LOGGED_KINDS.decision} ${itemId}`
      const kept = [decision, `${LOGGED_KINDS.digests} ${other.documentsIds[0]}`, before.at(-1)]
      const forgotten = before.flatMap((entry, index) => (kept.includes(entry) ? [] : [index]))
      expect(forgotten).to.have.length(5)
      await forget()
      expect(await rows('registry_packages', 'id')).to.deep.equal([{ id: other.packageId }])
      await integrate()
      expect(await openable()).to.deep.equal(kept)
      const { origin } = (await test.registry.get(LogStore).current()) ?? {}
      expect(await publicEntries()).to.have.deep.members(
        forgotten.map((index) => {
          const kind = Number(before[index]?.split(' ')[0])
          const [entryKind] = Object.entries(LOGGED_KINDS).find(([, number]) => number === kind) ?? []
          return { kind: 'forgotten', origin, index, entryKind, reason: 'incompleteRetention' }
        }),
      )
    })

    it('is nothing where the entries are in no tree yet', async () => {
      const { itemId } = await incomplete()
      await forget()
      expect(await rows('registry_log_pending', 'ref')).to.deep.equal([{ ref: itemId }])
      await integrate()
      expect(await openable()).to.deep.equal([`${LOGGED_KINDS.decision} ${itemId}`])
      expect(await publicEntries()).to.deep.equal([])
    })

    it('stays where they stay', async () => {
      const { documentsIds } = await test.complete({ by, count: 1 })
      await openDocument(documentsIds[0] ?? '')
      await integrate()
      const before = await openable()
      expect(before).to.have.length(2)
      await forget()
      expect(await openable()).to.deep.equal(before)
      expect(await publicEntries()).to.deep.equal([])
    })

    it('is forgotten with the transaction that deletes them', async () => {
      await incomplete()
      await integrate()
      const before = await openable()
      const { query } = test.registry.get(Database)
      await query.schema.renameTable('registry_package_notifications', 'gone')
      test.clock.time += RETENTION
      expect(
        await test.registry
          .get(ForgetPackages)
          .run()
          .catch(() => 'failed'),
      ).to.equal('failed')
      await query.schema.renameTable('gone', 'registry_package_notifications')
      expect(await openable()).to.deep.equal(before)
      expect(await rows('registry_log_pending', 'ref')).to.deep.equal([])
    })
  })
})
