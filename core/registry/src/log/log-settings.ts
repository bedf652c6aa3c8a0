import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type LogPolicy, readLogPolicy } from '@signed-registry/verifier/log'
import { port } from '../kernel/port.js'
import type { TimestampSource } from '../signatures/index.js'

/** What `createRegistry` takes for its log. */
export interface LogOptions {
  /** `false`: nothing is logged. A `folder` still keeps checkpoints from being served that are older than what was signed. */
  readonly isOn?: boolean
  /**
   * Ed25519 key that signs checkpoints, PEM (PKCS #8). Without it entries are kept in the tree, and nothing is signed until
   * there is one: core generates no keys, since others keep the public key, which must stay the same.
   */
  readonly key?: string
  /** Name of the first log in checkpoints, at its first start; the host of the registry's address and `/log/<name>` unless given. */
  readonly origin?: string
  /** Folder for the last signed checkpoint, outside the database, so that a restored database is noticed. */
  readonly folder?: string
  /** Witnesses that are asked to cosign checkpoints: a policy as of C2SP tlog-policy, with an address for each witness. */
  readonly witnesses?: string
  /** Logs that this registry is a witness of: the `log` lines of such a policy. */
  readonly witnessFor?: string
  /** Ed25519 key that cosigns the checkpoints of others, PEM (PKCS #8); needed with `witnessFor`. */
  readonly witnessKey?: string
  /** Authority for the time stamps of checkpoints; that of signatures unless given. */
  readonly timestamps?: TimestampSource
}

/** How the registry logs, validated. */
export interface LogSettings {
  readonly isOn: boolean
  readonly key?: KeyObject
  readonly origin?: string
  readonly folder?: string
  readonly witnesses?: LogPolicy
  readonly witnessFor?: LogPolicy
  readonly witnessKey?: KeyObject
  readonly timestamps?: TimestampSource
}
export const LogSettings = port<LogSettings>('LogSettings', 'defaulted')

/** Printable ASCII without a space or a plus sign; a log that succeeds another appends its name. */
const ORIGIN = /^[!-*,-~]{1,200}$/

/** A note has 64 signatures at most, and others may sign a checkpoint too. */
const MAX_WITNESSES = 32
/** Characters of the name of a log or a witness. */
const MAX_NAME = 255

/** Validates options; throws a `TypeError` that names the wrong one. */
export function logSettingsOf(given: 'off' | LogOptions): LogSettings {
  if (given === 'off') return { isOn: false }
  const { isOn = true, key, origin, folder, witnesses, witnessFor, witnessKey, timestamps } = given
  if (!isOn) return { isOn, ...(folder !== undefined && { folder }) }
  if (origin !== undefined && !ORIGIN.test(origin))
    throw new TypeError(`log.origin is no name of a log, such as registry.example/log: ${origin}`)
  if (witnessFor !== undefined && witnessKey === undefined)
    throw new TypeError('log.witnessFor needs log.witnessKey, which cosigns')
  const keys = {
    ...(key !== undefined && { key: privateKey('log.key', key) }),
    ...(witnessKey !== undefined && { witnessKey: privateKey('log.witnessKey', witnessKey) }),
  }
  requireOwnKeys([['log.key', keys.key] as const, ['log.witnessKey', keys.witnessKey] as const])
  return {
    isOn,
    ...keys,
    ...(origin !== undefined && { origin }),
    ...(folder !== undefined && { folder }),
    ...(witnesses !== undefined && { witnesses: reachable(policy('log.witnesses', witnesses)) }),
    ...(witnessFor !== undefined && { witnessFor: named(policy('log.witnessFor', witnessFor)) }),
    ...(timestamps !== undefined && { timestamps }),
  }
}

/** Refuses one key for two purposes (C2SP signed-note, tlog-cosignature); throws a `TypeError` that names both. */
export function requireOwnKeys(given: readonly (readonly [option: string, key: KeyObject | undefined])[]): void {
  const known = new Map<string, string>()
  for (const [option, key] of given) {
    if (key === undefined) continue
    const octets = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('hex')
    const other = known.get(octets)
    if (other !== undefined) throw new TypeError(`${other} and ${option} are one key: each needs its own`)
    known.set(octets, option)
  }
}

function privateKey(option: string, pem: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (cause) {
    throw new TypeError(`${option} holds no PEM key that can be read without a password`, { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError(`${option} is no Ed25519 key`)
  return key
}

function policy(option: string, text: string): LogPolicy {
  try {
    return readLogPolicy(text)
  } catch (cause) {
    throw new TypeError(`${option} is no policy: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** Every witness that is asked has an address. */
function reachable(policy: LogPolicy): LogPolicy {
  const { witnesses } = policy
  if (witnesses.length > MAX_WITNESSES) throw new TypeError(`log.witnesses names more than ${MAX_WITNESSES} witnesses`)
  for (const { name, url = '' } of witnesses) {
    if (name.length > MAX_NAME) throw new TypeError(`log.witnesses names a witness in more than ${MAX_NAME} characters`)
    const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    if (!isHttp) throw new TypeError(`log.witnesses gives the witness ${name} no http: or https: address`)
  }
  return policy
}

/** Origins that the database has room for. */
function named(policy: LogPolicy): LogPolicy {
  const long = policy.logs.find(({ key }) => key.name.length > MAX_NAME)
  if (long !== undefined) throw new TypeError(`log.witnessFor names a log in more than ${MAX_NAME} characters`)
  return policy
}
