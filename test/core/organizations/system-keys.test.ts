import { createHash, X509Certificate } from 'node:crypto'
import { SystemKeys } from '@signed-registry/core'
import { expect } from 'chai'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { coreMigrations } from '#core/registry.js'
import { clientCertificate } from '../../support/client-certificate.js'
import { BIN, registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachEmptyDatabase } from '../../support/databases.js'

describe('keys of systems that an earlier version kept', () => {
  forEachEmptyDatabase((open) => {
    it('go on acting for the organization that listed them', async () => {
      const database = await open()
      const { der } = clientCertificate()
      const spki = new X509Certificate(der).publicKey.export({ format: 'der', type: 'spki' })
      const knex = openDatabase(database)
      await migrate(
        knex,
        coreMigrations.filter(({ name }) => name < '0041'),
      )
      const text = Object.fromEntries(
        ['data_archive_contact_email', 'subscription_contact_email', 'routing_contact_email'].map((name) => [name, '']),
      )
      const json = { tls_certificates: '[]', controls: '{}', webhooks: '{}' }
      const times = { created_at: 1, modified_at: 1 }
      await knex('registry_organizations').insert({ bin: BIN, ...json, ...text, ...times, data_archive_enabled: false })
      await knex('registry_tls_certificates').insert({
        key_digest: createHash('sha256').update(spki).digest(),
        bin: BIN,
        position: 3,
        disabled: false,
      })
      await knex.destroy()

      const registry = await registryWithoutAuthorities(database)
      expect(await registry.get(SystemKeys).identify(der)).to.include({ bin: BIN, certificateIndex: 3 })
      await registry.close()
    })
  })
})
