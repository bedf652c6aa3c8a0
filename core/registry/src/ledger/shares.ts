import { port } from '../kernel/port.js'

/** How much of a resource each kind of owner may use at a time; 0 for no limit. */
export interface Share {
  /** One network address without authentication. */
  readonly stranger: number
  /** All such addresses together; the rest is reserved for authenticated callers. */
  readonly strangers: number
  /** One person, or one employee for an organization. */
  readonly person: number
  /** All information systems of one organization. */
  readonly system: number
  /** Everybody together. */
  readonly whole: number
}

const share = (stranger: number, strangers: number, person: number, system: number, whole: number): Share => ({
  ...{ stranger, strangers, person, system, whole },
})
const MIB = 2 ** 20
const GIB = 2 ** 30

/** What callers use of one host while a request lasts. */
export const hostShares = {
  // Bytes of bodies and what is parsed from them; streams use none.
  memory: share(128 * MIB, 192 * MIB, 256 * MIB, 256 * MIB, 320 * MIB),
  // Bytes of strangers' large JSON, which is spooled to a file.
  spooledJson: share(64 * MIB, 2 * GIB, 0, 0, 0),
  // Uploads of originals and forms: two to eight MiB of memory each.
  uploads: share(16, 100, 32, 64, 160),
  // Downloads of originals and results: up to six MiB of memory each where clients read slowly.
  downloads: share(16, 40, 16, 32, 80),
  // Long polls.
  heldCalls: share(128, 2000, 128, 1000, 4000),
  // Cards and evidence bundles being made, read or compared.
  cards: share(1, 1, 1, 2, 2),
}

/** What callers store in the registry, across all its hosts. */
export const keptShares = {
  // Bytes of originals in temporary storage.
  temporaryStorage: share(256 * MIB, 4 * GIB, 16 * GIB, 64 * GIB, 256 * GIB),
  // Bytes of the data, results and originals of open procedures.
  procedureBytes: share(64 * MIB, GIB, GIB, 4 * GIB, 16 * GIB),
  // Open procedures of signing by phone. Authenticated callers never wait for strangers.
  procedures: share(100, 1000, 100, 0, 0),
  // Open logins by phone: nobody has authenticated yet.
  logins: share(20, 1000, 20, 0, 0),
}

export type HostResource = keyof typeof hostShares
export type KeptResource = keyof typeof keptShares
export const keptResources = ['temporaryStorage', 'procedureBytes'] as const satisfies KeptResource[]
export type Resource = HostResource | KeptResource

/** The share of each owner in each resource (docs/operations.md, "Shares"). */
export type ShareTable = Readonly<Record<Resource, Share>>
export const defaultShares: ShareTable = { ...hostShares, ...keptShares }

/** Shares that differ from the defaults. */
export type GivenShares = { readonly [R in Resource]?: Partial<Share> }

/** The shares in force. */
export const Shares = port<ShareTable>('Shares', 'defaulted')

/** True for the name of a resource. */
export const isResource = (name: string): name is Resource => Object.hasOwn(defaultShares, name)

/** The defaults with the given changes. Throws a `TypeError` for an unknown share or an invalid amount. */
export function sharesOf(given: GivenShares): ShareTable {
  const table = { ...defaultShares }
  for (const [resource, changes] of Object.entries(given)) {
    if (!isResource(resource)) throw new TypeError(`There are no shares of ${resource}`)
    for (const [owner, amount] of Object.entries(changes))
      if (!(owner in table[resource]) || !Number.isSafeInteger(amount) || amount < 0)
        throw new TypeError(`${resource}.${owner} is no share`)
    table[resource] = { ...table[resource], ...changes }
  }
  return table
}

/** What one of so many processes of a host has of the shares of that host, rounded up; what the registry keeps is not divided. */
export function partOfShares(given: GivenShares, parts: number): GivenShares {
  const all = sharesOf(given)
  const part = (amount: number) => Math.ceil(amount / parts)
  const divided: { [R in Resource]?: Partial<Share> } = { ...given }
  for (const resource of Object.keys(hostShares)) {
    if (!isResource(resource)) continue
    const { stranger, strangers, person, system, whole } = all[resource]
    divided[resource] = share(part(stranger), part(strangers), part(person), part(system), part(whole))
  }
  return divided
}
