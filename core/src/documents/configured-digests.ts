import { token } from '../kernel/token.js'

/** OIDs of the digest algorithms that every original is hashed with, beside those of its signatures. */
export type ConfiguredDigests = readonly string[]
export const ConfiguredDigests = token<ConfiguredDigests>('ConfiguredDigests')
