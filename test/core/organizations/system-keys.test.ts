import { createHash, X509Certificate } from 'node:crypto'
import { SystemKeys } from '@signed-registry/core'

import {
  GetOrganizationSettings,
  SaveOrganizationSettings,
  type SaveOrganizationSettingsRequest,
} from '@signed-registry/core/organizations'
import { expect } from 'chai'
import { coreMigrations } from '#core/core-areas.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { organizationRights } from '#core/organizations/schema.js'
import { clientCertificate, renewed } from '../../support/client-certificate.js'
import { BIN, headCaller, registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachEmptyDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'

/** SHA-256 of the public key. */
const keyOf = (der: Buffer) =>
  createHash('sha256')
    .update(new X509Certificate(der).publicKey.export({ format: 'der', type: 'spki' }))
    .digest()

const organization = (tlsCertificates: readonly object[]) => ({
  bin: BIN,
  tls_certificates: JSON.stringify(tlsCertificates),
  controls: JSON.stringify(organizationRights(() => ({ authorities: [], tlsCertificatesIndices: [], iins: [] }))),
  webhooks: JSON.stringify({ urls: [], routingUrls: [] }),
  data_archive_enabled: false,
  data_archive_contact_email: '',
  subscription_contact_email: '',
  routing_contact_email: '',
  created_at: 1,
  modified_at: 1,
})

describe('keys of systems that an earlier version kept', () => {
  forEachEmptyDatabase((open) => {
    it('still act for the organization that listed them', async () => {
      const database = await open()
      const { der } = clientCertificate()
      const knex = openDatabase(database)
      await migrate(
        knex,
        coreMigrations.filter(({ name }) => name < '0041'),
      )
      await knex('registry_organizations').insert(organization([]))
      await knex('registry_tls_certificates').insert({
        key_digest: keyOf(der),
        bin: BIN,
        position: 3,
        disabled: false,
      })
      await knex.destroy()

      const registry = await registryWithoutAuthorities(database)
      expect(await registry.get(SystemKeys).identify(der)).to.include({ bin: BIN, certificateIndex: 3 })
      await registry.close()
    })

    it('still act by the key, which the settings show, until the organization changes that', async () => {
      const database = await open()
      const system = clientCertificate()
      const renewal = renewed(system)
      const knex = openDatabase(database)
      const before = coreMigrations.filter(({ name }) => name < '0145')
      await migrate(knex, before)
      const item = { description: '', body: system.pem, disabled: false, settings: {} }
      await knex('registry_organizations').insert(organization([item]))
      const kept = { key_digest: keyOf(system.der), bin: BIN, position: 0, disabled: false, proved_at: 0 }
      await knex('registry_system_keys').insert(kept)
      await knex.destroy()

      const registry = await registryWithoutAuthorities(database)
      const save = (request: SaveOrganizationSettingsRequest) =>
        registry.get(SaveOrganizationSettings).execute(headCaller(), { request })
      const shown = async () =>
        (await registry.get(GetOrganizationSettings).execute(headCaller())).tlsCertificatesList.map(
          ({ byKey }) => byKey,
        )
      const identify = (der: Uint8Array) => registry.get(SystemKeys).identify(der)
      expect(await shown()).to.deep.equal([true])
      expect(await identify(renewal.der)).to.include({ bin: BIN })
      // A client that does not know of it locks nobody out, and takes nobody in whom it lists anew.
      const second = clientCertificate()
      await save({ tlsCertificatesList: [item, { ...item, body: second.pem }] })
      expect(await shown()).to.deep.equal([true, false])
      expect(await identify(renewal.der)).to.include({ bin: BIN })
      await save({ tlsCertificatesList: [{ ...item, byKey: false }] })
      expect((await rejectionOf(identify(renewal.der))).code).to.equal('tlsCertificateNotListed')
      expect(await identify(system.der)).to.include({ bin: BIN })
      await registry.close()
    })
  })
})
