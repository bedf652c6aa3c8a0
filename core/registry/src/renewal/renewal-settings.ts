import { digestAlgorithm } from '@signed-registry/verifier'
import { port } from '../kernel/port.js'
import type { TimestampSource } from '../signatures/index.js'

const DAY_MS = 24 * 60 * 60_000
const SHA_512 = '2.16.840.1.101.3.4.2.3'
const MAX_MEMBERS = 100_000

/** What `createRegistry` takes for the renewal of its evidence (docs/long-term.md). */
export interface RenewalOptions {
  /** `false`: nothing is renewed, and evidence ends with the authorities that it depends on. */
  readonly isOn?: boolean
  /** Days before an end at which what depends on it is renewed; 90 unless given. */
  readonly leadDays?: number
  /** Signatures under one time stamp, at most 100,000, which is the default. */
  readonly batchSize?: number
  /** OIDs of digests for trees, the preferred one first: the first that is trusted is used. SHA-512, then SHA3-512 unless given. */
  readonly digests?: readonly string[]
  /** Authority for the time stamps over trees; that of signatures unless given. */
  readonly timestamps?: TimestampSource
}

/** How evidence is renewed, validated. */
export interface RenewalSettings {
  readonly isOn: boolean
  readonly leadMs: number
  readonly batchSize: number
  readonly digests: readonly string[]
  readonly timestamps?: TimestampSource
}
export const RenewalSettings = port<RenewalSettings>('RenewalSettings', 'defaulted')

/** Validates options; throws a `TypeError` that names the wrong one. */
export function renewalSettingsOf(given: 'off' | RenewalOptions): RenewalSettings {
  const {
    isOn = true,
    leadDays = 90,
    batchSize = MAX_MEMBERS,
    digests = [SHA_512, SHA3_512],
    timestamps,
  } = given === 'off' ? { isOn: false } : given
  if (!(leadDays > 0 && leadDays <= 3650)) throw new TypeError(`renewal.leadDays takes 1 to 3650, not ${leadDays}`)
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > MAX_MEMBERS)
    throw new TypeError(`renewal.batchSize takes 1 to ${MAX_MEMBERS}, not ${batchSize}`)
  if (digests.length === 0) throw new TypeError('renewal.digests names no digest')
  for (const oid of digests)
    if (digestAlgorithm(oid).length > LONGEST_HASH) throw new TypeError(`renewal.digests: ${oid} is too long`)
  return { isOn, leadMs: leadDays * DAY_MS, batchSize, digests, ...(timestamps !== undefined && { timestamps }) }
}

const SHA3_512 = '2.16.840.1.101.3.4.2.10'
/** Bytes of a hash that a row has room for. */
const LONGEST_HASH = 64
