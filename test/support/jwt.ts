import { createHmac } from 'node:crypto'

/** The parts of a JWT. */
export interface Jwt {
  readonly header: Record<string, unknown>
  readonly claims: Record<string, unknown>
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

export function readJwt(token: string): Jwt {
  const [header, claims] = token.split('.')
  return { header: decode(header), claims: decode(claims) }
}

/** A JWT under HMAC; without a key its signature is empty. */
export function writeJwt({ header, claims }: Jwt, key?: string | Uint8Array, hash = 'sha256'): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${key === undefined ? '' : createHmac(hash, key).update(signed).digest('base64url')}`
}
