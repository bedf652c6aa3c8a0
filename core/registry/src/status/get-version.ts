import { existsSync, readFileSync, statSync } from 'node:fs'
import { anyone } from '../identity/index.js'
import { operation } from '../kernel/operation.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { Version } from './schema.js'

/** Who runs this installation, and until when; informative, since the registry is open source. */
export interface License {
  /** BIN of the organization that runs the registry; empty where none is named. */
  readonly owner: string
  /** UTC date, such as `2030-12-31`. */
  readonly until: string
}
export const License = port<License>('License', 'defaulted')

const openLicense: License = { owner: '', until: '9999-12-31' }

/** Fills in defaults; throws a `TypeError` for an invalid BIN or date. */
export function licenseOf(given: Partial<License> = {}): License {
  const license = { ...openLicense, ...given }
  if (given.owner !== undefined && !/^BIN\d{12}$/.test(given.owner)) throw new TypeError('license.owner is no BIN')
  if (!isDate(license.until)) throw new TypeError('license.until is no date such as 2030-12-31')
  return license
}

function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${text}T`)
}

/** Answers the version of the service (specification, `GET /api/version`). */
export class GetVersion {
  static readonly operation = operation({
    id: 'getVersion',
    group: 'utility',
    at: 'GET /version',
    who: anyone(),
    summary: 'Version of the service',
    answer: Version,
  })
  static readonly inject = { license: License }
  private readonly version: Version

  constructor({ license }: Injected<typeof GetVersion.inject>) {
    const { version }: { version: string } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    )
    this.version = {
      version: `v${version}`,
      buildTimeStamp: String(builtAt()),
      licenseOwner: license.owner,
      licenseUntil: license.until,
    }
  }

  execute(): Version {
    return this.version
  }
}

/** Build time in seconds, written by `npm run build`; without that, the time of the compiled file. */
function builtAt(): number {
  const stamp = new URL('../build.json', import.meta.url)
  if (!existsSync(stamp)) return Math.floor(statSync(new URL(import.meta.url)).mtimeMs / 1000)
  const { builtAt }: { builtAt: number } = JSON.parse(readFileSync(stamp, 'utf8'))
  return builtAt
}
