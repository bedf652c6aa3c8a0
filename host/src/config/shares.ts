import { defaultShares, type GivenShares, isResource, type Resource, type Share } from '@signed-registry/core'
import { takes, type Variables } from './environment.js'

const UNITS = ['', 'K', 'M', 'G', 'T']
const ENTRY = /^\s*(\w+)\.(\w+)\s*=\s*(\d+)\s*([KMGT]?)\s*$/

const isOwner = (name: string): name is keyof Share => Object.hasOwn(defaultShares.memory, name)

/** Reads `SHARES`: `resource.owner=amount; …`, amounts in units of 1024. Adds a line to `wrong` for each malformed one. */
export function readShares({ SHARES: text = '' }: Variables, wrong: string[]): GivenShares {
  const given: { [R in Resource]?: Partial<Share> } = {}
  for (const entry of text.split(';').filter((one) => one.trim() !== '')) {
    const [, resource = '', owner = '', digits = '', unit = ''] = ENTRY.exec(entry) ?? []
    const amount = Number(digits) * 1024 ** UNITS.indexOf(unit)
    if (digits === '') wrong.push(takes('SHARES'))
    else if (!isResource(resource)) wrong.push(`SHARES: there are no shares of ${resource}`)
    else if (!isOwner(owner)) wrong.push(`SHARES: ${resource} has no share named ${owner}`)
    else if (!Number.isSafeInteger(amount)) wrong.push(`SHARES: ${resource}.${owner} is too large`)
    else given[resource] = { ...given[resource], [owner]: amount }
  }
  return given
}
