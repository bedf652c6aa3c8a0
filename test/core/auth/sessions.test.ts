import { Authenticate, Sessions } from '@signed-registry/core'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { logIn } from '../../support/login.js'
import { MINUTE } from '../../support/pki/authorities.js'
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

    it('goes on until it is ended, and then on no host for longer than a minute', async () => {
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

    it('is of an authentication that there was', async () => {
      const caller = await begin()
      for (const { authenticationId, ...nobody } of [caller]) {
        expect(await sessions().goesOn(nobody)).to.equal(false)
        expect(await sessions().goesOn({ ...nobody, authenticationId: authenticationId + 1000 })).to.equal(false)
        expect(await sessions().mayRenew({ ...nobody, authenticationId: authenticationId + 1000 })).to.equal(false)
      }
    })

    it('is renewed while its certificate is good', async () => {
      const caller = await begin()
      for (let times = 0; times < 4; times += 1) {
        test.clock.time += 20 * MINUTE
        expect(await sessions().mayRenew(caller)).to.equal(true)
      }
    })

    it('ends when its certificate is revoked: the status is asked again after five minutes', async () => {
      const subject = test.authorities.employee()
      const caller = await begin(subject)
      test.authorities.revoke(subject)
      test.clock.time += 5 * MINUTE - 1
      expect(await sessions().mayRenew(caller)).to.equal(true)
      test.clock.time += 1
      expect(await sessions().mayRenew(caller)).to.equal(false)
      expect(await sessions().goesOn(caller)).to.equal(false)
    })

    it('is renewed for an hour while the status cannot be asked, and no longer', async () => {
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
