import { anonymous, createRegistry, type Registry } from '@signed-registry/core'

import { FixDigests, RegisterDocument, VerifyDocument } from '@signed-registry/core/documents'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { uploadOf } from '../../support/registry.js'

describe('documents that are signed by keys of', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  let registry: Registry
  before(async () => {
    registry = await createRegistry({ database: 'sqlite::memory:', clock, plugins: [devAuthorities({ authorities })] })
  })
  after(() => registry.close())

  for (const algorithm of ['ed25519', 'ed448', 'brainpool256', 'brainpool384', 'brainpool512'] as const)
    it(`${algorithm} are registered, and verified by their original`, async () => {
      const original = Buffer.from(`a contract signed by ${algorithm}`)
      const signature = authorities.person({ algorithm }).signCms(original).toString('base64')
      const { documentId: id } = await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      const other = registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(Buffer.from('another')) })
      expect((await rejectionOf(other)).code).to.be.a('string')
      await registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
      await registry.get(VerifyDocument).execute(anonymous, { id, upload: uploadOf(original) })
    })
})
