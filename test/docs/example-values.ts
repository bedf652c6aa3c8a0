import { createHash } from 'node:crypto'

/** The fixed time of the examples. */
const EPOCH = Date.UTC(2026, 5, 1, 12)
const DAY = 24 * 60 * 60_000
/** Timestamps by the clock of a run. */
const AFTER = 60 * DAY
const IDENTIFIER = /^[\w-]{16,43}$/
/** Identifiers in paths, plain or encoded in another URL. */
const IN_PATHS = /(?<=(?:\/|%2F)(?:govQr|app|d|log|api|operations)(?:\/|%2F))[\w-]{16,43}(?=$|[/?%"])/g
const BASE64 = /^(whsec_|ed25519:)?([A-Za-z0-9+/_-]{40,}={0,2})$/
const HEX = /^[0-9a-f]{30,}$/
/** In signature lines of notes: the names of witnesses have the port of the run. */
const NOTE_SIGNATURE = /(?<=\u2014 [^ ]+ )[A-Za-z0-9+/]{40,}={0,2}/g
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g
/** Short random values and measurements. */
const BY_CHANCE: Readonly<Record<string, unknown>> = {
  confirmationCode: '4812',
  durationMs: 20,
  auth_token: 'qpSa5X0sVEXxR6Rjmd1vLB',
  buildTimeStamp: '1780315200',
}
const MAX_TEXT = 72

/**
 * Replaces everything random by fixed values, so that examples are the same in every run: identifiers, keys, signatures, ports,
 * and times of a clock that began at `start`. Equal values stay equal.
 */
export function exampleValues(value: unknown, start: number): unknown {
  const made = new Map<string, string>()
  const isOfRun = (time: number) => time >= start - DAY && time < start + AFTER
  const inPlaceOf = (text: string, encoding: 'hex' | 'base64url' | 'base64', length = text.length): string => {
    const digest = createHash('sha512').update(String(made.size)).digest(encoding)
    const fixed = made.get(text) ?? digest.replace(/[-_+/=]/g, 'x').slice(0, length)
    made.set(text, fixed)
    return fixed
  }
  const fixedMoment = (moment: string): string => {
    const time = Date.parse(`${moment}Z`)
    return isOfRun(time) ? new Date(time - start + EPOCH).toISOString().slice(0, 19) : moment
  }
  const fixedText = (text: string, key: string): string => {
    if (/ids?$/i.test(key) && IDENTIFIER.test(text)) return inPlaceOf(text, 'base64url')
    // Serial numbers of certificates have up to twenty octets.
    if (HEX.test(text)) return inPlaceOf(text, 'hex', Math.max(40, text.length))
    const [, prefix = '', secret] = BASE64.exec(text) ?? []
    // Signatures begin with their length, which varies.
    if (secret !== undefined && text.length > MAX_TEXT) return `${text.slice(0, 3)}…`
    if (secret !== undefined) {
      const padding = secret.slice(secret.replace(/=+$/, '').length)
      return `${prefix}${inPlaceOf(secret, 'base64').slice(0, secret.length - padding.length)}${padding}`
    }
    return text
      .replace(/127\.0\.0\.1(:|%3A)\d+/g, '127.0.0.1$18080')
      .replace(IN_PATHS, (id) => inPlaceOf(id, 'base64url'))
      .replace(/[A-Za-z0-9]{16}(?![A-Za-z0-9])/g, (word) => made.get(word) ?? word)
      .replace(/\+[0-9a-f]{8}\+[\w+/=]{44}$/, '+5d3f2a61+AcPpCVgbmwFMIzVx8Y1LzCPnjV3i9yFBWzgqJtVrVbJ7')
      .replace(NOTE_SIGNATURE, 'IaHTqwAAAABrBNTcvoKXvQSjFuUCCqH9r8YpTq3l0mZc5vB2n7w=')
      .replace(MOMENT, fixedMoment)
  }
  const fixed = (part: unknown, key: string): unknown => {
    if (key in BY_CHANCE) return BY_CHANCE[key]
    if (typeof part === 'string') return fixedText(part, key)
    if (typeof part === 'number') return isOfRun(part) ? part - start + EPOCH : part
    if (Array.isArray(part)) return part.map((one) => fixed(one, key))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, fixed(one, name)]))
  }
  return fixed(value, '')
}
