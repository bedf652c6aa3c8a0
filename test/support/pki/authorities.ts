import { type Clock, systemClock } from '@signed-registry/core'
import {
  type CredentialStore,
  DevAuthorities,
  type DevAuthoritiesOptions,
  memoryCredentials,
} from '@signed-registry/dev-authorities'

/** The time of tests, unless they say otherwise. */
export const NOW = Date.UTC(2026, 5, 1, 12)
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  time: number
}

export const testClock = (time = NOW): TestClock => ({
  time,
  now() {
    return this.time
  },
})

// RSA keys take about 150 ms each: one set of CAs, TSA and responders serves every test of the process.
const shared = memoryCredentials()

/** Authorities at a fixed time; every call gives the same CAs, but people and revocations of its own. */
export const testAuthorities = (
  options: Omit<DevAuthoritiesOptions, 'credentials' | 'folder'> = {},
  credentials: CredentialStore = shared,
): DevAuthorities => DevAuthorities.create({ clock: testClock(), ...options, credentials })

/** Authorities at the present time, with the same CAs. */
export const presentAuthorities = (
  options: Omit<DevAuthoritiesOptions, 'credentials' | 'folder' | 'clock'> = {},
): DevAuthorities => testAuthorities({ ...options, clock: systemClock })

/** Authorities at the present time that nobody else has. */
export const foreignAuthorities = (): DevAuthorities => testAuthorities({ clock: systemClock }, memoryCredentials())
