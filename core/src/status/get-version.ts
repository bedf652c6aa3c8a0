import { readFileSync, statSync } from 'node:fs'
import { token } from '../kernel/token.js'
import type { Version } from './schema.js'

/** Who may run this installation, and until when; the registry itself is open and asks for no licence. */
export interface License {
  /** BIN of the organization that runs the registry. */
  readonly owner: string
  /** UTC date. */
  readonly until: string
}
export const License = token<License>('License')

export const openLicense: License = { owner: '', until: '9999-12-31' }

/** Answers the version of the service (specification, `GET /api/version`). */
export class GetVersion {
  static readonly inject = [License] as const
  readonly #version: Version

  constructor(license: License) {
    const { version }: { version: string } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    )
    const built = Math.floor(statSync(new URL(import.meta.url)).mtimeMs / 1000)
    this.#version = {
      version: `v${version}`,
      buildTimeStamp: String(built),
      licenseOwner: license.owner,
      licenseUntil: license.until,
    }
  }

  execute(): Version {
    return this.#version
  }
}
