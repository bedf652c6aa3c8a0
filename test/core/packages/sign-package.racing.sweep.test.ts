import { anonymous } from '@signed-registry/core'
import { AddSignature, type DocumentSettings, GetDocument } from '@signed-registry/core/documents'
import { SignPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { type FixedPackage, fixedPackage, signaturesOver } from '../../support/packages.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'
import { amount } from '../../support/sweep.js'

const ROUNDS = amount(3, 20)
const [FIRST, SECOND] = ['IIN900101300010', 'IIN900101300029']

describe('concurrent signings of a package', () => {
  forEachDatabase((open) => {
    let hosts: TestRegistry[]
    before(async () => {
      const first = await testRegistry(await open())
      const { database, authorities, clock } = first
      hosts = [first, await testRegistry(database, { authorities, clock })]
    })
    after(() => Promise.all(hosts.map(({ registry }) => registry.close())))

    const host = (at: number): TestRegistry => hosts[at % 2] as TestRegistry
    const person = (iin?: string) => host(0).authorities.person(iin === undefined ? {} : { iin: iin.slice(3) })
    const fixed = (documentsSettings: DocumentSettings) => fixedPackage(host(0), { count: 5, documentsSettings })
    const race = async (one: FixedPackage, signers: ReturnType<typeof person>[]) => {
      const batches = signers.map((signer) => signaturesOver(one.originals, signer))
      const outcomes = await Promise.allSettled(
        batches.map((signatures, at) =>
          host(at).registry.get(SignPackage).execute(anonymous, { packageId: one.packageId, request: { signatures } }),
        ),
      )
      return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'signed' : outcome.reason.code))
    }
    const signersOf = ({ documentsIds }: FixedPackage) =>
      Promise.all(
        documentsIds.map(async (id) => {
          const { signatures } = await host(0).registry.get(GetDocument).execute(anonymous, { id })
          return signatures.map(({ userId }) => userId).join()
        }),
      )

    it('fill every document exactly to its limit', async () => {
      const one = await fixed({ signaturesLimit: 2 })
      const outcomes = await race(one, [person(), person(), person(), person()])
      expect([...outcomes].sort()).to.deep.equal([
        'signaturesLimitReached',
        'signaturesLimitReached',
        'signed',
        'signed',
      ])
      const signers = await signersOf(one)
      expect(new Set(signers).size, 'the same signers in the same order everywhere').to.equal(1)
      expect(signers[0]?.split(',').length).to.equal(2)
    })

    it('leave one signature of each person where signers are unique', async () => {
      const one = await fixed({ unique: ['iin'] })
      // The same person with two certificates.
      const outcomes = await race(one, [person(FIRST), person(FIRST), person(FIRST)])
      expect([...outcomes].sort()).to.deep.equal(['signatureDoesNotConform', 'signatureDoesNotConform', 'signed'])
      expect(await signersOf(one)).to.deep.equal(Array(5).fill(FIRST))
    })

    it('keep the sequence of signers in every document', async () => {
      const settings = {
        strictSignersRequirements: true,
        sequentialSignersRequirements: true,
        signersRequirements: [{ iin: FIRST }, { iin: SECOND }],
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        const one = await fixed(settings)
        const [first, second] = await race(one, [person(FIRST), person(SECOND)])
        expect(first).to.equal('signed')
        expect(second).to.be.oneOf(['signed', 'signatureDoesNotConform'])
        const expected = second === 'signed' ? `${FIRST},${SECOND}` : FIRST
        expect(await signersOf(one)).to.deep.equal(Array(5).fill(expected))
      }
    })

    it('sign all or nothing while somebody signs a single document', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const one = await fixed({ signaturesLimit: 1 })
        const [signature = { signature: '' }] = signaturesOver(one.originals.slice(4), person(SECOND))
        const alone = host(1)
          .registry.get(AddSignature)
          .execute(anonymous, { id: one.documentsIds[4] ?? '', request: signature })
        const [outcomes, single] = await Promise.all([race(one, [person(FIRST)]), Promise.allSettled([alone])])
        const expected = outcomes[0] === 'signed' ? Array(5).fill(FIRST) : ['', '', '', '', SECOND]
        expect(await signersOf(one)).to.deep.equal(expected)
        expect(single[0]?.status).to.equal(outcomes[0] === 'signed' ? 'rejected' : 'fulfilled')
      }
    })
  })
})
