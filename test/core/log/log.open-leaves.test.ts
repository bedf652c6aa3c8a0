import { anonymous, type Caller, createRegistry, type Registry } from '@signed-registry/core'
import {
  AddSignature,
  ChangeDocumentSettings,
  FixDigests,
  RegisterDocument,
  VerifyDocument,
} from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { ChangePackageSettings } from '@signed-registry/core/packages'
import { saltedEntry, TILE_WIDTH, widthOfTile } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { AuditSeals } from '#core/audit/index.js'
import { coreMigrations } from '#core/core-areas.js'
import { Database } from '#core/database/database.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { LOGGED_KINDS, type SaltedKind } from '#core/log/index.js'
import { LogStore } from '#core/log/log-store.js'
import { entriesTable } from '#core/log/log-tables.js'
import { LogTree } from '#core/log/log-tree.js'
import { LogWorker } from '#core/log/log-worker.js'
import { LoggedTexts } from '#core/log/logged-facts.js'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { LOG_KEY } from '../../support/log-key.js'
import { MINUTE, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { CrlAuthorities } from '../../support/pki/crl-authorities.js'
import { uploadOf } from '../../support/registry.js'
import { RoutingTest, receiver, sender } from '../../support/routing.js'

const SHA512 = '2.16.840.1.101.3.4.2.3'
const carried = { timeStamp: true, ocsp: true }
const SALTED = Object.keys(LOGGED_KINDS).filter((kind): kind is SaltedKind => kind !== 'public')

/** Opens every salted entry of the log by what is stored now; counts them by their kinds. */
async function openLeaves(registry: Registry): Promise<ReadonlyMap<SaltedKind, number>> {
  const tree = await registry.get(LogStore).current()
  if (tree === undefined) throw new Error('There is no log')
  const logged: Uint8Array[] = []
  for (let bundle = 0; bundle * TILE_WIDTH < tree.size; bundle += 1)
    logged.push(...(await registry.get(LogTree).entries(tree, bundle, widthOfTile(tree.size, 0, bundle))))
  const rows = await registry.get(Database).query('registry_log_entries').orderBy('idx').select(entriesTable.columns)
  expect(rows).to.have.length(tree.size)
  const entries = rows.map((row) => entriesTable.read(row))
  const opened = new Map<SaltedKind, number>()
  for (const kind of SALTED) {
    const ofKind = entries.filter((entry) => entry.kind === LOGGED_KINDS[kind])
    const refs = ofKind.map(({ ref }) => ref)
    expect(new Set(refs).size, `entries of ${kind} have names of their own`).to.equal(refs.length)
    const texts = await registry.get(LoggedTexts).read(kind, refs)
    for (const { ref, salt = new Uint8Array(), index } of ofKind)
      expect(saltedEntry(salt, texts.get(ref) ?? '').equals(logged[index] ?? salt), `${kind} ${ref} opens`).to.equal(
        true,
      )
    opened.set(kind, ofKind.length)
  }
  return opened
}

describe('every entry of the log', () => {
  forEachDatabase((open) => {
    const clock = testClock()
    const authorities = testAuthorities({ clock })
    const world = new CrlAuthorities(authorities, clock)
    let database: string
    let registry: Registry
    const start = () =>
      createRegistry({
        ...{ database, clock, plugins: [world.plugin], log: { key: LOG_KEY } },
        signaturePolicy: { statusByCrls: true },
      })
    before(async () => {
      clock.time = NOW
      world.publish()
      database = await open()
      registry = await start()
      await logAllKinds()
    })
    after(() => registry.close())

    const register = async (signature: string, data: Buffer, signType: 'cms' | 'xml' = 'cms') => {
      const { documentId } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature, signType } })
      await registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(data) })
      return documentId
    }
    const changeDocument = (caller: Caller, id: string, settings: object) =>
      registry.get(ChangeDocumentSettings).execute(caller, { id, request: settings })

    /** Signatures of each form and with each kind of evidence, hashes, settings, deliveries, decisions and seals. */
    async function logAllKinds(): Promise<void> {
      const cms = Buffer.from('signed with a status')
      const withOcsp = await register(authorities.person().signCms(cms, carried).toString('base64'), cms)
      await registry.get(AddSignature).execute(anonymous, {
        id: withOcsp,
        request: { signature: authorities.person({ algorithm: 'rsa2048' }).signCms(cms).toString('base64') },
      })
      const byCrls = Buffer.from('signed, and judged by revocation lists')
      const signer = authorities.person({ iin: '900101300010' })
      const documentId = await register(signer.signCms(byCrls).toString('base64'), byCrls)
      const xml = authorities.person().signXml('<contract>Жүз теңге</contract>', carried)
      await register(xml.signature, xml.data, 'xml')
      const again = { id: documentId, query: { digest: SHA512 }, upload: uploadOf(byCrls) }
      await registry.get(VerifyDocument).execute(anonymous, again)

      const author = personCaller('IIN900101300010')
      for (let n = 0; n < 25; n += 1)
        await changeDocument(author, documentId, { private: true, publicWhileLessThanSignatures: n })
      const test = new RoutingTest(registry, clock)
      const { packageId } = await test.complete({ count: 1 })
      for (const settings of [{ private: true }, { private: false, packageAccess: [{ iin: author.iin }] }])
        await registry.get(ChangePackageSettings).execute(sender, { packageId, request: settings })
      await registry
        .get(SaveOrganizationSettings)
        .execute(sender, { request: { documentsAccess: { iins: [author.iin] } } })

      for (const request of [{ status: 'accepted' }, { status: 'denied', comment: 'Ой, жоқ 🙁' }] as const) {
        const itemId = await test.sent()
        await test.comment(itemId, 'please')
        clock.time += MINUTE
        await test.answer(itemId, request, receiver)
      }
      await test.recall(await test.sent(), 'the wrong file')
      await test.sent()
      clock.time += 11 * MINUTE
      await registry.get(AuditSeals).run()
      await registry.get(LogWorker).run()
    }

    it('opens by what is stored, whatever its kind', async () => {
      const opened = await openLeaves(registry)
      expect(SALTED.filter((kind) => !opened.get(kind))).to.deep.equal([])
      const forms = await registry.get(Database).query('registry_signatures').select('sign_type', 'ocsp', 'crls')
      expect(
        forms.map(({ sign_type, ocsp, crls }) => `${sign_type} ${ocsp ? 'ocsp' : crls && 'crls'}`),
      ).to.have.members(['cms ocsp', 'cms crls', 'cms crls', 'xml ocsp'])
      const refs = await registry.get(Database).query('registry_log_entries').pluck('ref')
      expect(refs.filter((ref) => ref.endsWith(` ${SHA512}`))).to.have.length(1)
      expect(opened.get('signature')).to.equal(4)
      expect(opened.get('decision')).to.equal(2)
      expect(opened.get('delivery')).to.equal(4)
      expect(opened.get('recall')).to.equal(1)
      expect(opened.get('settings')).to.be.greaterThan(25)
    })

    it('opens after every migration', async () => {
      const before = await openLeaves(registry)
      await registry.close()
      const knex = openDatabase(database)
      await knex('registry_migrations').delete()
      await migrate(knex, coreMigrations)
      await knex.destroy()
      registry = await start()
      expect(await openLeaves(registry)).to.deep.equal(before)
    })
  })
})
