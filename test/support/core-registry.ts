import {
  createRegistry,
  type Employee,
  type Person,
  type Plugin,
  provideValue,
  type Registry,
  type RegistryOptions,
  StatusSource,
  type System,
  TimestampSource,
  TrustStore,
} from '@signed-registry/core'

import { recordingEvents } from './events.js'
import { NOW, testClock } from './pki/authorities.js'

const silent = () => Promise.reject(new Error('This registry has no authorities'))

/** A plugin for registries that verify no signatures: no trust anchors and no authorities. */
const noAuthorities = {
  name: 'no-authorities',
  provides: [
    provideValue(TrustStore, {
      trust: () => ({ anchors: [], intermediates: [] }),
      state: () => ({ loadedAt: NOW, anchors: 0 }),
    }),
    provideValue(TimestampSource, { url: 'http://tsa.invalid/', timestamp: silent }),
    provideValue(StatusSource, { urlFor: () => undefined, status: silent }),
  ],
}

/** A registry on this database that verifies no signatures, with a stopped clock. */
export const registryWithoutAuthorities = (
  database: RegistryOptions['database'],
  options: Partial<RegistryOptions> = {},
  plugins: readonly Plugin[] = [],
): Promise<Registry> =>
  recordingEvents((recorder) =>
    createRegistry({ clock: testClock(), ...options, database, plugins: [noAuthorities, recorder, ...plugins] }),
  )

/** The first head's role. */
export const FIRST_HEAD = '1.2.398.3.3.4.1.2.1'

export const IIN = 'IIN123456789011'
export const BIN = 'BIN123456789021'

export const personCaller = (iin = IIN): Person => ({ kind: 'person', iin })

export const employeeCaller = (facts: Partial<Employee> = {}): Employee => ({
  kind: 'employee',
  iin: IIN,
  bin: BIN,
  authorities: [],
  ...facts,
})

export const headCaller = (facts: Partial<Employee> = {}): Employee =>
  employeeCaller({ authorities: [FIRST_HEAD], ...facts })

export const systemCaller = (facts: Partial<System> = {}): System => ({
  kind: 'system',
  bin: BIN,
  certificateIndex: 0,
  certificate: '',
  certificateDigest: 'ab'.repeat(32),
  ...facts,
})
