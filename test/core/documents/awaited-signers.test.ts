import { anonymous } from '@signed-registry/core'
import { AddSignature, type DocumentSettings, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { AwaitedSigners, awaitedSigners } from '#core/documents/awaited-signers.js'
import { DocumentStore } from '#core/documents/document-store.js'
import { assertMeetsRequirements } from '#core/documents/settings-rules.js'
import type { SignatureFacts } from '#core/signatures/schema.js'
import { forEachDatabase } from '../../support/databases.js'
import { testRegistry, uploadOf } from '../../support/registry.js'

const iin = (n: number) => `IIN${String(n).padStart(12, '0')}`
const bin = (n: number) => `BIN${String(n).padStart(12, '0')}`

const signer = (changes: Partial<SignatureFacts>): SignatureFacts => ({
  userId: iin(1),
  signType: 'cms',
  signAlgorithm: '1.2.840.113549.1.1.11',
  certSignAlgorithm: '1.2.840.113549.1.1.11',
  serialNumber: '01',
  from: 0,
  until: 1,
  subject: '',
  subjectStructure: [],
  issuer: '',
  issuerStructure: [],
  policyIds: [],
  keyUsages: [],
  extKeyUsages: [],
  ...changes,
})

const awaited = (settings: DocumentSettings, signers: readonly SignatureFacts[], now = 0) =>
  awaitedSigners(settings, { signaturesTotal: signers.length, signers, now })

/** A generator of the same numbers below `limit` in every run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

describe('who is awaited', () => {
  const rules = [{ iin: iin(1) }, { bin: bin(2) }]

  it('is nobody where no signers are required', () => {
    expect(awaited({}, [])).to.deep.equal([])
    expect(awaited({ signaturesLimit: 2, signersRequirements: [] }, [])).to.deep.equal([])
  })

  it('is everybody whose requirement no signature meets, and all of them may sign', () => {
    expect(awaited({ signersRequirements: rules }, [])).to.deep.equal(rules.map((rule) => ({ ...rule, next: true })))
    expect(awaited({ signersRequirements: rules }, [signer({ userId: iin(9), businessId: bin(2) })])).to.deep.equal([
      { iin: iin(1), next: true },
    ])
  })

  it('is in order who comes after the signatures that there are, and only the first may sign', () => {
    const settings = { signersRequirements: rules, sequentialSignersRequirements: true }
    expect(awaited(settings, [])).to.deep.equal([
      { iin: iin(1), order: 1, next: true },
      { bin: bin(2), order: 2, next: false },
    ])
    expect(awaited(settings, [signer({ userId: iin(7) })])).to.deep.equal([{ bin: bin(2), order: 2, next: true }])
  })

  it('is nobody at the limit of signatures', () => {
    expect(awaited({ signersRequirements: rules, signaturesLimit: 1 }, [signer({ userId: iin(7) })])).to.deep.equal([])
  })

  it('may not sign any more after signUntil', () => {
    const settings = { signersRequirements: rules, signUntil: 1000 }
    expect(awaited(settings, [], 999).map(({ next }) => next)).to.deep.equal([true, true])
    expect(awaited(settings, [], 1000).map(({ next }) => next)).to.deep.equal([false, false])
  })

  it('shrinks with every signature that the settings allow, until nobody is, whoever signs in whichever order', () => {
    const below = numbers(27)
    for (let run = 0; run < 300; run++) {
      const settings: DocumentSettings = {
        signersRequirements: Array.from({ length: 1 + below(5) }, () =>
          below(2) === 0 ? { iin: iin(below(4)) } : { bin: bin(below(3)) },
        ),
        strictSignersRequirements: true,
        sequentialSignersRequirements: below(2) === 0,
      }
      const signers: SignatureFacts[] = []
      for (let left = awaited(settings, signers); left.length > 0; ) {
        const inTurn = left.filter(({ next }) => next)
        const rule = inTurn[below(inTurn.length)]
        expect(rule, 'somebody may sign').not.equal(undefined)
        const next = signer({ userId: rule?.iin ?? iin(20 + below(3)), businessId: rule?.bin ?? bin(20 + below(3)) })
        assertMeetsRequirements(next, settings, signers.length)
        signers.push(next)
        const now = awaited(settings, signers)
        expect(now.length).to.be.lessThan(left.length)
        const isMet = (one: (typeof left)[number]) => one.iin === next.userId || one.bin === next.businessId
        if (!settings.sequentialSignersRequirements) expect(now).to.deep.equal(left.filter((one) => !isMet(one)))
        left = now
      }
    }
  })

  forEachDatabase((open) => {
    it('is told of the signatures that a document has', async () => {
      const { registry, authorities } = await testRegistry(await open())
      const original = Buffer.from('contract')
      const sign = (person: string) =>
        authorities.person({ iin: person }).signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
      const [first, second] = ['900101300010', '900101300021']
      const settings = { signersRequirements: [{ iin: `IIN${second}` }, { iin: `IIN${first}` }] }
      const { documentId: id } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature: sign(first), settings } })
      await registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
      const left = async () => registry.get(AwaitedSigners).of(await registry.get(DocumentStore).get(id))
      expect(await left()).to.deep.equal([{ iin: `IIN${second}`, next: true }])
      await registry.get(AddSignature).execute(anonymous, { id, request: { signature: sign(second) } })
      expect(await left()).to.deep.equal([])
      await registry.close()
    })
  })
})
