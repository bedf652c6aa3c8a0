import { anonymous, type Caller } from '@signed-registry/core'

import {
  AddSignature,
  type AddSignatureRequest,
  BuildFileName,
  ExportSignature,
  FindExportedSignature,
  FixDigests,
  GetDocument,
  ListDocuments,
  RegisterDocument,
  type RegisterDocumentRequest,
  type RegisteredDocument,
  VerifyDocument,
} from '@signed-registry/core/documents'
import { exportCms, readCms } from '@signed-registry/core/signatures'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { employeeCaller, headCaller, personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const SHA512 = '2.16.840.1.101.3.4.2.3'
const original = Buffer.from('I owe you 100 tenge.\n')
const codeOf = async (call: Promise<unknown>) => (await rejectionOf(call)).code
const other = Buffer.from('I owe you 999 tenge.\n')

describe('documents', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    before(async () => {
      test = await testRegistry(await open(), { limits: { signaturesPerCall: 2 } })
    })
    after(() => test.registry.close())

    const use = () => {
      const { registry } = test
      return {
        register: (request: RegisterDocumentRequest, by: Caller = anonymous) =>
          registry.get(RegisterDocument).execute(by, { request }),
        fix: (id: string, bytes = original, size?: number) =>
          registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(bytes, size) }),
        add: (id: string, request: AddSignatureRequest) =>
          registry.get(AddSignature).execute(anonymous, { id, request }),
        get: (id: string, lastSignId = 0) =>
          registry.get(GetDocument).execute(anonymous, { id, query: { lastSignId } }),
        verify: (id: string, bytes = original, query = {}) =>
          registry.get(VerifyDocument).execute(anonymous, { id, upload: uploadOf(bytes), query }),
      }
    }
    const signed = (data: Uint8Array = original, options = {}) =>
      test.authorities.person().signCms(data, options).toString('base64')
    const rowsOf = async (table: string) =>
      Number((await test.registry.get(Database).query(table).count({ n: '*' }))[0]?.n)

    it('are not co-signed by what is no signature', async () => {
      const { register, fix, add, get } = use()
      const { documentId } = await register({ title: 'Contract', signature: signed() })
      await fix(documentId)
      expect(await rejectionOf(add(documentId, { signature: 'MAA=' }))).to.include({ code: 'signatureNotParsed' })
      expect((await get(documentId)).signaturesTotal).to.equal(1)
    })

    it('are registered, fixed, co-signed, read back and verified', async () => {
      const { register, fix, add, get, verify } = use()
      const { documentId, signId, data } = await register({ title: 'note.txt', signature: signed() })
      expect(data).to.equal(undefined)
      expect(documentId).to.match(/^[A-Za-z0-9]{16}$/)

      const fixed = await fix(documentId)
      expect(fixed.signedDataSize).to.equal(original.length)
      expect(Object.keys(fixed.digests)).to.deep.equal([SHA256])

      const second = await add(documentId, { signature: signed(original, { timeStamp: true, ocsp: true }) })
      expect(second.signId).to.be.greaterThan(signId ?? 0)

      const document = await get(documentId)
      expect(document).to.include({ title: 'note.txt', description: '', signaturesTotal: 2, signedDataSize: 21 })
      expect(document.signatures.map((one) => one.signId)).to.deep.equal([signId, second.signId])
      expect(document.signatures[0]?.ocsp?.certStatus).to.equal('good')
      expect(await verify(documentId)).to.deep.equal({
        documentId,
        dataArchived: false,
        tempStorage: false,
        signaturesTotal: 2,
        verifiedAt: test.clock.now(),
        proof: {
          ...{ since: test.clock.now(), by: 'timeStamp', chains: 0, stamps: 0, ended: 0 },
          // The certificates of the development authorities.
          holdsUntil: Date.UTC(2045, 0, 1),
        },
      })
    })

    it('show the settings that a first signature created to the signer only, whoever uploads the original', async () => {
      const signer = test.authorities.person({ iin: '870101300013' })
      const signature = (data: Uint8Array) => signer.signCms(data).toString('base64')
      const fixedBy = async (caller: Caller, data: Uint8Array) => {
        const { documentId } = await use().register({ signature: signature(data) })
        return test.registry.get(FixDigests).execute(caller, { id: documentId, upload: uploadOf(data) })
      }
      expect(await fixedBy(anonymous, Buffer.from('first'))).to.not.have.property('automaticallyCreatedUserSettings')
      const other = test.authorities.person({ iin: '870101300024' }).signCms(original).toString('base64')
      const { documentId } = await use().register({ signature: other })
      const fixed = await test.registry
        .get(FixDigests)
        .execute({ kind: 'person', iin: 'IIN870101300024' }, { id: documentId, upload: uploadOf(original) })
      expect(fixed.automaticallyCreatedUserSettings).to.include({ userId: 'IIN870101300024' })
      const data = Buffer.from('by an employee')
      const employed = test.authorities.employee({ iin: '870101300035' }).signCms(data).toString('base64')
      const { documentId: id } = await use().register({ signature: employed })
      const employee = employeeCaller({ iin: 'IIN870101300035' })
      const shown = await test.registry.get(FixDigests).execute(employee, { id, upload: uploadOf(data) })
      expect(shown.automaticallyCreatedUserSettings).to.include({ userId: 'IIN870101300035' })
    })

    it('limit pages of signatures and lists in bytes, without losing any', async () => {
      const { registry, authorities } = await testRegistry(test.database, {
        limits: { pageBytes: 10_000 },
        authorities: test.authorities,
        clock: test.clock,
      })
      const signer = authorities.person({ iin: '880101300015' })
      const sign = (data: Uint8Array, by = signer) => by.signCms(data).toString('base64')
      const { documentId: id } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature: sign(original) } })
      await registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
      for (let n = 0; n < 5; n += 1)
        await registry.get(AddSignature).execute(anonymous, {
          id,
          request: { signature: sign(original, authorities.person({ iin: `89010130001${n}` })) },
        })
      const pages: number[] = []
      for (let lastSignId = 0; ; ) {
        const { signatures } = await registry.get(GetDocument).execute(anonymous, { id, query: { lastSignId } })
        if (signatures.length === 0) break
        pages.push(signatures.length)
        lastSignId = signatures.at(-1)?.signId ?? 0
      }
      expect(pages.reduce((sum, count) => sum + count)).to.equal(6)
      expect(Math.max(...pages)).to.be.below(6)

      for (let n = 0; n < 5; n += 1) {
        test.clock.time += 1
        const signature = sign(Buffer.from(`document ${n}`))
        await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      }
      const listed: number[] = []
      for (let until = Number.MAX_SAFE_INTEGER; ; ) {
        const query = { until, includeSignatures: true }
        const { documents } = await registry
          .get(ListDocuments)
          .execute({ kind: 'person', iin: 'IIN880101300015' }, { query })
        if (documents.length === 0) break
        listed.push(documents.length)
        until = documents.at(-1)?.storedAt ?? 0
      }
      expect(listed.reduce((sum, count) => sum + count)).to.equal(6)
      expect(Math.max(...listed)).to.be.below(6)
      await registry.close()
    })

    it('are read page by page until no signatures are left', async () => {
      const { register, fix, add, get } = use()
      const { documentId, signId = 0 } = await register({ signature: signed() })
      await fix(documentId)
      const rest = [await add(documentId, { signature: signed() }), await add(documentId, { signature: signed() })]
      const all = [signId, ...rest.map((one) => one.signId)]
      const seen: number[] = []
      for (let last: number | undefined; ; ) {
        const { signatures } = await get(documentId, last)
        if (signatures.length === 0) break
        expect(signatures.length).to.be.at.most(2)
        seen.push(...signatures.map((one) => one.signId))
        last = seen.at(-1)
      }
      expect(seen).to.deep.equal(all)
    })

    it('return the data attached to a CMS, and store the signature without it', async () => {
      const { register } = use()
      const { registry } = test
      const attached = signed(original, { detached: false })
      const { documentId, signId = 0, data } = await register({ signature: attached })
      expect(Buffer.from(data ?? '', 'base64').equals(original)).to.equal(true)
      const kept = await registry
        .get(ExportSignature)
        .execute(anonymous, { id: documentId, signId, query: { signFormat: 1 } })
      expect(Buffer.from(kept.signature, 'base64').includes(original)).to.equal(false)
    })

    it('return the requested e-mail notifications and settings', async () => {
      const { register, fix, add, get } = use()
      const settings = { signaturesLimit: 5, unique: ['iin' as const] }
      const emailNotifications = { to: ['a@example.kz'], language: 'kk/ru' }
      const { documentId } = await register({ signature: signed(), settings, emailNotifications })
      await fix(documentId)
      const mine = { to: ['b@example.kz'], doNotAttachDocument: true }
      const { signId } = await add(documentId, { signature: signed(), signatureEmailNotifications: mine })
      const document = await get(documentId)
      expect(document.settings).to.deep.equal(settings)
      expect(document.emailNotifications).to.deep.equal({ ...emailNotifications, doNotAttachDocument: false })
      expect(document.signatureEmailNotifications).to.deep.equal([{ signId, ...mine }])
    })

    it('are found by an exported signature, with and without its evidence', async () => {
      const { register } = use()
      const { registry } = test
      const { documentId, signId = 0 } = await register({ signature: signed() })
      for (const signFormat of [0, 1, 2]) {
        const { signature } = await registry.get(ExportSignature).execute(anonymous, {
          id: documentId,
          signId,
          query: {
            signFormat,
            cmsAsPem: signFormat !== 1,
          },
        })
        const found = await registry.get(FindExportedSignature).execute(anonymous, { request: { signature } })
        expect(found).to.deep.equal({ documentId, signId })
      }
    })

    it('are not found by a signature with another time stamp', async () => {
      const { registry } = test
      const [mine, others] = await Promise.all([
        use().register({ signature: signed() }),
        use().register({ signature: signed() }),
      ])
      const exported = async ({ documentId, signId = 0 }: RegisteredDocument, signFormat: number) => {
        const { signature } = await registry
          .get(ExportSignature)
          .execute(anonymous, { id: documentId, signId, query: { signFormat } })
        return Buffer.from(signature, 'base64')
      }
      const { timeStamp, ocsp = Buffer.alloc(0) } = readCms(await exported(others, 0))
      const forged: Uint8Array = exportCms(await exported(mine, 1), {
        timeStamp: timeStamp?.token ?? Buffer.alloc(0),
        ocsp,
      })
      const call = registry
        .get(FindExportedSignature)
        .execute(anonymous, { request: { signature: Buffer.from(forged).toString('base64') } })
      expect((await rejectionOf(call)).details?.reason).to.equal('timeStampDiffers')
    })

    it('give their title to a file name with the identifier', async () => {
      const { documentId } = await use().register({ title: 'contract.pdf', signature: signed() })
      const built = await test.registry.get(BuildFileName).execute(anonymous, { id: documentId })
      expect(built.fileName).to.equal(`contract-DocId${documentId}.pdf`)
    })

    it('get the hash that a later signer needs from POST /api/{id}/verify', async () => {
      const { register, fix, add, verify } = use()
      const { documentId } = await register({ signature: signed() })
      await fix(documentId)
      const signature = signed(original, { hash: 'sha512' })
      expect(await codeOf(add(documentId, { signature }))).to.equal('digestsUpdateRequired')
      await verify(documentId, original, { digest: SHA512 })
      await add(documentId, { signature })
      await verify(documentId)
    })

    describe('refuse', () => {
      const refusals: [string, string, (fixed: string) => Promise<unknown>][] = [
        [
          'an original that is not what was signed',
          'signatureDoesNotCorrespond',
          async () => {
            const { documentId } = await use().register({ signature: signed() })
            return use().fix(documentId, other)
          },
        ],
        ['a second POST /api/{id}/data', 'documentDigestsAlreadyKnown', (id) => use().fix(id)],
        [
          'an original shorter than declared',
          'processedSizeDiffers',
          async () => {
            const { documentId } = await use().register({ signature: signed() })
            return use().fix(documentId, original, original.length + 1)
          },
        ],
        [
          'an original longer than declared',
          'processedSizeDiffers',
          async () => {
            const { documentId } = await use().register({ signature: signed() })
            return use().fix(documentId, original, original.length - 1)
          },
        ],
        ['other content at POST /api/{id}/verify', 'signatureDoesNotCorrespond', (id) => use().verify(id, other)],
        [
          'a further signature over other content',
          'signatureDoesNotCorrespond',
          (id) => use().add(id, { signature: signed(other) }),
        ],
        [
          'a further signature before the hashes are fixed',
          'documentDigestsNotKnown',
          async () => {
            const { documentId } = await use().register({ signature: signed() })
            return use().add(documentId, { signature: signed() })
          },
        ],
        [
          'POST /api/{id}/verify before the hashes are fixed',
          'documentDigestsNotKnown',
          async () => {
            const { documentId } = await use().register({ signature: signed() })
            return use().verify(documentId)
          },
        ],
        ['an unknown identifier', 'documentNotFound', () => use().get('AAAAAAAAAAAAAAAA')],
        ['a malformed identifier', 'invalidDocumentIdentifier', () => use().get("' or 1=1 --")],
        [
          'an identifier in other letters',
          'documentNotFound',
          async (id) => {
            const swapped = [...id].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('')
            return use().get(swapped)
          },
        ],
        [
          'an unknown signId',
          'invalidSignatureIdentifier',
          (id) => test.registry.get(ExportSignature).execute(anonymous, { id, signId: 999_999 }),
        ],
        [
          'an unknown export format',
          'invalidSignatureExportFormat',
          (id) => test.registry.get(ExportSignature).execute(anonymous, { id, signId: 1, query: { signFormat: 3 } }),
        ],
        [
          'a title that cannot be a file name',
          'invalidDocumentTitle',
          () => use().register({ title: 'a/b', signature: signed() }),
        ],
        [
          'an unknown digest algorithm at POST /api/{id}/verify',
          'digestAlgorithmNotSupported',
          (id) => use().verify(id, original, { digest: '1.2.3' }),
        ],
        ['preregistration by a stranger', 'signatureMissing', () => use().register({ title: 'a' })],
        // Even if something else is wrong too.
        ['preregistration by a person', 'accessDenied', () => use().register({ title: 'a/b' }, personCaller())],
        ['preregistration by an employee', 'accessDenied', () => use().register({}, headCaller())],
        [
          'fields that this installation cannot serve',
          'fieldNotSupported',
          () =>
            use().register({ signature: signed(), integrationRegisterAuto: { documentTypeCode: 'x', signers: [] } }),
        ],
      ]
      let fixed: string
      beforeEach(async () => {
        fixed = (await use().register({ signature: signed() })).documentId
        await use().fix(fixed)
      })
      for (const [name, code, attempt] of refusals) {
        it(`${name}, and store nothing`, async () => {
          expect(await codeOf(attempt(fixed))).to.equal(code)
          expect((await use().get(fixed)).signaturesTotal).to.equal(1)
        })
      }

      it('a signature that is registered already, under the same document and under another', async () => {
        const { register, fix, add } = use()
        const signature = signed()
        const { documentId } = await register({ signature })
        await fix(documentId)
        const before = [await rowsOf('registry_documents'), await rowsOf('registry_signatures')]
        expect(await codeOf(register({ signature }))).to.equal('signatureAlreadySubmitted')
        expect(await codeOf(add(documentId, { signature }))).to.equal('signatureAlreadySubmitted')
        expect([await rowsOf('registry_documents'), await rowsOf('registry_signatures')]).to.deep.equal(before)
      })

      it('all but one of racing requests with the same signature', async () => {
        const { register } = use()
        const signature = signed()
        const results = await Promise.allSettled(Array.from({ length: 5 }, () => register({ signature })))
        expect(results.filter(({ status }) => status === 'fulfilled').length).to.equal(1)
      })

      it('all but one of the racing POST /api/{id}/data', async () => {
        const { register, fix } = use()
        const { documentId } = await register({ signature: signed() })
        const results = await Promise.allSettled(Array.from({ length: 5 }, () => fix(documentId)))
        expect(results.filter(({ status }) => status === 'fulfilled').length).to.equal(1)
      })

      it('signatures above signaturesLimit, however they race', async () => {
        const { register, fix, add, get } = use()
        const settings = {
          signaturesLimit: 3,
          switchToPrivateAfterLimitReached: true,
          publicWhileLessThanSignatures: 9,
        }
        const { documentId } = await register({ signature: signed(), settings })
        await fix(documentId)
        const signatures = Array.from({ length: 6 }, () => signed())
        const results = await Promise.allSettled(signatures.map((signature) => add(documentId, { signature })))
        expect(results.filter(({ status }) => status === 'fulfilled').length).to.equal(2)
        const document = await get(documentId)
        expect(document.signaturesTotal).to.equal(3)
        expect(document.settings.private).to.equal(true)
      })
    })

    it('survive a restart', async () => {
      const { register, fix } = use()
      const { documentId } = await register({ title: 'kept.txt', signature: signed() })
      await fix(documentId)
      const again = await testRegistry(test.database, { authorities: test.authorities, clock: test.clock })
      try {
        const document = await again.registry.get(GetDocument).execute(anonymous, { id: documentId })
        expect(document).to.include({ title: 'kept.txt', signedDataSize: original.length })
      } finally {
        await again.registry.close()
      }
    })

    it('of two hosts side by side have unique identifiers, and none is lost', async () => {
      const second = await testRegistry(test.database, { authorities: test.authorities, clock: test.clock })
      try {
        const hosts = [test.registry, second.registry]
        const signatures = Array.from({ length: 40 }, () => signed(original, { timeStamp: true, ocsp: true }))
        const registered = await Promise.all(
          signatures.map((signature, at) =>
            (hosts[at % 2] ?? test.registry).get(RegisterDocument).execute(anonymous, { request: { signature } }),
          ),
        )
        expect(new Set(registered.map((one) => one.documentId)).size).to.equal(40)
        expect(new Set(registered.map((one) => one.signId)).size).to.equal(40)
      } finally {
        await second.registry.close()
      }
    })
  })
})
