import type { Registry } from '@signed-registry/core'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { PartyNames } from '#core/parties/index.js'
import { BIN, IIN, registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'

const attribute = (oid: string, name: string, value: string) => [{ oid, name, value, valueInB64: false }]
const subject = (cn: string, patronymic: string, organization?: string) => [
  attribute('2.5.4.3', 'CN', cn),
  attribute('2.5.4.42', 'GIVENNAME', patronymic),
  ...(organization === undefined ? [] : [attribute('2.5.4.10', 'O', organization)]),
]

describe('names of parties', () => {
  forEachDatabase((open) => {
    let registry: Registry
    let names: PartyNames
    const remember = (facts: Parameters<PartyNames['remember']>[0], at: number) =>
      registry.get(Database).transaction(() => names.remember(facts, at))
    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open())
      names = registry.get(PartyNames)
    })
    afterEach(() => registry.close())

    it('are those of the certificate: surname, name and patronymic of the person, and the organization', async () => {
      await remember(
        { userId: IIN, businessId: BIN, subjectStructure: subject('СЕРИКОВА АЛИЯ', 'ЕРБОЛОВНА', 'Fish') },
        1,
      )
      expect(await names.of([IIN, BIN, 'IIN000000000000'])).to.deep.equal(
        new Map([
          [BIN, 'Fish'],
          [IIN, 'СЕРИКОВА АЛИЯ ЕРБОЛОВНА'],
        ]),
      )
    })

    it('are those of the latest certificate', async () => {
      for (const name of ['Before', 'Before', 'Before', 'After', 'After'])
        await remember({ userId: IIN, subjectStructure: subject(name, '') }, 1)
      expect(await names.of([IIN])).to.deep.equal(new Map([[IIN, 'After']]))
    })

    it('are not kept of a certificate without them, and have at most 200 characters', async () => {
      await remember({ userId: IIN, businessId: BIN, subjectStructure: subject('', '', 'x'.repeat(300)) }, 1)
      expect(await names.of([IIN, BIN])).to.deep.equal(new Map([[BIN, 'x'.repeat(200)]]))
    })

    it('are not remembered of a transaction that was rolled back', async () => {
      const facts = { userId: IIN, subjectStructure: subject('Once', '') }
      const failed = registry.get(Database).transaction(async () => {
        await names.remember(facts, 1)
        throw new Error('rolled back')
      })
      expect(await failed.catch((error: Error) => error.message)).to.equal('rolled back')
      const again = async () => {
        await names.remember(facts, 1)
        await names.remember(facts, 1)
        throw new Error('rolled back')
      }
      await registry
        .get(Database)
        .transaction(again)
        .catch(() => undefined)
      await remember(facts, 2)
      expect(await names.of([IIN])).to.deep.equal(new Map([[IIN, 'Once']]))
    })
  })
})
