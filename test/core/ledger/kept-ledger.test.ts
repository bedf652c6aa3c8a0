import type { Registry } from '@signed-registry/core'

import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { KeptLedger } from '#core/ledger/index.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'

const A = 'at 192.0.2.1'
const B = 'at 2001:db8:0:1'
const PERSON = 'IIN123456789011 BIN123456789021'
const SYSTEM = 'BIN123456789021'
const share = { stranger: 40, strangers: 60, person: 80, system: 100, whole: 100 }

describe('what callers store in a registry', () => {
  forEachDatabase((open) => {
    let hosts: Registry[]
    beforeEach(async () => {
      const database = await open()
      const options = { shares: { temporaryStorage: share, procedureBytes: { ...share, stranger: 0, strangers: 0 } } }
      hosts = await Promise.all([
        registryWithoutAuthorities(database, options),
        registryWithoutAuthorities(database, options),
      ])
    })
    afterEach(() => Promise.all(hosts.map((host) => host.close())))

    /** In a transaction of one of the hosts. */
    const take = (owner: string, amount: number, host = hosts[0]) =>
      host?.get(Database).transaction(() => host.get(KeptLedger).take('temporaryStorage', owner, amount)) ??
      expect.fail('there is no host')
    const release = (owner: string, amount: number, host = hosts[0]) =>
      host?.get(Database).transaction(() => host.get(KeptLedger).release('temporaryStorage', owner, amount)) ??
      expect.fail('there is no host')
    const uses = async () => {
      const largest = await hosts[0]?.get(KeptLedger).largest('temporaryStorage', 10)
      return Object.fromEntries((largest ?? []).map(({ owner, used }) => [owner, used]))
    }

    it('is counted by owner, for all strangers and for all', async () => {
      await take(A, 30)
      await take(B, 20)
      await take(PERSON, 10)
      expect(await uses()).to.deep.equal({ [A]: 30, [B]: 20, [PERSON]: 10, strangers: 50, whole: 60 })
    })

    it('is refused to an owner, to strangers and to everybody when their share is used up', async () => {
      await take(A, 40)
      const own = await rejectionOf(take(A, 1))
      expect([own.code, own.details]).to.deep.equal([
        'shareTaken',
        { resource: 'temporaryStorage', limit: 40, retryAfter: 60 },
      ])
      await take(B, 20)
      expect((await rejectionOf(take(B, 1))).code).to.equal('serviceBusy')
      await take(SYSTEM, 40)
      const all = await rejectionOf(take(PERSON, 1))
      expect([all.code, all.details?.limit]).to.deep.equal(['serviceBusy', 100])
      expect(await uses()).to.deep.equal({ [A]: 40, [B]: 20, [SYSTEM]: 40, strangers: 60, whole: 100 })
    })

    it('counts nothing that is refused or rolled back', async () => {
      expect((await rejectionOf(take(A, 41))).code).to.equal('shareTaken')
      await take(PERSON, 80)
      expect((await rejectionOf(take(A, 30))).code).to.equal('serviceBusy')
      const [host] = hosts
      const undone = host?.get(Database).transaction(async () => {
        await host.get(KeptLedger).take('temporaryStorage', B, 5)
        throw new Error('undone')
      })
      expect(await undone?.catch(({ message }) => message)).to.equal('undone')
      expect(await uses()).to.deep.equal({ [PERSON]: 80, whole: 80 })
    })

    it('deletes the row of an owner who has released everything', async () => {
      await take(A, 40)
      await release(A, 10)
      expect(await uses()).to.deep.equal({ [A]: 30, strangers: 30, whole: 30 })
      await release(A, 30)
      expect(await uses()).to.deep.equal({ strangers: 0, whole: 0 })
      await take(A, 40)
    })

    it('counts each resource separately, even without a limit', async () => {
      const [host] = hosts
      const ledger = host?.get(KeptLedger)
      await host?.get(Database).transaction(async () => ledger?.take('procedureBytes', A, 90))
      await take(A, 40)
      expect(await ledger?.largest('procedureBytes', 1)).to.deep.equal([
        { resource: 'procedureBytes', owner: A, used: 90 },
      ])
    })

    it('counts terabytes to the byte', async () => {
      const [host] = hosts
      const amount = 2 ** 45 + 1
      await host?.get(Database).transaction(async () => {
        await host.get(KeptLedger).take('procedureBytes', A, 1)
        await host.get(Database).query('registry_shares').update({ used: amount })
      })
      expect(await host?.get(KeptLedger).largest('procedureBytes', 1)).to.deep.include({
        resource: 'procedureBytes',
        owner: A,
        used: amount,
      })
    })

    it('never exceeds the share when several hosts race for the last of it', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) => take(`at 192.0.2.${at % 4}`, 10, hosts[at % 2])),
      )
      const taken = outcomes.filter(({ status }) => status === 'fulfilled')
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
      expect([...new Set(refused)].every((code) => code === 'shareTaken' || code === 'serviceBusy')).to.equal(true)
      expect(taken).to.have.lengthOf(6)
      const { whole, strangers, ...owners } = await uses()
      expect([whole, strangers, Object.values(owners).reduce((sum, used) => sum + used, 0)]).to.deep.equal([60, 60, 60])
    })

    it('stays correct under concurrent takes and releases', async () => {
      await Promise.all(
        Array.from({ length: 16 }, async (_, at) => {
          const owner = `at 192.0.2.${at % 2}`
          await take(owner, 1, hosts[at % 2])
          await release(owner, 1, hosts[(at + 1) % 2])
        }),
      )
      expect(await uses()).to.deep.equal({ strangers: 0, whole: 0 })
    })
  })
})
