import { createHmac, type webcrypto } from 'node:crypto'
import type { Clock, Session } from '@signed-registry/core'
import { errors, jwtVerify, SignJWT } from 'jose'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** The session in a token, and when that token expires. */
export interface ReadSession extends Session {
  readonly expiresAt: number
}

const MINUTE = 60_000
const TOKEN_LIFE_MS = 30 * MINUTE
const RENEW_BELOW_MS = 15 * MINUTE
const MAX_CHARACTERS = 4096
const MAX_REMEMBERED = 10_000
const ALGORITHM = 'HS256'
const TYPE = 'session+jwt'
const ISSUER = 'signed-registry'

const Claims = Type.Object({
  iin: Type.String({ pattern: '^IIN\\d{12}$' }),
  bin: Type.Optional(Type.String({ pattern: '^BIN\\d{12}$' })),
  authorities: Type.Array(Type.String()),
  serial: Type.String(),
  sid: Type.String({ pattern: '^[A-Za-z0-9]{22}$' }),
  auth_time: Type.Integer(),
  until: Type.Integer(),
  exp: Type.Integer(),
})

interface Key {
  readonly id: string
  readonly key: webcrypto.CryptoKey
}
type Keys = readonly [Key, ...Key[]]

/**
 * Session tokens: JWT with HMAC-SHA-256 only. The first secret signs, all verify, each found by the key id that is derived from
 * it: a new secret can be put in front without logging anybody out.
 */
export class SessionTokens {
  /** Tokens that verified: checking a signature costs as much as a read from the database. */
  private readonly verified = new Map<string, ReadSession>()

  private constructor(
    private keys: Keys,
    private readonly clock: Clock,
  ) {}

  /** One secret or more, each of at least 32 bytes. */
  static async create(secrets: readonly string[], clock: Clock): Promise<SessionTokens> {
    return new SessionTokens(await keysOf(secrets), clock)
  }

  /** Prepares that other secrets take the place of these; what it answers makes them count, and ends the sessions of those that are gone. */
  async replace(secrets: readonly string[]): Promise<() => void> {
    const keys = await keysOf(secrets)
    return () => {
      this.keys = keys
      this.verified.clear()
    }
  }

  /** A token that is valid for 30 minutes, or until the session ends. */
  issue({ caller, serialNumber, authAt, endsAt }: Session): Promise<string> {
    const { id, key } = this.keys[0]
    const now = this.clock.now()
    return new SignJWT({
      iin: caller.iin,
      ...(caller.kind === 'employee' && { bin: caller.bin }),
      authorities: caller.kind === 'employee' ? caller.authorities : [],
      serial: serialNumber,
      sid: caller.sessionId,
      auth_time: seconds(authAt),
      until: seconds(endsAt),
    })
      .setProtectedHeader({ alg: ALGORITHM, kid: id, typ: TYPE })
      .setIssuer(ISSUER)
      .setIssuedAt(seconds(now))
      .setExpirationTime(seconds(Math.min(now + TOKEN_LIFE_MS, endsAt)))
      .sign(key)
  }

  /** The session of a token; `undefined` when it is not ours, was altered, or has expired. */
  async read(token: string): Promise<ReadSession | undefined> {
    if (token.length > MAX_CHARACTERS) return undefined
    const session = this.verified.get(token) ?? (await this.verify(token))
    const now = this.clock.now()
    return session !== undefined && now < session.expiresAt && now < session.endsAt ? session : undefined
  }

  private async verify(token: string): Promise<ReadSession | undefined> {
    const { keys } = this
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.key(kid), {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        currentDate: new Date(this.clock.now()),
      })
      if (!Value.Check(Claims, payload)) return undefined
      const { iin, bin, authorities, serial, sid, auth_time, until, exp } = payload
      const session: ReadSession = {
        caller: {
          ...(bin === undefined ? { kind: 'person', iin } : { kind: 'employee', iin, bin, authorities }),
          sessionId: sid,
        },
        serialNumber: serial,
        authAt: auth_time * 1000,
        endsAt: until * 1000,
        expiresAt: exp * 1000,
      }
      if (keys === this.keys) this.remember(token, session)
      return session
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  /** True when the token is about to expire, and the session lasts longer. */
  isDue({ expiresAt, endsAt }: ReadSession): boolean {
    return expiresAt - this.clock.now() < RENEW_BELOW_MS && expiresAt < endsAt - 1000
  }

  private remember(token: string, session: ReadSession): void {
    for (const oldest of this.verified.keys()) {
      if (this.verified.size < MAX_REMEMBERED) break
      this.verified.delete(oldest)
    }
    this.verified.set(token, session)
  }

  private key(kid: string | undefined): webcrypto.CryptoKey {
    const found = this.keys.find(({ id }) => id === kid)
    if (found === undefined) throw new errors.JWKSNoMatchingKey()
    return found.key
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

async function keysOf(secrets: readonly string[]): Promise<Keys> {
  const [first, ...others] = await Promise.all(secrets.map(keyOf))
  if (first === undefined) throw new TypeError('Session tokens need a secret')
  return [first, ...others]
}

async function keyOf(secret: string): Promise<Key> {
  const bytes = Buffer.from(secret, 'utf8')
  if (bytes.length < 32) throw new TypeError('A session secret has at least 32 bytes')
  const id = createHmac('sha256', bytes).update('key id').digest('hex').slice(0, 16)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return { id, key: await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']) }
}
