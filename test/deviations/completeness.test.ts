import { anonymous } from '@signed-registry/core'
import { FixDigests } from '@signed-registry/core/documents'
import { GetPackage, RegisterPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { completenessDeviations } from '#core/deviations/completeness.js'
import { ForgetPackages } from '#core/packages/forget-packages.js'
import { registryWithoutAuthorities } from '../support/core-registry.js'
import type { OpenDatabase } from '../support/databases.js'
import { UNTITLED } from '../support/packages.js'
import { testClock } from '../support/pki/authorities.js'
import { rejectionOf } from '../support/refusal.js'
import { uploadOf } from '../support/registry.js'
import { deviate } from './deviate.js'

const RETENTION = 30 * 24 * 60 * 60_000

describe('deviations about completeness', () => {
  /** A package that waited for its original for 30 days, and then gets it. */
  const late = async (open: OpenDatabase, limits: { incompleteRetentionMs?: number } = {}) => {
    const clock = testClock()
    const registry = await registryWithoutAuthorities(await open(), { clock, limits })
    const request = { ...UNTITLED, documents: [UNTITLED] }
    const { packageId, documentsIds, dataSecret } = await registry.get(RegisterPackage).execute(anonymous, { request })
    clock.time += RETENTION
    await registry.get(ForgetPackages).run()
    const found = registry.get(GetPackage).execute(anonymous, { packageId })
    const fix = () =>
      registry.get(FixDigests).execute(anonymous, {
        id: documentsIds[0] ?? '',
        upload: uploadOf(Buffer.from('late')),
        query: { ...(dataSecret && { dataSecret }) },
      })
    return { registry, found, fix }
  }

  deviate(completenessDeviations, {
    forgottenIncomplete: {
      ours: async (open) => {
        const { registry, found } = await late(open)
        expect((await rejectionOf(found)).code).to.equal('packageNotFound')
        await registry.close()
      },
      asWritten: async (open) => {
        const { registry, found, fix } = await late(open, { incompleteRetentionMs: 0 })
        expect((await found).documentsIds).to.have.length(1)
        expect(await fix()).to.include({ signedDataSize: 4 })
        await registry.close()
      },
    },
  })
})
