import { ChangeDocumentSettings } from '@signed-registry/core/documents'
import { ChangePackageSettings } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { AuditSeals, AuditStore } from '#core/audit/index.js'
import { Database } from '#core/database/database.js'
import { ForgetDocuments } from '#core/documents/forget-documents.js'
import { KnownDigests } from '#core/documents/known-digests.js'
import { AuditEntries } from '#core/log/audit-entries.js'
import { LogStore } from '#core/log/log-store.js'
import { LogWorker } from '#core/log/log-worker.js'
import { TreeStore } from '#core/log/tree-store.js'
import { UnloggedFacts } from '#core/log/unlogged-facts.js'
import { ForgetPackages } from '#core/packages/forget-packages.js'
import { systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { keptLog } from '../../support/log/kept-log.js'
import { DAY, MINUTE } from '../../support/pki/authorities.js'
import { type RoutingTest, receiver, routingTest, SENDER, sender } from '../../support/routing.js'

const RETENTION = 30 * DAY
const SHA512 = '2.16.840.1.101.3.4.2.3'
/** Of what the sender's system registers, the sender may change settings. */
const by = systemCaller({ bin: SENDER, certificate: Buffer.from('certificate').toString('base64') })

describe('AuditEntries looks for every kind', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    beforeEach(async () => {
      test = await routingTest(open, { ...keptLog, limits: { incompleteRetentionMs: RETENTION } })
      await integrate()
    })
    afterEach(() => test.registry.close())

    const query = () => test.registry.get(Database).query
    const integrate = () => test.registry.get(LogWorker).run()
    const current = async () => {
      const log = await test.registry.get(LogStore).begin()
      return { log, audit: test.registry.get(AuditEntries), unlogged: test.registry.get(UnloggedFacts) }
    }
    /** What is in no entry ten minutes later, as `kind ref`. */
    const notLogged = async () => {
      test.clock.time += 10 * MINUTE
      const { log, unlogged } = await current()
      const found: string[] = []
      for await (const { kind, ref, isOlderThanLog } of unlogged.of(log, log.size))
        found.push(`${kind} ${ref}${isOlderThanLog ? ', older' : ''}`)
      return found
    }
    /** Complete and in the log, with its documents. */
    const complete = async (choice: Parameters<RoutingTest['complete']>[0] = {}) => {
      const { packageId, documentsIds } = await test.complete({ count: 1, ...choice })
      await integrate()
      return { packageId, id: documentsIds[0] ?? '' }
    }
    const openDocument = async (id: string) => {
      for (const settings of [{ private: true }, { private: false }])
        await test.registry.get(ChangeDocumentSettings).execute(sender, { id, request: settings })
    }
    const openPackage = async (packageId: string) => {
      for (const settings of [{ private: true }, { private: false }])
        await test.registry.get(ChangePackageSettings).execute(sender, { packageId, request: settings })
    }
    const lastEvent = async () => Number((await query()('registry_audit_events').max({ id: 'event_id' }).first())?.id)

    /** Each stores a fact, and says how it is named. */
    const FACTS: Readonly<Record<string, () => Promise<string>>> = {
      'fixed hashes': async () => `digests ${(await test.complete({ count: 1 })).documentsIds[0]}`,
      'hashes that were added later': async () => {
        const { id } = await complete()
        await test.registry.get(KnownDigests).addMissing(id, new Map([[SHA512, Buffer.alloc(64, 1)]]))
        return `digests ${id} ${SHA512}`
      },
      deliveries: async () => `delivery ${await test.sendDocument((await complete()).id)}`,
      'deliveries of packages': async () => `delivery ${await test.sendPackage((await complete()).packageId)}`,
      decisions: async () => {
        const itemId = await test.sendDocument((await complete()).id)
        await integrate()
        await test.answer(itemId, { status: 'accepted', comment: 'yes' }, receiver)
        return `decision ${itemId}`
      },
      seals: async () => {
        const modifiedAt = test.clock.time
        const change = { ownerKind: 'user', ownerId: SENDER, original: {}, modified: { a: 1 }, modifiedAt } as const
        const eventId = await test.registry.get(AuditStore).append(change)
        test.clock.time += 10 * MINUTE
        await test.registry.get(AuditSeals).run()
        return `seal ${eventId}`
      },
      'changes that open a document': async () => {
        await openDocument((await complete({ by })).id)
        return `settings ${await lastEvent()}`
      },
      'changes that open a package': async () => {
        await openPackage((await complete({ by })).packageId)
        return `settings ${await lastEvent()}`
      },
      'changes that give rights in an organization': async () => {
        const rights = (iins: string[]) => ({ documentsAccess: { iins } })
        const states = { original: rights([]), modified: rights(['IIN123456789012']) }
        const modifiedAt = test.clock.time
        const owner = { ownerKind: 'organization', ownerId: SENDER, modifiedAt } as const
        return `settings ${await test.registry.get(AuditStore).append({ ...owner, ...states })}`
      },
    }

    for (const [what, store] of Object.entries(FACTS)) {
      it(`finds those that were not logged: ${what}`, async () => {
        const fact = await store()
        await query()('registry_log_pending').delete()
        await integrate()
        expect(await notLogged()).to.deep.equal([fact])
        await query()('registry_logs').update({ started_at: test.clock.time })
        expect(await notLogged()).to.include(`${fact}, older`)
      })

      it(`finds none where all were logged: ${what}`, async () => {
        await store()
        await integrate()
        expect(await notLogged()).to.deep.equal([])
      })
    }

    for (const isIntegrated of [true, false])
      it(`finds nothing of what was forgotten ${isIntegrated ? 'after' : 'before'} it was in the tree`, async () => {
        const { packageId, documentsIds } = await test.register({ by, count: 2 })
        const [fixed = '', never = ''] = documentsIds
        await test.fix(fixed, by)
        await test.registry.get(KnownDigests).addMissing(fixed, new Map([[SHA512, Buffer.alloc(64, 1)]]))
        await openPackage(packageId)
        await openDocument(never)
        const itemId = await test.sendDocument(fixed)
        await test.answer(itemId, { status: 'accepted' }, receiver)
        if (isIntegrated) await integrate()
        test.clock.time += RETENTION
        await test.registry.get(ForgetPackages).run()
        await test.registry.get(ForgetDocuments).run()
        await integrate()
        expect(await query()('registry_packages').select('id')).to.deep.equal([])
        expect(await notLogged()).to.deep.equal([])
      })

    it('finds all of many: fixed hashes, then those that were added later', async () => {
      const { id } = await complete()
      const document = await query()('registry_documents').where({ id }).first()
      const ids = Array.from({ length: 501 }, (_, n) => `many${`${n}`.padStart(12, '0')}`)
      for (let at = 0; at < ids.length; at += 50)
        await query()('registry_documents').insert(ids.slice(at, at + 50).map((one) => ({ ...document, id: one })))
      const digest = await query()('registry_document_digests').where({ document_id: id }).first()
      const later = (one: string, n: number) => ({ ...digest, document_id: one, algorithm: `1.2.${n}`, later_at: 1 })
      for (const one of ids.slice(0, 251))
        await query()('registry_document_digests').insert([later(one, 1), later(one, 2)])
      const added = ids.slice(0, 251).flatMap((one) => [`digests ${one} 1.2.1, older`, `digests ${one} 1.2.2, older`])
      expect(await notLogged()).to.deep.equal([...ids.map((one) => `digests ${one}`), ...added])
      await query()('registry_document_digests').where('later_at', 1).delete()
      await query()('registry_documents').whereIn('id', ids).delete()
    })

    it('finds a change that loosens access behind many that do not, and one that nobody can read', async () => {
      const { id } = await complete({ by })
      await openDocument(id)
      const event = await query()('registry_audit_events').orderBy('event_id', 'desc').first()
      const first = Number(event.event_id)
      const plain = (n: number) => ({ ...event, event_id: first + n, original: '{}', modified: '{}', change: null })
      const rows = Array.from({ length: 600 }, (_, n) => plain(n + 1))
      for (let at = 0; at < rows.length; at += 50)
        await query()('registry_audit_events').insert(rows.slice(at, at + 50))
      const [states, broken] = [{ original: '{"private":true}', modified: '{}' }, { original: '{' }]
      await query()('registry_audit_events').insert({ ...plain(601), ...states })
      await query()('registry_audit_events').insert({ ...plain(602), ...broken })
      await integrate()
      expect(await notLogged()).to.deep.equal([`settings ${first + 601}`, `settings ${first + 602}`])
    })

    it('takes none of two decisions for the one that was logged', async () => {
      const itemId = await test.sendDocument((await complete()).id)
      await test.answer(itemId, { status: 'accepted' }, receiver)
      await integrate()
      const { log, audit } = await current()
      const stored = await test.registry.get(TreeStore).entries(log.log, 0, log.size)
      const states = async () =>
        (await audit.compare(log, 0, stored, async (index) => stored[index])).map((one) => one.state)
      expect(await states()).to.not.include('changed')
      const [{ id, ...decision }] = await query()('registry_routing_comments').select()
      await query()('registry_routing_comments').insert({ ...decision, id: id + 1, status: 'denied' })
      expect((await states()).at(-1)).to.equal('changed')
      await query()('registry_routing_comments')
        .where({ id })
        .update({ id: id + 2 })
      expect((await states()).at(-1)).to.equal('changed')
      await query()('registry_routing_comments')
        .where({ id: id + 1 })
        .delete()
    })
  })
})
