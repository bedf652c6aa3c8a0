import { type Caller, SystemKeys } from '@signed-registry/core'

import { GetOrganizationSettingsAudit, SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { expect } from 'chai'
import { organizationDeviations } from '#core/deviations/organizations.js'
import { clientCertificate } from '../support/client-certificate.js'
import { BIN, headCaller, IIN, registryWithoutAuthorities } from '../support/core-registry.js'
import type { OpenDatabase } from '../support/databases.js'
import { deviate } from './deviate.js'

describe('deviations about organizations', () => {
  /** The events after settings were saved by the head and then by a system of the organization. */
  async function events(open: OpenDatabase) {
    const registry = await registryWithoutAuthorities(await open())
    const { pem, der } = clientCertificate()
    const save = (caller: Caller, request: object) =>
      registry.get(SaveOrganizationSettings).execute(caller, { request })
    const tlsCertificatesList = [{ body: pem }]
    await save(headCaller(), { tlsCertificatesList, organizationSettings: { tlsCertificatesIndices: [0] } })
    await save(await registry.get(SystemKeys).confirm(der, BIN), { routingContactEmail: 'a@example.kz' })
    const audit = await registry.get(GetOrganizationSettingsAudit).execute(headCaller())
    await registry.close()
    return audit.events
  }

  deviate(organizationDeviations, {
    noModifiedByOfSystems: {
      ours: async (open) => {
        const [, bySystem] = await events(open)
        expect(bySystem).to.include({ modifiedByBusinessId: BIN }).and.to.have.property('modifiedByDigest')
        expect(bySystem).to.not.have.property('modifiedBy')
      },
      asWritten: async (open) => {
        const [byHead] = await events(open)
        expect(byHead).to.include({ modifiedBy: IIN })
      },
    },
  })
})
