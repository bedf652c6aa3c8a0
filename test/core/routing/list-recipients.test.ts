import { anonymous, type Caller } from '@signed-registry/core'
import { ListRecipients } from '@signed-registry/core/routing'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { PartyNames } from '#core/parties/index.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import {
  clerk,
  PERSON,
  person,
  RECEIVER,
  type RoutingTest,
  routingTest,
  sender,
  stranger,
} from '../../support/routing.js'

const subject = (cn: string, o?: string) => [
  [{ oid: '2.5.4.3', name: 'CN', value: cn, valueInB64: false }],
  ...(o === undefined ? [] : [[{ oid: '2.5.4.10', name: 'O', value: o, valueInB64: false }]]),
]

describe('recipients', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    beforeEach(async () => {
      test = await routingTest(open, { limits: { recipientItems: 3 } })
    })
    afterEach(() => test.registry.close())

    const list = async (by: Caller = sender) => (await test.registry.get(ListRecipients).execute(by)).recipients
    const send = async (to: string) => {
      test.clock.time += 1000
      return { id: await test.sent(to), at: test.clock.now() }
    }

    it('are those to whom something was sent, each once, newest first', async () => {
      expect(await list()).to.deep.equal([])
      await send(RECEIVER)
      const toPerson = await send(PERSON)
      const again = await send(RECEIVER)
      expect(await list()).to.deep.equal([
        { to: RECEIVER, lastSentAt: again.at },
        { to: PERSON, lastSentAt: toPerson.at },
      ])
    })

    it('are those of the items sent last', async () => {
      await send(PERSON)
      for (let sent = 0; sent < 3; sent += 1) await send(RECEIVER)
      expect((await list()).map(({ to }) => to)).to.deep.equal([RECEIVER])
    })

    it('have the names of organizations, and of people who have opened what they got', async () => {
      const names = test.registry.get(PartyNames)
      await test.registry.get(Database).transaction(async () => {
        await names.remember(
          { userId: 'IIN123456789012', businessId: RECEIVER, subjectStructure: subject('B', 'Buyer') },
          1,
        )
        await names.remember({ userId: PERSON, subjectStructure: subject('СЕРИКОВА АЛИЯ') }, 1)
      })
      await send(RECEIVER)
      const { id } = await send(PERSON)
      const named = async () => (await list()).map(({ name }) => name)
      expect(await named()).to.deep.equal([undefined, 'Buyer'])
      await test.incoming(id, person)
      expect(await named()).to.deep.equal(['СЕРИКОВА АЛИЯ', 'Buyer'])
      await send(PERSON)
      expect(await named()).to.deep.equal(['СЕРИКОВА АЛИЯ', 'Buyer'])
    })

    it('are those of the caller, or of their organization where they have the right', async () => {
      await send(RECEIVER)
      expect(await list(person)).to.deep.equal([])
      expect(await list(stranger)).to.deep.equal([])
      expect((await rejectionOf(list(clerk))).code).to.equal('accessDenied')
      expect((await rejectionOf(list(anonymous))).code).to.equal('authenticationRequired')
    })
  })
})
