import { anonymous } from '@signed-registry/core'
import {
  AddSignature,
  ChangeDocumentSettings,
  type DocumentSettings,
  FixDigests,
  GetDocument,
} from '@signed-registry/core/documents'
import { GetPackage, RegisterPackage, SignPackage, type SignPackageRequest } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import {
  type FixedPackage,
  fixedPackage,
  type PackageFields,
  signaturesOver,
  UNTITLED,
} from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

describe('POST /api/package/{packageId}', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    before(async () => {
      test = await testRegistry(await open())
    })
    after(() => test.registry.close())

    const fixed = (fields: PackageFields = {}) => fixedPackage(test, fields)
    const by = (signer = test.authorities.person()) => signer
    const signed = ({ originals }: FixedPackage, signer = by()) => signaturesOver(originals, signer)
    const sign = (packageId: string, signatures: SignPackageRequest['signatures'], rest = {}) =>
      test.registry.get(SignPackage).execute(anonymous, { packageId, request: { signatures, ...rest } })
    const totals = ({ documentsIds }: FixedPackage) =>
      Promise.all(
        documentsIds.map(
          async (id) => (await test.registry.get(GetDocument).execute(anonymous, { id })).signaturesTotal,
        ),
      )
    const rowsOf = async (table: string) =>
      Number((await test.registry.get(Database).query(table).count({ n: '*' }))[0]?.n)

    it('puts the n-th signature under the n-th document, and answers each as POST /api/{id} does', async () => {
      const one = await fixed()
      const { packageId, registrationResults } = await sign(one.packageId, signed(one))
      expect(packageId).to.equal(one.packageId)
      expect(registrationResults.map(({ documentId }) => documentId)).to.deep.equal(one.documentsIds)
      for (const { documentId, signId } of registrationResults) {
        const { signatures } = await test.registry.get(GetDocument).execute(anonymous, { id: documentId })
        expect(signatures.map((signature) => signature.signId)).to.deep.equal([signId])
      }
    })

    it('answers the profile that a first signature made with the first document alone', async () => {
      const one = await fixed()
      const { registrationResults } = await sign(one.packageId, signed(one))
      const made = registrationResults.map((result) => 'automaticallyCreatedUserSettings' in result)
      expect(made).to.deep.equal([true, false, false])
    })

    it('takes signatures with their own evidence, and others whose evidence comes from authorities', async () => {
      const one = await fixed()
      const [first, ...rest] = signed(one)
      const bare = by()
        .signCms(one.originals[0] ?? Buffer.alloc(0))
        .toString('base64')
      expect(first).to.not.equal(undefined)
      await sign(one.packageId, [{ signature: bare }, ...rest])
      expect(await totals(one)).to.deep.equal([1, 1, 1])
    })

    it('removes the content of a CMS', async () => {
      const one = await fixed({ count: 1 })
      const attached = by().signCms(one.originals[0] ?? Buffer.alloc(0), { detached: false })
      const { registrationResults } = await sign(one.packageId, [{ signature: attached.toString('base64') }])
      expect(registrationResults[0]?.data).to.equal(one.originals[0]?.toString('base64'))
    })

    it('adds the requested recipients of each signing to the package', async () => {
      const one = await fixed()
      const first = await sign(one.packageId, signed(one), {
        signatureEmailNotifications: { to: ['a@example.kz'], doNotAttachDocuments: true, language: 'kk' },
      })
      await sign(one.packageId, signed(one))
      const third = await sign(one.packageId, signed(one), { signatureEmailNotifications: { to: ['b@example.kz'] } })
      const idsOf = ({ registrationResults }: typeof first) => registrationResults.map(({ signId }) => signId)
      const { signatureEmailNotifications } = await test.registry
        .get(GetPackage)
        .execute(anonymous, { packageId: one.packageId })
      expect(signatureEmailNotifications).to.deep.equal([
        { signIds: idsOf(first), to: ['a@example.kz'], doNotAttachDocuments: true, language: 'kk' },
        { signIds: idsOf(third), to: ['b@example.kz'], doNotAttachDocuments: false },
      ])
    })

    it('signs packages with signWholePackage, whose documents cannot be signed alone', async () => {
      const one = await fixed({ settings: { signWholePackage: true } })
      const [signature] = signed(one)
      const [documentId = ''] = one.documentsIds
      const alone = () =>
        test.registry.get(AddSignature).execute(anonymous, { id: documentId, request: signature ?? { signature: '' } })
      expect((await rejectionOf(alone())).message).to.equal('Signing whole package is required')
      await sign(one.packageId, signed(one))
      expect((await rejectionOf(alone())).code).to.equal('wholePackageRequired')
      expect(await totals(one)).to.deep.equal([1, 1, 1])
    })

    it('lets documents of other packages be signed alone', async () => {
      const one = await fixed()
      const [first] = signed(one)
      await test.registry
        .get(AddSignature)
        .execute(anonymous, { id: one.documentsIds[0] ?? '', request: first ?? { signature: '' } })
      expect(await totals(one)).to.deep.equal([1, 0, 0])
    })

    it('lets other requests proceed while the signatures of a large package are stored', async () => {
      const large = await testRegistry(await open(), { limits: { packageDocuments: 60 } })
      let turn = 0
      let isDone = false
      const count = () => {
        turn += 1
        if (!isDone) setImmediate(count)
      }
      try {
        const { packageId, originals } = await fixedPackage(large, { count: 60, caller: personCaller() })
        const request = { signatures: signaturesOver(originals, large.authorities.person()) }
        const turns: number[] = []
        large.registry.get(Database).query.on('query', ({ sql }: { sql: string }) => {
          if (/^insert into .registry_signatures/.test(sql)) turns.push(turn)
        })
        setImmediate(count)
        const { registrationResults } = await large.registry.get(SignPackage).execute(anonymous, { packageId, request })
        expect(registrationResults).to.have.lengthOf(60)
        expect(turns).to.have.lengthOf(4)
        expect(new Set(turns).size).to.equal(4)
      } finally {
        isDone = true
        await large.registry.close()
      }
    })

    describe('registers none of the signatures when', () => {
      type Attempt = (one: FixedPackage) => Promise<unknown>
      const refusals: [string, string, number | undefined, Attempt][] = [
        [
          'there are fewer than documents',
          'signaturesCountDiffers',
          undefined,
          (one) => sign(one.packageId, signed(one).slice(1)),
        ],
        [
          'there are more than documents',
          'signaturesCountDiffers',
          undefined,
          (one) => sign(one.packageId, [...signed(one), ...signed(one).slice(0, 1)]),
        ],
        ['there are none', 'signaturesCountDiffers', undefined, (one) => sign(one.packageId, [])],
        [
          'they are in another order',
          'signatureDoesNotCorrespond',
          1,
          (one) => {
            const [a, b, c] = signed(one)
            return sign(
              one.packageId,
              [a, c, b].flatMap((s) => s ?? []),
            )
          },
        ],
        [
          'one comes twice',
          'signatureDoesNotCorrespond',
          1,
          (one) => {
            const [a, , c] = signed(one)
            return sign(
              one.packageId,
              [a, a, c].flatMap((s) => s ?? []),
            )
          },
        ],
        [
          'one belongs to another package',
          'signatureDoesNotCorrespond',
          2,
          async (one) => {
            const [, , foreign] = signed(await fixed())
            return sign(one.packageId, [...signed(one).slice(0, 2), foreign ?? { signature: '' }])
          },
        ],
        [
          'one cannot be read',
          'signatureNotParsed',
          1,
          (one) => {
            const [a, , c] = signed(one)
            return sign(
              one.packageId,
              [a, { signature: 'AAAA' }, c].flatMap((s) => s ?? []),
            )
          },
        ],
        [
          'the signer of one is revoked',
          'invalidCertificateStatus',
          1,
          async (one) => {
            const revoked = test.authorities.person()
            test.authorities.revoke(revoked)
            const bad = revoked.signCms(one.originals[1] ?? Buffer.alloc(0)).toString('base64')
            const [a, , c] = signed(one)
            return sign(
              one.packageId,
              [a, { signature: bad }, c].flatMap((s) => s ?? []),
            )
          },
        ],
        [
          'one is registered already',
          'signatureAlreadySubmitted',
          2,
          async (one) => {
            const signatures = signed(one)
            const [, , last = { signature: '' }] = signatures
            await test.registry.get(AddSignature).execute(anonymous, { id: one.documentsIds[2] ?? '', request: last })
            return sign(one.packageId, signatures)
          },
        ],
        [
          'one document has reached its own limit, which the others have not',
          'signaturesLimitReached',
          2,
          async (one) => {
            await limitTo(one, 2, { signaturesLimit: 1 })
            return sign(one.packageId, signed(one))
          },
        ],
      ]
      /** Signs one document alone and changes its settings, as its signer may. */
      const limitTo = async (one: FixedPackage, at: number, settings: DocumentSettings) => {
        const person = test.authorities.person({ iin: '900101300010' })
        const [signature] = signaturesOver(one.originals.slice(at, at + 1), person)
        const [documentId = ''] = one.documentsIds.slice(at)
        await test.registry
          .get(AddSignature)
          .execute(anonymous, { id: documentId, request: signature ?? { signature: '' } })
        const caller = { kind: 'person', iin: 'IIN900101300010' } as const
        await test.registry.get(ChangeDocumentSettings).execute(caller, { id: documentId, request: settings })
      }

      for (const [name, code, index, attempt] of refusals) {
        it(name, async () => {
          const one = await fixed()
          const refusal = await rejectionOf(attempt(one))
          expect(refusal.code).to.equal(code)
          if (index !== undefined) {
            expect(refusal.details).to.include({ index, documentId: one.documentsIds[index], code })
          }
          // The third document may have been signed alone before the attempt.
          expect((await totals(one)).slice(0, 2)).to.deep.equal([0, 0])
        })
      }

      it('one signature serves two documents of the same content', async () => {
        const { registry } = test
        const { packageId, documentsIds } = await registry
          .get(RegisterPackage)
          .execute(personCaller(), { request: { ...UNTITLED, documents: [UNTITLED, UNTITLED] } })
        const twins: FixedPackage = { packageId, documentsIds, originals: [Buffer.from('same'), Buffer.from('same')] }
        for (const id of documentsIds)
          await registry.get(FixDigests).execute(personCaller(), { id, upload: uploadOf(Buffer.from('same')) })
        const [signature = { signature: '' }] = signed(twins)
        const refusal = await rejectionOf(sign(packageId, [signature, signature]))
        expect(refusal.code).to.equal('signatureAlreadySubmitted')
        expect(refusal.details).to.include({ index: 1, reason: 'twiceInRequest' })
        expect(await totals(twins)).to.deep.equal([0, 0])
        await sign(packageId, [signed(twins)[0] ?? signature, signed(twins, by())[1] ?? signature])
        expect(await totals(twins)).to.deep.equal([1, 1])
      })
    })

    it('refuses signers whom the settings of the documents refuse, and stores nothing', async () => {
      const one = await fixed({
        documentsSettings: { signersRequirements: [{ iin: 'IIN000000000000' }], strictSignersRequirements: true },
      })
      expect(await rejectionOf(sign(one.packageId, signed(one)))).to.include({ code: 'signatureDoesNotConform' })
      expect(await totals(one)).to.deep.equal(one.documentsIds.map(() => 0))
    })

    it('counts no rows of a refused package', async () => {
      const tables = ['registry_signatures', 'registry_user_settings', 'registry_package_notifications']
      const one = await fixed()
      const counts = () => Promise.all(tables.map(rowsOf))
      const before = await counts()
      const signatures = signed(one)
      const last = by().signCms(Buffer.from('something else')).toString('base64')
      const bad = [...signatures.slice(0, 2), { signature: last }]
      await rejectionOf(sign(one.packageId, bad, { signatureEmailNotifications: { to: ['a@example.kz'] } }))
      expect(await counts()).to.deep.equal(before)
    })
  })
})
