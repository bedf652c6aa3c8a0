import { anonymous, type RegistryOptions } from '@signed-registry/core'

import { RegisterDocument } from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { expect } from 'chai'
import { routingDeviations } from '#core/deviations/routing.js'
import { employeeCaller, personCaller } from '../support/core-registry.js'
import type { OpenDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/refusal.js'
import { testRegistry } from '../support/registry.js'
import { PERSON, person, type RoutingTest, routingTest, SENDER, sender } from '../support/routing.js'
import { deviate } from './deviate.js'

describe('deviations about sending', () => {
  const using =
    (test: (routing: RoutingTest) => Promise<void>, options: Pick<RegistryOptions, 'limits'> = {}) =>
    async (open: OpenDatabase) => {
      const routing = await routingTest(open, options)
      await test(routing)
      await routing.registry.close()
    }

  /** Registers a document that is sent at once. */
  async function registerAndSend(open: OpenDatabase, by: typeof anonymous | ReturnType<typeof personCaller>) {
    const { registry, authorities } = await testRegistry(await open())
    const signature = authorities.person().signCms(Buffer.from('contract')).toString('base64')
    const request = { signature, send: { to: PERSON } }
    const outcome = await registry
      .get(RegisterDocument)
      .execute(by, { request })
      .then(
        () => 'sent',
        ({ code }) => code,
      )
    await registry.close()
    return outcome
  }

  /** What of three packages that came in one millisecond is left out. */
  const leftOut = async (test: RoutingTest) => {
    for (let n = 0; n < 3; n += 1) await test.sent(PERSON)
    const { items } = await test.listIncoming(person, { includeDetails: true })
    expect(items.map((item) => item.package === undefined)).to.deep.equal(
      items.map((item) => item.detailsLeftOut === 'pageFull'),
    )
    return items.filter((item) => item.detailsLeftOut).length
  }

  deviate(routingDeviations, {
    oneUndecidedItem: {
      ours: using(async (test) => {
        const { packageId } = await test.complete()
        await test.sendPackage(packageId)
        expect(await rejectionOf(test.sendPackage(packageId))).to.include({ message: 'Already sent to this receiver' })
      }),
      asWritten: using(async (test) => {
        const { packageId } = await test.complete()
        await test.answer(await test.sendPackage(packageId), { status: 'accepted' })
        expect(await test.sendPackage(packageId)).to.be.a('string')
      }),
    },
    sendersAreAuthenticated: {
      ours: async (open) => {
        expect(await registerAndSend(open, anonymous)).to.equal('authenticationRequired')
      },
      asWritten: async (open) => {
        expect(await registerAndSend(open, personCaller())).to.equal('sent')
      },
    },
    closedDetailsLeftOut: {
      ours: using(async (test) => {
        const { packageId } = await test.complete({ settings: { private: true } })
        await test.sendPackage(packageId)
        const colleague = employeeCaller({ bin: SENDER, iin: 'IIN123456789033' })
        const right = { authorities: [], tlsCertificatesIndices: [], iins: [colleague.iin] }
        const request = { routedDocumentsPackagesView: right }
        await test.registry.get(SaveOrganizationSettings).execute(sender, { request })
        const { items } = await test.listOutgoing(colleague, { includeDetails: true })
        expect(items[0]).to.include({ packageId, detailsLeftOut: 'closed' }).and.not.to.have.property('package')
      }),
      asWritten: using(async (test) => {
        const { packageId } = await test.complete({ settings: { private: true } })
        await test.sendPackage(packageId, PERSON)
        const { items } = await test.listIncoming(person, { includeDetails: true })
        expect(items[0]).to.have.property('package')
        expect(items[0]).not.to.have.property('detailsLeftOut')
      }),
    },
    fullPagesLeaveOutDetails: {
      ours: using(
        async (test) => {
          expect(await leftOut(test)).to.equal(2)
        },
        { limits: { pageBytes: 1 } },
      ),
      asWritten: using(
        async (test) => {
          expect(await leftOut(test)).to.equal(0)
        },
        { limits: { pageBytes: Number.POSITIVE_INFINITY } },
      ),
    },
  })
})
