import { anonymous, type Caller } from '@signed-registry/core'

import { GetAuthentication, GetAuthenticationLog } from '@signed-registry/core/auth'
import { GetUserSettings } from '@signed-registry/core/settings'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { TrimAuthentications } from '#core/auth/authentication-store.js'
import { Database } from '#core/database/database.js'
import { personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { authenticate, IP, logIn, newNonce, signNonce, signNonceXml } from '../../support/login.js'
import { DAY, MINUTE, NOW } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const iin = '123456789011'
const bin = '123456789021'
const refusal = async (attempt: Promise<unknown>) => {
  const { code, details } = await rejectionOf(attempt)
  return `${code} ${String(details?.reason)}`
}

describe('authentication by nonce', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    beforeEach(async () => {
      test = await testRegistry(await open())
    })
    afterEach(() => test.registry.close())
    const person = (options = {}) => test.authorities.person({ iin, use: 'authentication', ...options })
    const rowsOf = async (table: string) =>
      Number((await test.registry.get(Database).query(table).count({ n: '*' }))[0]?.n)

    it('issues readable nonces, each a different one', async () => {
      const nonces = await Promise.all(Array.from({ length: 20 }, () => newNonce(test.registry)))
      expect(new Set(nonces).size).to.equal(20)
      for (const nonce of nonces) expect(Buffer.from(nonce, 'base64').toString()).to.include('Only to log in')
    })

    for (const [form, options] of [
      ['detached', { detached: true }],
      ['attached', { detached: false }],
      ['with a time stamp and an OCSP answer', { timeStamp: true, ocsp: true }],
    ] as const) {
      it(`accepts a CMS over the nonce, ${form}`, async () => {
        const { result } = await logIn(test.registry, person(), options)
        expect(result.userId).to.equal(`IIN${iin}`)
      })
    }

    it('accepts PEM, XML, certificates for signing, and RSA and GOST keys', async () => {
      const nonce = await newNonce(test.registry)
      const signature = pem('CMS', person().signCms(Buffer.from(nonce, 'base64')))
      expect((await authenticate(test.registry, { nonce, signature })).result.userId).to.equal(`IIN${iin}`)
      const second = await newNonce(test.registry)
      const xml = signNonceXml(person(), second)
      expect((await authenticate(test.registry, { nonce: second, signature: xml })).result.userId).to.equal(`IIN${iin}`)
      for (const options of [
        { use: 'signing' },
        { algorithm: 'rsa2048' },
        { algorithm: 'gost512' },
        { algorithm: 'ed448' },
        { algorithm: 'brainpool256' },
      ]) {
        expect((await logIn(test.registry, person(options))).result.userId).to.equal(`IIN${iin}`)
      }
    })

    it('answers what the certificate says', async () => {
      const subject = test.authorities.employee({ iin, bin, role: 'head', email: 'head@example.kz' })
      const { result, session } = await logIn(test.registry, subject)
      expect(result).to.include({
        userId: `IIN${iin}`,
        businessId: `BIN${bin}`,
        email: 'head@example.kz',
        subjectAltName: 'rfc822Name=head@example.kz',
        signAlgorithm: '1.2.840.10045.4.3.2',
        keyStorage: '1.2.398.3.3.5.1.1',
        certificateValidFrom: NOW - DAY,
        certificateValidUntil: NOW + 365 * DAY,
      })
      expect(result.subject).to.match(/^2\.5\.4\.42=|^GIVENNAME=/)
      expect(result.extKeyUsages).to.include('1.2.398.3.3.4.1.2.1')
      expect(session).to.include({ authAt: NOW, endsAt: NOW + DAY / 2 })
    })

    it('creates a profile with the e-mail of the certificate, notifications off, and a line in the log', async () => {
      await logIn(test.registry, person({ email: 'person@example.kz' }))
      const settings = await test.registry.get(GetUserSettings).execute(personCaller())
      expect(settings).to.include({ email: 'person@example.kz', emailNotificationsEnabled: false, modifiedAt: 0 })
      expect(await rowsOf('registry_user_settings')).to.equal(1)
      const log = await test.registry.get(GetAuthenticationLog).execute(personCaller())
      expect(log).to.deep.include({ userId: `IIN${iin}`, eventsTotal: 1 })
      expect(log.events[0]).to.include({ authAt: NOW, ip: IP })
      expect(log.events[0]?.serialNumber).to.match(/^[0-9a-f]{40}$/)
      expect(log.events[0]?.issuer).to.contain('CN=')
    })

    it('stores nothing of an external authentication', async () => {
      const nonce = await newNonce(test.registry)
      const signature = signNonce(person(), nonce)
      const answer = await authenticate(test.registry, { nonce, signature, external: true })
      expect(answer).to.have.all.keys('result')
      expect(await rowsOf('registry_user_settings')).to.equal(0)
      expect(await rowsOf('registry_authentications')).to.equal(0)
    })

    it('returns the same result again, to the same caller only', async () => {
      const { result, session } = await logIn(test.registry, person())
      const get = (caller: Caller = session?.caller ?? anonymous) =>
        test.registry.get(GetAuthentication).execute(caller)
      expect(await get()).to.deep.equal(result)
      const other = { ...session?.caller, ...personCaller('IIN123456789012') }
      for (const caller of [other, personCaller(), anonymous]) {
        expect(await refusal(get(caller))).to.contain('authenticationRequired')
      }
    })

    it('separates a person from the same person as an employee in the log, and lists the newest 100', async () => {
      await logIn(test.registry, test.authorities.employee({ iin, bin }))
      const subject = person()
      for (let count = 0; count < 101; count += 1) {
        test.clock.time += MINUTE
        await logIn(test.registry, subject)
      }
      const log = await test.registry.get(GetAuthenticationLog).execute(personCaller())
      expect(log.eventsTotal).to.equal(101)
      expect(log).to.not.have.property('businessId')
      expect(log.events.map(({ authAt }) => (authAt - NOW) / MINUTE)).to.deep.equal(
        Array.from({ length: 100 }, (_, index) => 101 - index),
      )
      const employee = { kind: 'employee', iin: `IIN${iin}`, bin: `BIN${bin}`, authorities: [] } as const
      const atWork = await test.registry.get(GetAuthenticationLog).execute(employee)
      expect(atWork).to.deep.include({ businessId: `BIN${bin}`, eventsTotal: 1 })
    })

    it('deletes log entries after a year', async () => {
      await logIn(test.registry, person())
      test.clock.time += 1
      await logIn(test.registry, person())
      test.clock.time = NOW + 365 * DAY + 1
      await test.registry.get(TrimAuthentications).run()
      const log = await test.registry.get(GetAuthenticationLog).execute(personCaller())
      expect(log.events.map(({ authAt }) => authAt)).to.deep.equal([NOW + 1])
    })

    it('shows no log to anonymous callers and systems', async () => {
      const log = test.registry.get(GetAuthenticationLog)
      expect(await refusal(log.execute(anonymous))).to.contain('authenticationRequired')
      expect(await refusal(log.execute(systemCaller()))).to.contain('accessDenied')
    })

    it('is not for systems', async () => {
      const nonce = await newNonce(test.registry)
      const request = { nonce, signature: signNonce(person(), nonce) }
      const { message } = await rejectionOf(authenticate(test.registry, request, systemCaller()))
      expect(message).to.equal('Already authenticated with TLS certificate')
      const asked = await rejectionOf(newNonce(test.registry, systemCaller()))
      expect(asked.code).to.equal('alreadyAuthenticatedWithTls')
    })
  })
})
