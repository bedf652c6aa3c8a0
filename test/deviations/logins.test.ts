import { SystemKeys } from '@signed-registry/core'

import { expect } from 'chai'
import { loginDeviations } from '#core/deviations/logins.js'
import { clientCertificate, renewed } from '../support/client-certificate.js'
import { BIN, registryWithoutAuthorities } from '../support/core-registry.js'
import type { OpenDatabase } from '../support/databases.js'
import { logIn } from '../support/login.js'
import { rejectionOf } from '../support/refusal.js'
import { testRegistry } from '../support/registry.js'
import { listPending } from '../support/systems.js'
import { deviate } from './deviate.js'

describe('deviations about logins', () => {
  deviate(loginDeviations, {
    loginBySigningCertificate: {
      ours: async (open) => {
        const { registry, authorities } = await testRegistry(await open())
        const { result } = await logIn(registry, authorities.person({ iin: '850101300012' }))
        expect(result.userId).to.equal('IIN850101300012')
        await registry.close()
      },
      asWritten: async (open) => {
        const { registry, authorities } = await testRegistry(await open(), { loginCertificates: 'authentication' })
        for (const signing of [authorities.person(), authorities.employee({ role: 'head' })]) {
          const { code, details } = await rejectionOf(logIn(registry, signing))
          expect([code, details?.reason]).to.deep.equal(['badSignerCertificate', 'extKeyUsage'])
        }
        const authentication = authorities.authenticationCertificate(authorities.person({ iin: '850101300012' }))
        expect((await logIn(registry, authentication)).result.userId).to.equal('IIN850101300012')
        await registry.close()
      },
    },

    pendingUntilProved: {
      ours: async (open) => {
        const system = clientCertificate()
        await withListed(open, [system], async (keys) => {
          expect((await rejectionOf(keys.identify(system.der))).code).to.equal('tlsCertificatePending')
          await keys.confirm(system.der, BIN)
          expect(await keys.identify(system.der)).to.include({ kind: 'system', bin: BIN })
        })
      },
      asWritten: async (open) => {
        const named = renewed(clientCertificate(), `/CN=system/OU=${BIN}`)
        await withListed(open, [named], async (keys) => {
          expect(await keys.identify(named.der)).to.include({ kind: 'system', bin: BIN })
        })
      },
    },
  })
})

async function withListed(
  open: OpenDatabase,
  certificates: Parameters<typeof listPending>[1],
  use: (keys: SystemKeys) => Promise<void>,
): Promise<void> {
  const registry = await registryWithoutAuthorities(await open())
  await listPending(registry, certificates)
  await use(registry.get(SystemKeys))
  await registry.close()
}
