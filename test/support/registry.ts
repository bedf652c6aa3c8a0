import { createRegistry, type Registry, type RegistryOptions, type Upload } from '@signed-registry/core'

import { type DevAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import { recordingEvents } from './events.js'
import { type TestClock, testAuthorities, testClock } from './pki/authorities.js'

/** A registry on its own database, with development authorities and a clock that stands until it is moved. */
export interface TestRegistry {
  readonly registry: Registry
  readonly authorities: DevAuthorities
  readonly clock: TestClock
  /** Its address, or the Knex instance that was given. */
  readonly database: RegistryOptions['database']
}

/** Opens a registry on a database as `forEachDatabase` makes them. */
export async function testRegistry(
  database: RegistryOptions['database'],
  options: Partial<Omit<RegistryOptions, 'database' | 'clock'>> & {
    clock?: TestClock
    authorities?: DevAuthorities
  } = {},
): Promise<TestRegistry> {
  const { clock = testClock(), authorities = testAuthorities({ clock }), plugins = [], ...rest } = options
  const registry = await recordingEvents((recorder) =>
    createRegistry({ ...rest, database, clock, plugins: [devAuthorities({ authorities }), recorder, ...plugins] }),
  )
  return { registry, authorities, clock, database }
}

/** An original on its way in, in chunks of a few bytes. */
export function uploadOf(bytes: Uint8Array, size = bytes.length): Upload {
  async function* stream() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
  return { size, stream: stream() }
}
