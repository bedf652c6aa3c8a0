import { CallStatistics } from '@signed-registry/core'

import { GetExternalServicesStats } from '@signed-registry/core/status'
import { expect } from 'chai'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'

describe('statistics of external services', () => {
  forEachDatabase((open) => {
    it('include every call made before they are read', async () => {
      const registry = await registryWithoutAuthorities(await open())
      const url = 'http://ocsp.example.kz/'
      const statistics = registry.get(CallStatistics)
      for (let n = 0; n < 20; n++) statistics.record({ protocol: 'ocsp', url, ok: n < 19 })
      const stats = await registry.get(GetExternalServicesStats).execute()
      expect(stats.find((one) => one.url === url)).to.deep.equal({ protocol: 'ocsp', url, status: 'yellow' })
    })
  })
})
