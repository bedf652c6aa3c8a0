import type { License } from '@signed-registry/core'

import { GetVersion } from '@signed-registry/core/status'
import { expect } from 'chai'
import { versionDeviations } from '#core/deviations/version.js'
import { registryWithoutAuthorities } from '../support/core-registry.js'
import { type OpenDatabase, openSqlite } from '../support/databases.js'
import { deviate } from './deviate.js'

describe('deviations about the version', () => {
  async function versionOf(open: OpenDatabase, license?: Partial<License>) {
    const registry = await registryWithoutAuthorities(await open(), license && { license })
    const version = registry.get(GetVersion).execute()
    await registry.close()
    return version
  }

  deviate(versionDeviations, {
    noLicenseOwner: {
      ours: async (open) => {
        expect(await versionOf(open)).to.include({ licenseOwner: '', licenseUntil: '9999-12-31' })
      },
      asWritten: async (open) => {
        const license = { owner: 'BIN123456789021', until: '2030-12-31' }
        expect(await versionOf(open, license)).to.include({ licenseOwner: license.owner, licenseUntil: license.until })
        expect(await versionOf(open, { owner: license.owner })).to.include({ licenseOwner: license.owner })
      },
    },
  })

  it('refuse an owner that is not a BIN, and an end that is not a date', async () => {
    for (const license of [{ owner: '' }, { owner: '123456789021' }, { until: 'never' }, { until: '2030-02-31' }]) {
      const failure = await versionOf(openSqlite, license).catch((error: unknown) => error)
      expect(failure, JSON.stringify(license)).to.be.instanceOf(TypeError)
    }
  })
})
