import { anonymous, definePlugin, provideValue } from '@signed-registry/core'
import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { GetDocumentEvidence } from '@signed-registry/core/evidence'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { expect } from 'chai'
import Type from 'typebox'
import { type RenewedProof, RenewedProofs } from '#core/documents/index.js'
import { contentAt, unzipped } from '../../support/containers.js'
import { forEachDatabase } from '../../support/databases.js'
import { DAY, NOW } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

describe('evidence records in bundles', () => {
  forEachDatabase((open) => {
    const kept = new Map<number, RenewedProof>()
    const renewal = definePlugin({
      name: 'renewal-of-tests',
      options: Type.Object({}),
      parts: () => ({
        provides: [
          provideValue(RenewedProofs, {
            of: async (signIds) => new Map([...kept].filter(([signId]) => signIds.includes(signId))),
          }),
        ],
      }),
    })
    let test: TestRegistry
    before(async () => {
      const plugins = [evidenceAsic({}), renewal({})]
      test = await testRegistry(await open(), { statementKey: STATEMENT_KEY, plugins })
    })
    after(() => test.registry.close())
    beforeEach(() => kept.clear())

    async function registered() {
      const { registry, authorities } = test
      const bytes = Buffer.from(`A contract ${Math.random()}`)
      const [first = '', second = ''] = [1, 2].map(() => authorities.person().signCms(bytes).toString('base64'))
      const request = { title: 'Contract.txt', signature: first }
      const { documentId: id, signId = 0 } = await registry.get(RegisterDocument).execute(anonymous, { request })
      await registry.get(FixDigests).execute(anonymous, { id, query: {}, upload: uploadOf(bytes) })
      await registry.get(AddSignature).execute(anonymous, { id, request: { signature: second } })
      return { id, signId }
    }
    const evidence = (id: string) => test.registry.get(GetDocumentEvidence).execute(anonymous, { id })
    async function filesOf(id: string) {
      const chunks: Uint8Array[] = []
      for await (const chunk of (await evidence(id)).bytes()) chunks.push(chunk)
      return unzipped(Buffer.concat(chunks))
    }
    const said = (files: Awaited<ReturnType<typeof filesOf>>) => contentAt(files, 'evidence.json').toString()

    it('stand beside the signatures that have them, and change when the bundle last changed', async () => {
      const { id, signId } = await registered()
      const plain = await filesOf(id)
      expect(said(plain)).to.include('version=1.1"').and.not.include('"record"')
      kept.set(signId, { object: Buffer.from('object'), record: Buffer.from('record'), renewedAt: NOW + 900 * DAY })
      const files = await filesOf(id)
      const names = files.map(({ name }) => name)
      expect(names.filter((name) => name.startsWith('objects/'))).to.deep.equal([
        `objects/${signId}`,
        `objects/${signId}.ers`,
      ])
      expect(contentAt(files, `objects/${signId}`).toString()).to.equal('object')
      expect(contentAt(files, `objects/${signId}.ers`).toString()).to.equal('record')
      expect(said(files))
        .to.include('version=1.2"')
        .and.include(`"asOf": "${new Date(NOW + 900 * DAY).toISOString()}"`)
      kept.clear()
      expect(said(await filesOf(id))).to.equal(said(plain))
    })

    it('count to what a bundle may hold', async () => {
      const { id, signId } = await registered()
      const large = { object: Buffer.alloc(60 * 2 ** 20), record: Buffer.alloc(5 * 2 ** 20), renewedAt: NOW }
      kept.set(signId, large)
      const { code, details } = await rejectionOf(evidence(id))
      expect([code, details?.reason]).to.deep.equal(['evidenceNotBuilt', 'tooLarge'])
    })
  })
})
