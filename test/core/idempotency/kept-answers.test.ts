import { type AnyOperation, anonymous, type Caller, KeptAnswers } from '@signed-registry/core'
import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { RegisterPackage, SignPackage } from '@signed-registry/core/packages'
import { CommentIncoming, SendPackage } from '@signed-registry/core/routing'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { ForgetAnswers } from '#core/idempotency/kept-answers.js'
import { forEachDatabase } from '../../support/databases.js'
import { fixedPackage, signaturesOver, UNTITLED } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import { testRegistry, uploadOf } from '../../support/registry.js'
import { person, RECEIVER, type RoutingTest, receiver, routingTest, sender, stranger } from '../../support/routing.js'

const KEY = 'b1a5f0f2-7e7b-4f0e-9d3c-2f6f5c1f0a11'
const DAY = 24 * 60 * 60_000
const request = { ...UNTITLED, title: 'May', documents: [{ ...UNTITLED, title: 'a.txt' }] }

describe('Idempotency-Key', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    before(async () => {
      test = await routingTest(open)
    })
    after(() => test.registry.close())
    beforeEach(async () => {
      await test.registry.get(Database).query('registry_kept_answers').delete()
    })

    const call = (Class: AnyOperation, caller: Caller, input: object, key = KEY) => {
      const operation = test.registry.get(Class)
      return test.registry
        .get(KeptAnswers)
        .once({ caller, key, operation: Class.operation.id, input }, async (keep) =>
          Object(await operation.execute(caller, { ...input, keep })),
        )
    }
    const register = (caller: Caller = sender, given: object = request, key = KEY) =>
      call(RegisterPackage, caller, { request: given }, key)
    const count = async (table: string) =>
      Number((await test.registry.get(Database).query(table).count({ n: '*' }))[0]?.n)
    const made = async (work: () => Promise<unknown>) => {
      const before = await count('registry_packages')
      await work()
      return (await count('registry_packages')) - before
    }

    it('answers the same request as the first time, with one effect', async () => {
      const answers: object[] = []
      const effects = await made(async () => {
        answers.push(await register(), await register())
        answers.push(
          await register(sender, { documents: request.documents, description: '', title: 'May' }, `"${KEY}"`),
        )
      })
      expect(effects).to.equal(1)
      expect(answers[0]).to.have.all.keys('packageId', 'documentsIds')
      expect(answers).to.deep.equal([answers[0], answers[0], answers[0]])
    })

    it('refuses another request, and another operation, with the key', async () => {
      await register()
      const effects = await made(async () => {
        expect((await rejectionOf(register(sender, { ...request, title: 'June' }))).code).to.equal(
          'idempotencyKeyReused',
        )
        const send = call(SendPackage, sender, { packageId: 'a', request: { to: RECEIVER } })
        expect((await rejectionOf(send)).code).to.equal('idempotencyKeyReused')
      })
      expect(effects).to.equal(0)
    })

    it('is separate for each caller', async () => {
      const answers = [
        await register(sender),
        await register(person),
        await register(stranger),
        await register(anonymous),
      ]
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(4)
    })

    it('takes effect once when sent several times concurrently, and all get the same answer', async () => {
      const answers: object[] = []
      const effects = await made(async () => {
        answers.push(...(await Promise.all(Array.from({ length: 6 }, () => register()))))
      })
      expect(effects).to.equal(1)
      expect(answers).to.deep.equal(answers.map(() => answers[0]))
    })

    it('lets one of two different concurrent requests through', async () => {
      const effects = await made(async () => {
        const outcomes = await Promise.allSettled([register(), register(sender, { ...request, title: 'June' })])
        const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
        expect(refused).to.deep.equal(['idempotencyKeyReused'])
      })
      expect(effects).to.equal(1)
    })

    it('is free again when the request was refused', async () => {
      expect((await rejectionOf(register(sender, { ...UNTITLED, documents: [] }))).code).to.equal(
        'packageWithoutDocuments',
      )
      expect(await made(() => register())).to.equal(1)
    })

    it('sends once, and decides once', async () => {
      const { packageId } = await test.complete({ count: 1 })
      const send = () => call(SendPackage, sender, { packageId, request: { to: RECEIVER } })
      const sent = (await send()) as { outgoingId: string }
      expect(await send()).to.deep.equal(sent)
      const decide = () =>
        call(CommentIncoming, receiver, { incomingId: sent.outgoingId, request: { status: 'accepted', comment: 'so' } })
      expect(await decide()).to.deep.equal(await decide())
      expect((await test.incoming(sent.outgoingId)).comments?.length).to.equal(1)
    })

    it('is kept for 24 hours', async () => {
      const first = await register()
      test.clock.time += DAY - 1
      expect(await register()).to.deep.equal(first)
      test.clock.time += 1
      const second = await register(sender, { ...request, title: 'June' })
      expect(second).not.to.deep.equal(first)
      await test.registry.get(ForgetAnswers).run()
      expect(await count('registry_kept_answers')).to.equal(1)
      test.clock.time += DAY
      await test.registry.get(ForgetAnswers).run()
      expect(await count('registry_kept_answers')).to.equal(0)
    })

    it('refuses keys that are empty, too long or blank, and short ones of anonymous callers', async () => {
      for (const key of ['', '""', 'a'.repeat(256), 'a b', 'ключ']) {
        expect((await rejectionOf(register(sender, request, key))).code, key).to.equal('invalidIdempotencyKey')
      }
      const refused = await rejectionOf(register(anonymous, request, '1234'))
      expect(refused.code).to.equal('invalidIdempotencyKey')
      expect(refused.details).to.deep.equal({ characters: '16 to 255 printable ASCII, no spaces' })
      await register(sender, request, '1234')
    })
  })
})

describe('an answer that is kept', () => {
  forEachDatabase((open) => {
    it('is stored with its effect, or neither is', async () => {
      const test = await routingTest(open, { limits: { keptAnswerBytes: 10 } })
      try {
        const { registry } = test
        const input = { request }
        const call = registry
          .get(KeptAnswers)
          .once({ caller: sender, key: KEY, operation: 'registerPackage', input }, (keep) =>
            registry.get(RegisterPackage).execute(sender, { ...input, keep }),
          )
        expect((await rejectionOf(call)).code).to.equal('answerTooLargeToKeep')
        for (const table of [
          'registry_packages',
          'registry_documents',
          'registry_kept_answers',
          'registry_timelines',
        ]) {
          expect(await registry.get(Database).query(table).first(), table).to.equal(undefined)
        }
      } finally {
        await test.registry.close()
      }
    })

    it('is given again to a signer of a package who repeats after a lost answer', async () => {
      const test = await testRegistry(await open())
      try {
        const { packageId, originals } = await fixedPackage(test, { count: 2 })
        const input = { packageId, request: { signatures: signaturesOver(originals, test.authorities.person()) } }
        const sign = () =>
          test.registry
            .get(KeptAnswers)
            .once({ caller: anonymous, key: KEY, operation: 'signPackage', input }, (keep) =>
              test.registry.get(SignPackage).execute(anonymous, { ...input, keep }),
            )
        const [first, twin] = await Promise.all([sign(), sign()])
        expect(twin).to.deep.equal(first)
        expect(await sign()).to.deep.equal(first)
        expect(await test.registry.get(Database).query('registry_signatures').select('sign_id')).to.have.lengthOf(2)
      } finally {
        await test.registry.close()
      }
    })

    it('is available for registering, signing, sending, commenting, forwarding and mailing', async () => {
      const test = await routingTest(open)
      const ids = test.registry.operations.flatMap(({ id, idempotent }) => (idempotent ? [id] : []))
      await test.registry.close()
      expect(ids).to.have.members([
        'registerDocument',
        'addSignature',
        'registerPackage',
        'signPackage',
        'sendDocument',
        'sendPackage',
        'commentIncoming',
        'commentOutgoing',
        'recallOutgoing',
        'remindOutgoing',
        'setIntegrationRegisterAuto',
        'notifyDocument',
        'notifyPackage',
      ])
    })

    it('is given again to a caller who repeats a registration or signature after a lost answer', async () => {
      const test = await testRegistry(await open())
      const { registry, authorities } = test
      try {
        const original = Buffer.from('original')
        const signed = () => authorities.person().signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
        const once = (Class: AnyOperation, key: string, input: object) =>
          registry
            .get(KeptAnswers)
            .once({ caller: anonymous, key, operation: Class.operation.id, input }, async (keep) =>
              Object(await registry.get(Class).execute(anonymous, { ...input, keep })),
            )
        const registration = { request: { signature: signed() } }
        const register = () => once(RegisterDocument, KEY, registration)
        const registered = Object(await register())
        expect(await register()).to.deep.equal(registered)
        const id: string = registered.documentId
        await registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
        const signature = { id, request: { signature: signed() } }
        const add = () => once(AddSignature, `${KEY}2`, signature)
        expect(await add()).to.deep.equal(await add())
        expect(await registry.get(Database).query('registry_signatures').select('sign_id')).to.have.lengthOf(2)
      } finally {
        await registry.close()
      }
    })

    it('is stored by every operation that declares it', async () => {
      const test = await routingTest(open)
      try {
        const call = { caller: sender, key: KEY, operation: 'forgetful', input: {} }
        const once = test.registry.get(KeptAnswers).once(call, async () => ({}))
        expect(await once.catch(String)).to.match(/did not keep its answer/)
      } finally {
        await test.registry.close()
      }
    })
  })
})
