import { type Employee, type Person, Sessions } from '@signed-registry/core'

import { Authenticate, GetAuthentication } from '@signed-registry/core/auth'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { logIn } from '../../support/login.js'
import { MINUTE } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const HOUR = 60 * MINUTE

describe('a session', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let url: string
    beforeEach(async () => {
      url = await open()
      test = await testRegistry(url)
    })
    afterEach(() => test.registry.close())
    const begin = async (subject = test.authorities.person()) => {
      const { session } = await logIn(test.registry, subject)
      if (session === undefined) throw new Error('No session began')
      return session.caller
    }
    const sessions = () => test.registry.get(Sessions)

    it('goes on until it is ended, and then no host accepts it for longer than a minute', async () => {
      const other = await testRegistry(url, { clock: test.clock, authorities: test.authorities })
      const [one, another] = [await begin(), await begin()]
      const elsewhere = other.registry.get(Sessions)
      expect(await elsewhere.goesOn(one)).to.equal(true)
      await test.registry.get(Authenticate).execute(one, { request: { logout: true } })
      expect(await sessions().goesOn(one)).to.equal(false)
      test.clock.time += MINUTE
      expect(await elsewhere.goesOn(one)).to.equal(false)
      expect(await elsewhere.mayRenew(one)).to.equal(false)
      expect(await elsewhere.goesOn(another)).to.equal(true)
      await other.registry.close()
    })

    it('has an identifier that nobody can guess', async () => {
      const identifiers = [await begin(), await begin()].map(({ sessionId }) => sessionId)
      for (const sessionId of identifiers) expect(sessionId).to.match(/^[A-Za-z0-9]{22}$/)
      expect(new Set(identifiers).size).to.equal(2)
    })

    it('needs an authentication that took place', async () => {
      const { sessionId: _, ...nobody } = await begin()
      for (const caller of [nobody, { ...nobody, sessionId: '1' }, { ...nobody, sessionId: 'S'.repeat(22) }]) {
        expect(await sessions().goesOn(caller)).to.equal(false)
        expect(await sessions().mayRenew(caller)).to.equal(false)
      }
    })

    it('belongs to one person, as one employee, with the same roles', async () => {
      const { iin, bin } = { iin: '123456789011', bin: '123456789021' }
      const caller = await begin(test.authorities.employee({ iin, bin }))
      const { sessionId } = caller
      const others: (Person | Employee)[] = [
        { ...caller, iin: 'IIN999999999999' },
        { kind: 'person', iin: `IIN${iin}`, sessionId },
        { kind: 'employee', iin: `IIN${iin}`, bin: 'BIN999999999999', authorities: [], sessionId },
      ]
      for (const other of others) await sessions().end(other)
      const authorities = ['1.2.398.3.3.4.1.2.1.9']
      others.push({ kind: 'employee', iin: `IIN${iin}`, bin: `BIN${bin}`, authorities, sessionId })
      // Cached or not.
      for (const known of [false, true]) {
        for (const other of others) {
          expect(await sessions().goesOn(other), JSON.stringify(other)).to.equal(false)
          expect(await sessions().mayRenew(other)).to.equal(false)
          const { code } = await rejectionOf(test.registry.get(GetAuthentication).execute(other))
          expect(code).to.equal('authenticationRequired')
        }
        expect(await sessions().goesOn(caller), String(known)).to.equal(true)
      }
    })

    it('is renewed while its certificate is good', async () => {
      const caller = await begin()
      for (let times = 0; times < 4; times += 1) {
        test.clock.time += 20 * MINUTE
        expect(await sessions().mayRenew(caller)).to.equal(true)
      }
    })

    it('ends when its certificate is revoked: the status is checked again after five minutes', async () => {
      const subject = test.authorities.employee()
      const caller = await begin(subject)
      test.authorities.revoke(subject)
      test.clock.time += 5 * MINUTE - 1
      expect(await sessions().mayRenew(caller)).to.equal(true)
      test.clock.time += 1
      expect(await sessions().mayRenew(caller)).to.equal(false)
      expect(await sessions().goesOn(caller)).to.equal(false)
    })

    it('is renewed for at most an hour while the status is unavailable', async () => {
      const caller = await begin()
      test.authorities.ocsp.respond = () => Buffer.from('300a0601', 'hex')
      test.clock.time += HOUR - 1
      expect(await sessions().mayRenew(caller)).to.equal(true)
      test.clock.time += 1
      expect(await sessions().mayRenew(caller)).to.equal(false)
      expect(await sessions().goesOn(caller)).to.equal(true)
    })
  })
})
