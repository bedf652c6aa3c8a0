import { port } from '../kernel/port.js'

/** How much of something its owners may take at a time; 0 for no limit. */
export interface Share {
  /** One address, as long as nobody has said who calls there. */
  readonly stranger: number
  /** All such addresses together. What is left of the whole is for callers who are known. */
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

/** What callers take of one host, for as long as a request lasts. */
export const hostShares = {
  // Bytes: bodies, and what is made of them. Streams take none.
  memory: share(128 * MIB, 192 * MIB, 256 * MIB, 256 * MIB, 320 * MIB),
  // Bytes of large JSON of strangers, on their way into a file.
  spooledJson: share(64 * MIB, 2 * GIB, 0, 0, 0),
  // Originals and forms that are on their way in: two to eight MiB of memory each.
  uploads: share(16, 100, 32, 64, 160),
  // Originals and results on their way out: up to six MiB of memory each where clients read slowly.
  downloads: share(16, 40, 16, 32, 80),
  // Calls that are held until something happens.
  heldCalls: share(128, 2000, 128, 1000, 4000),
  // Cards that are drawn, read or compared.
  cards: share(1, 1, 1, 2, 2),
}

/** What callers leave with the registry, on all its hosts together. */
export const keptShares = {
  // Bytes of originals in temporary storage.
  temporaryStorage: share(256 * MIB, 4 * GIB, 16 * GIB, 64 * GIB, 256 * GIB),
  // Bytes of the data, results and originals of procedures that are open.
  procedureBytes: share(64 * MIB, GIB, GIB, 4 * GIB, 16 * GIB),
  // Procedures of signing by phone that are open. Who is known never waits for strangers.
  procedures: share(100, 1000, 100, 0, 0),
  // Logins by phone that are open: nobody is known yet who begins one.
  logins: share(20, 1000, 20, 0, 0),
}

export type HostResource = keyof typeof hostShares
export type KeptResource = keyof typeof keptShares
export const keptResources = ['temporaryStorage', 'procedureBytes'] as const satisfies KeptResource[]
export type Resource = HostResource | KeptResource

/** How much of everything its owners may take: the table of shares (docs/operations.md, "Shares"). */
export type ShareTable = Readonly<Record<Resource, Share>>
export const defaultShares: ShareTable = { ...hostShares, ...keptShares }

/** Shares that differ from the defaults. */
export type GivenShares = { readonly [R in Resource]?: Partial<Share> }

/** The shares in force. */
export const Shares = port<ShareTable>('Shares', 'defaulted')

/** True for what there are shares of. */
export const isResource = (name: string): name is Resource => Object.hasOwn(defaultShares, name)

/** The defaults, but for what is given. Throws a `TypeError` for what is no share. */
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
