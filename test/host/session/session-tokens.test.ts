import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { Session } from '@signed-registry/core'

import { expect } from 'chai'
import { SessionTokens } from '#host/session/session-tokens.js'
import { type Jwt, readJwt, writeJwt } from '../../support/jwt.js'
import { MINUTE, NOW, type TestClock, testClock } from '../../support/pki/authorities.js'

const SECRET = 's'.repeat(32)
const NEW_SECRET = 'n'.repeat(32)
const HOUR = 60 * MINUTE
const SESSION = 'S'.repeat(22)
const session: Session = {
  caller: {
    kind: 'employee',
    iin: 'IIN123456789011',
    bin: 'BIN123456789021',
    authorities: ['1.2.398.3.3.4.1.2.1'],
    sessionId: SESSION,
  },
  serialNumber: '0a'.repeat(20),
  authAt: NOW,
  endsAt: NOW + 12 * HOUR,
}

describe('session tokens', () => {
  let clock: TestClock
  let tokens: SessionTokens
  let token: string
  beforeEach(async () => {
    clock = testClock()
    tokens = await SessionTokens.create([SECRET], clock)
    token = await tokens.issue(session)
  })
  const forged = (change: (honest: Jwt) => Jwt, key: string | Uint8Array | undefined = SECRET, hash = 'sha256') =>
    writeJwt(change(readJwt(token)), key, hash)
  const refuses = async (made: string) => expect(await tokens.read(made)).to.equal(undefined)

  it('say who logged in, for 30 minutes', async () => {
    expect(await tokens.read(token)).to.deep.equal({ ...session, expiresAt: NOW + 30 * MINUTE })
    const person = { ...session, caller: { kind: 'person', iin: 'IIN123456789011', sessionId: SESSION } } as const
    expect((await tokens.read(await tokens.issue(person)))?.caller).to.deep.equal(person.caller)
    clock.time = NOW + 30 * MINUTE - 1000
    expect(await tokens.read(token)).to.not.equal(undefined)
    clock.time = NOW + 30 * MINUTE
    await refuses(token)
  })

  it('are renewed under 15 minutes of life, up to 12 hours after the login', async () => {
    const renewed = async (made: string) => {
      const read = await tokens.read(made)
      return read && tokens.isDue(read) ? tokens.issue(read) : undefined
    }
    clock.time = NOW + 15 * MINUTE
    expect(await renewed(token)).to.equal(undefined)
    let latest = token
    for (let at = NOW; at < session.endsAt; at += 16 * MINUTE) {
      clock.time = at
      latest = (await renewed(latest)) ?? latest
      const read = await tokens.read(latest)
      expect(read).to.include({ endsAt: session.endsAt, authAt: NOW })
      expect(read?.caller.sessionId).to.equal(SESSION)
      expect(read?.expiresAt).to.be.at.most(session.endsAt)
    }
    clock.time = session.endsAt - 1000
    expect(await tokens.read(latest)).to.include({ expiresAt: session.endsAt })
    expect(await renewed(latest)).to.equal(undefined)
    clock.time = session.endsAt
    await refuses(latest)
  })

  it('of an old key stay good after a new one was put in front, and move to it when they are renewed', async () => {
    const rotated = await SessionTokens.create([NEW_SECRET, SECRET], clock)
    const read = await rotated.read(token)
    expect(read?.caller.sessionId).to.equal(SESSION)
    clock.time = NOW + 20 * MINUTE
    expect(read && rotated.isDue(read)).to.equal(true)
    const renewed = read && (await rotated.issue(read))
    expect(renewed && readJwt(renewed).header.kid).to.not.equal(readJwt(token).header.kid)
    const alone = await SessionTokens.create([NEW_SECRET], clock)
    expect((await alone.read(renewed ?? ''))?.caller.sessionId).to.equal(SESSION)
  })

  it('are good by the secrets that were put in place of others while a host runs, and by no other', async () => {
    const kept = await SessionTokens.create([SECRET], clock)
    const before = await kept.issue(session)
    expect(await kept.read(before)).to.not.equal(undefined)
    const rotate = await kept.replace([NEW_SECRET, SECRET])
    expect(readJwt(await kept.issue(session)).header.kid).to.equal(readJwt(before).header.kid)
    rotate()
    expect(await kept.read(before)).to.not.equal(undefined)
    expect(readJwt(await kept.issue(session)).header.kid).to.not.equal(readJwt(before).header.kid)
    const takeAway = await kept.replace([NEW_SECRET])
    takeAway()
    expect(await kept.read(before)).to.equal(undefined)
  })

  it('of a removed key are refused', async () => {
    const without = await SessionTokens.create([NEW_SECRET], clock)
    expect(await without.read(token)).to.equal(undefined)
    const kid = readJwt(await without.issue(session)).header.kid
    const relabelled = forged(({ header, claims }) => ({ header: { ...header, kid }, claims }))
    expect(await without.read(relabelled)).to.equal(undefined)
  })

  it('with alg none are refused', async () => {
    for (const alg of ['none', 'None', 'NONE', '', undefined]) {
      const change = ({ header, claims }: Jwt) => ({ header: { ...header, alg }, claims })
      await refuses(writeJwt(change(readJwt(token))))
      await refuses(forged(change))
    }
  })

  it('of another algorithm are refused, HMAC under a public key too', async () => {
    for (const [alg, hash] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
      ['hs256', 'sha256'],
    ] as const) {
      await refuses(forged(({ header, claims }) => ({ header: { ...header, alg }, claims }), SECRET, hash))
    }
    const { publicKey: pem } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const jwk = createPublicKey(pem).export({ format: 'jwk' })
    for (const alg of ['RS256', 'HS256', 'ES256', 'PS256']) {
      await refuses(forged(({ header, claims }) => ({ header: { ...header, alg, jwk }, claims }), pem))
    }
  })

  it('that were edited are refused', async () => {
    const [header, claims, signature] = token.split('.') as [string, string, string]
    const edited = Buffer.from(JSON.stringify({ ...readJwt(token).claims, iin: 'IIN999999999999' })).toString(
      'base64url',
    )
    await refuses([header, edited, signature].join('.'))
    await refuses([header, claims, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`].join('.'))
    await refuses([header, claims, ''].join('.'))
    await refuses([header, claims].join('.'))
    await refuses(`${token}.${signature}`)
    for (const rubbish of ['', '.', '..', '...', 'a.b.c', `${'A'.repeat(5000)}.b.c`, '{"payload":"x"}']) {
      await refuses(rubbish)
    }
  })

  it('that inject a key id are refused', async () => {
    const kids = [undefined, '', '../../dev/null', "' OR 1=1 --", '0', '__proto__', 7, ['x'], { toString: 'x' }]
    for (const kid of kids) {
      for (const key of [SECRET, '', 'x']) {
        await refuses(forged(({ header, claims }) => ({ header: { ...header, kid }, claims }), key))
      }
    }
    const jku = { jku: 'https://evil.example/keys', x5u: 'https://evil.example/x' }
    await refuses(forged(({ header, claims }) => ({ header: { ...header, ...jku }, claims }), 'x'.repeat(32)))
  })

  it('of another kind under the same secret are refused', async () => {
    const changes: ((honest: Jwt) => Jwt)[] = [
      ({ header, claims }) => ({ header: { ...header, typ: 'JWT' }, claims }),
      ({ header, claims }) => ({ header, claims: { ...claims, iss: 'somebody else' } }),
      ({ header, claims }) => ({ header: { ...header, crit: ['b64'], b64: false }, claims }),
      ({ header, claims: { exp: _, ...claims } }) => ({ header, claims }),
      ({ header, claims: { until: _, ...claims } }) => ({ header, claims }),
      ({ header, claims }) => ({ header, claims: { ...claims, iin: 'IIN1' } }),
      ({ header, claims }) => ({ header, claims: { ...claims, sid: 7 } }),
      ({ header, claims }) => ({ header, claims: { ...claims, sid: '7' } }),
      ({ header, claims }) => ({ header, claims: { ...claims, bin: null } }),
      ({ header, claims }) => ({ header, claims: { ...claims, authorities: 'all' } }),
      ({ header, claims }) => ({ header, claims: { ...claims, exp: `${claims.exp}` } }),
      ({ header, claims }) => ({ header, claims: { ...claims, nbf: NOW / 1000 + 60 } }),
    ]
    for (const change of changes) await refuses(forged(change))
    expect(await tokens.read(forged((honest) => honest))).to.deep.include(session)
  })

  it('need secrets of 32 bytes', async () => {
    for (const secrets of [[], ['short'], [SECRET, 'short']]) {
      const made = await SessionTokens.create(secrets, clock).catch((error: unknown) => error)
      expect(made).to.be.instanceOf(TypeError)
    }
  })
})
