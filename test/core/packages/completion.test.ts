import { CompletionListener, PackageCompletionListener, type Plugin, provideValue } from '@signed-registry/core'

import { FixDigests } from '@signed-registry/core/documents'
import { RegisterPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { UNTITLED } from '../../support/packages.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const original = Buffer.from('original')

/** Takes down what completed; refuses once when told to. */
class Heard {
  readonly documents: string[] = []
  readonly packages: string[] = []
  failing = false
  readonly plugin: Plugin = {
    name: 'heard',
    provides: [
      provideValue(CompletionListener, {
        documentCompleted: async ({ id, digestsFixedAt }) => {
          if (this.failing) throw new Error('cannot deliver')
          if (digestsFixedAt !== undefined) this.documents.push(id)
          return undefined
        },
      }),
      provideValue(PackageCompletionListener, {
        packageCompleted: async ({ id }) => {
          this.packages.push(id)
          return { outgoingId: `out-${id}` }
        },
      }),
    ],
  }
}

describe('completion of a package', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let heard: Heard
    beforeEach(async () => {
      heard = new Heard()
      test = await testRegistry(await open(), { plugins: [heard.plugin] })
    })
    afterEach(() => test.registry.close())

    const register = (count: number) =>
      test.registry
        .get(RegisterPackage)
        .execute(personCaller(), { request: { ...UNTITLED, documents: Array(count).fill(UNTITLED) } })
    const fix = (documentId: string) =>
      test.registry.get(FixDigests).execute(personCaller(), { id: documentId, upload: uploadOf(original) })

    it('happens with the last document, whose answer alone has the outgoingId', async () => {
      const { packageId, documentsIds } = await register(3)
      const answers = []
      for (const id of documentsIds) answers.push(await fix(id))
      expect(heard.documents).to.deep.equal(documentsIds)
      expect(heard.packages).to.deep.equal([packageId])
      expect(answers.map(({ outgoingId }) => outgoingId)).to.deep.equal([undefined, undefined, `out-${packageId}`])
    })

    it('happens once, however the documents race', async () => {
      const { packageId, documentsIds } = await register(6)
      const answers = await Promise.all(documentsIds.map(fix))
      expect(answers.filter(({ outgoingId }) => outgoingId === `out-${packageId}`).length).to.equal(1)
    })

    it('is rolled back when a listener fails', async () => {
      const [documentId = ''] = (await register(1)).documentsIds
      heard.failing = true
      const outcome = await fix(documentId).catch((error: Error) => error.message)
      expect(outcome).to.equal('cannot deliver')
      heard.failing = false
      await fix(documentId)
      expect(heard.packages.length).to.be.greaterThan(0)
    })
  })
})
