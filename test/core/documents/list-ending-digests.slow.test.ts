import { ArchiveStore, anonymous, type Caller, provideValue } from '@signed-registry/core'
import {
  AddSignature,
  FixDigests,
  GetDocumentDigests,
  ListDocuments,
  type ListDocumentsQuery,
  RegisterDocument,
  VerifyDocument,
} from '@signed-registry/core/documents'
import { SaveUserSettings } from '@signed-registry/core/settings'
import type { Subject } from '@signed-registry/dev-authorities'
import { defaultAlgorithmPolicy } from '@signed-registry/verifier'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { EndingDocuments } from '#core/documents/ending-documents.js'
import { EndingOwners } from '#core/documents/ending-owners.js'
import { ListEndingDigests } from '#core/documents/list-ending-digests.js'
import { forEachDatabase } from '../../support/databases.js'
import { MemoryStore } from '../../support/memory-store.js'
import { DAY, testClock } from '../../support/pki/authorities.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const SHA512 = '2.16.840.1.101.3.4.2.3'
const YEAR = 365 * DAY
const BIN = 'BIN200140000019'
const original = Buffer.from('contract')
const person = (iin: string): Caller => ({ kind: 'person', iin: `IIN${iin}` })
const head: Caller = { kind: 'employee', iin: 'IIN900101300020', bin: BIN, authorities: ['1.2.398.3.3.4.1.2.1'] }

describe('documents whose digests end', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let end: number
    let ivanov: Subject
    let asanova: Subject
    const start = async (untilEnd: number | undefined, database = open()) => {
      const clock = testClock()
      end = clock.now() + (untilEnd ?? 0)
      const digestsTrustedUntil = untilEnd === undefined ? {} : { [SHA256]: end }
      test = await testRegistry(await database, {
        clock,
        plugins: [{ name: 'memory', provides: [provideValue(ArchiveStore, new MemoryStore())] }],
        limits: { itemsPerPage: 2 },
        signaturePolicy: { algorithms: { ...defaultAlgorithmPolicy, digestsTrustedUntil } },
      })
      ivanov = test.authorities.person({ iin: '900101300010' })
      asanova = test.authorities.employee({ iin: '900101300020', bin: BIN.slice(3) })
    }
    afterEach(() => test.registry.close())

    const register = async (signer: Subject, isFixed = true) => {
      test.clock.time += 1000
      const signature = signer.signCms(original).toString('base64')
      const { documentId } = await test.registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { title: 'Contract', signature } })
      if (isFixed)
        await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      return documentId
    }
    const nightly = () => test.registry.get(ListEndingDigests).run()
    const list = (caller: Caller, query: ListDocumentsQuery = {}) =>
      test.registry.get(ListDocuments).execute(caller, { query: { digestsEnding: true, ...query } })
    const idsOf = async (caller: Caller, query: ListDocumentsQuery = {}) =>
      (await list(caller, query)).documents.map(({ documentId }) => documentId)
    const verify = (id: string, digest?: string) =>
      test.registry
        .get(VerifyDocument)
        .execute(anonymous, { id, upload: uploadOf(original), query: digest === undefined ? {} : { digest } })
    const rows = (name: string) => test.registry.get(Database).query(name)

    it('are listed for those who signed them, with until when they are trusted', async () => {
      await start(300 * DAY)
      const mine = await register(ivanov)
      const theirs = await register(asanova)
      const unfinished = await register(ivanov, false)
      expect(await idsOf(person('900101300010'))).to.deep.equal([])
      await nightly()
      const { documents, documentsTotal } = await list(person('900101300010'))
      expect(documentsTotal).to.equal(1)
      expect(documents[0]?.documentId).to.equal(mine)
      expect(documents[0]?.digestsTrustedUntil).to.equal(end)
      expect(await idsOf(head)).to.deep.equal([theirs])
      expect(await idsOf(head, { organization: true })).to.deep.equal([theirs])
      const all = await test.registry.get(ListDocuments).execute(person('900101300010'), {})
      expect(all.documents.map(({ documentId }) => documentId)).to.deep.equal([unfinished, mine])
      expect(all.documents[1]).not.to.have.property('digestsTrustedUntil')
      expect(await idsOf(person('900101300010'), { searchQuery: 'contract' })).to.deep.equal([mine])
    })

    it('are listed no more once a further digest is fixed, for every signer', async () => {
      await start(300 * DAY)
      const id = await register(ivanov)
      await nightly()
      const told = await test.registry.get(GetDocumentDigests).execute(anonymous, { id })
      expect(told).to.include({ trustedUntil: end, furtherDigest: SHA512 })
      await verify(id)
      expect(await idsOf(person('900101300010'))).to.deep.equal([id])
      await verify(id, told.furtherDigest)
      expect(await idsOf(person('900101300010'))).to.deep.equal([])
      await nightly()
      expect(await idsOf(person('900101300010'))).to.deep.equal([])
      expect(await test.registry.get(GetDocumentDigests).execute(anonymous, { id })).not.to.have.any.keys(
        'trustedUntil',
        'furtherDigest',
      )
    })

    it('are not listed where the archive has the original: it is hashed anew', async () => {
      await start(300 * DAY)
      const caller = person('900101300010')
      const { registry } = test
      await registry
        .get(SaveUserSettings)
        .execute(caller, { request: { dataArchiveEnabled: true, dataArchiveContactEmail: 'me@example.kz' } })
      const signature = ivanov.signCms(original).toString('base64')
      const { documentId: id } = await registry
        .get(RegisterDocument)
        .execute(caller, { request: { title: 'Kept', signature, settings: { forceArchive: true } } })
      const fixed = await registry.get(FixDigests).execute(caller, { id, upload: uploadOf(original) })
      expect(fixed.dataArchived).to.equal(true)
      await nightly()
      expect(await idsOf(caller)).to.deep.equal([])
      const { digests } = await registry.get(GetDocumentDigests).execute(caller, { id })
      expect(Object.keys(digests)).to.have.members([SHA256, SHA512])
    })

    it('are listed for later signers by the next night', async () => {
      await start(300 * DAY)
      const id = await register(ivanov)
      await nightly()
      const signature = asanova.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
      await test.registry.get(AddSignature).execute(anonymous, { id, request: { signature } })
      await nightly()
      expect(await idsOf(head, { organization: true })).to.deep.equal([id])
      expect((await list(person('900101300010'))).documentsTotal).to.equal(1)
    })

    it('cost nothing where the policy names no end, or a distant one', async () => {
      for (const untilEnd of [undefined, YEAR + 30 * DAY]) {
        await start(untilEnd)
        const id = await register(ivanov)
        await nightly()
        expect(await list(person('900101300010'))).to.deep.equal({ documentsTotal: 0, documents: [] })
        expect(await rows('registry_ending_documents')).to.have.length(0)
        expect(await rows('registry_ending_owners')).to.have.length(0)
        expect(await test.registry.get(GetDocumentDigests).execute(anonymous, { id })).not.to.have.property(
          'furtherDigest',
        )
        await test.registry.close()
      }
      await start(undefined)
    })

    it('are listed from a year before the end on', async () => {
      await start(YEAR + 30 * DAY)
      const id = await register(ivanov)
      await nightly()
      expect(await idsOf(person('900101300010'))).to.deep.equal([])
      test.clock.time += 31 * DAY
      await nightly()
      expect(await idsOf(person('900101300010'))).to.deep.equal([id])
    })

    it('are read page by page while the task changes the list: none is passed over', async () => {
      await start(300 * DAY)
      const ids: string[] = []
      for (let n = 0; n < 9; n += 1) ids.unshift(await register(ivanov))
      await nightly()
      const seen: string[] = []
      for (let until = Number.MAX_SAFE_INTEGER; ; ) {
        const { documents } = await list(person('900101300010'), { until })
        const last = documents.at(-1)
        if (last === undefined) break
        seen.push(...documents.map(({ documentId }) => documentId))
        until = last.storedAt
        await verify(documents[0]?.documentId ?? '', SHA512)
        await nightly()
      }
      expect(seen).to.deep.equal(ids)
      expect((await list(person('900101300010'))).documentsTotal).to.equal(4)
    })

    it('are all listed after a run that was killed in the middle, and nobody is told of a part', async () => {
      await start(300 * DAY)
      for (let n = 0; n < 60; n += 1) await register(ivanov)
      const ending = test.registry.get(EndingDocuments)
      const add = ending.add.bind(ending)
      let left = 40
      ending.add = async (document, algorithm) => {
        if (left-- === 0) throw new Error('killed')
        return add(document, algorithm)
      }
      const outcome = await nightly().catch((error: unknown) => error)
      ending.add = add
      expect(outcome).to.be.instanceOf(Error)
      const { documentsTotal } = await list(person('900101300010'))
      expect(documentsTotal).to.equal(25)
      expect(await test.registry.get(EndingOwners).untold(10)).to.deep.equal([])
      await nightly()
      expect((await list(person('900101300010'))).documentsTotal).to.equal(60)
      expect(await test.registry.get(EndingOwners).untold(10)).to.deep.equal([
        { owner: 'IIN900101300010', algorithm: SHA256 },
      ])
    })

    it('are listed once by two hosts at once', async () => {
      const database = await open()
      await start(300 * DAY, Promise.resolve(database))
      for (let n = 0; n < 30; n += 1) await register(ivanov)
      await Promise.all([nightly(), nightly(), nightly()])
      expect((await list(person('900101300010'))).documentsTotal).to.equal(30)
      expect(await rows('registry_ending_documents')).to.have.length(30)
    })
  })
})
