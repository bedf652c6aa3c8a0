import { anonymous } from '@signed-registry/core'

import { ExportSignature, FindExportedSignature, RegisterDocument } from '@signed-registry/core/documents'
import { exportCms, readCms } from '@signed-registry/core/signatures'
import { expect } from 'chai'
import { evidenceDeviations } from '#core/deviations/evidence.js'
import { rejectionOf } from '../support/refusal.js'
import { type TestRegistry, testRegistry } from '../support/registry.js'
import { deviate } from './deviate.js'

describe('deviations about evidence', () => {
  const sign = ({ authorities }: TestRegistry) =>
    authorities.person().signCms(Buffer.from('contract'), { timeStamp: true, ocsp: true })
  const evidenceOf = (cms: Uint8Array) => {
    const { timeStamp, ocsp } = readCms(cms)
    return { timeStamp: Buffer.from(timeStamp?.token ?? []), ocsp: Buffer.from(ocsp ?? []) }
  }
  const register = ({ registry }: TestRegistry, cms: Buffer) =>
    registry.get(RegisterDocument).execute(anonymous, { request: { signature: cms.toString('base64') } })

  deviate(evidenceDeviations, {
    carriedEvidence: {
      ours: async (open) => {
        const test = await testRegistry(await open())
        const cms = sign(test)
        const { documentId: id, signId = 0 } = await register(test, cms)
        const { signature } = await test.registry.get(ExportSignature).execute(anonymous, { id, signId })
        expect(evidenceOf(Buffer.from(signature, 'base64'))).to.deep.equal(evidenceOf(cms))
        await test.registry.close()
      },
      asWritten: async (open) => {
        const test = await testRegistry(await open())
        const cms = test.authorities.person().signCms(Buffer.from('contract'))
        const { documentId, signId } = await register(test, cms)
        const find = (signature: Uint8Array) => {
          const request = { signature: Buffer.from(signature).toString('base64') }
          return test.registry.get(FindExportedSignature).execute(anonymous, { request })
        }
        expect(await find(cms)).to.deep.equal({ documentId, signId })
        const others = sign(test)
        await register(test, others)
        const forged = exportCms(cms, evidenceOf(others))
        expect((await rejectionOf(find(forged))).details?.reason).to.equal('timeStampDiffers')
        await test.registry.close()
      },
    },
  })
})
