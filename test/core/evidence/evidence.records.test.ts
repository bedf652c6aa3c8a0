import { anonymous, definePlugin, provideValue } from '@signed-registry/core'
import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { CheckEvidence, GetDocumentEvidence } from '@signed-registry/core/evidence'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { verifyEvidence } from '@signed-registry/verifier'
import { writeDataObject } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import Type from 'typebox'
import { DocumentStore } from '#core/documents/document-store.js'
import { type RenewedProof, RenewedProofs } from '#core/documents/index.js'
import { SignatureStore } from '#core/documents/signature-store.js'
import { contentAt, unzipped, zipped } from '../../support/containers.js'
import { forEachDatabase } from '../../support/databases.js'
import { withRecords } from '../../support/evidence/with-records.js'
import { builtBytes, bundleOf } from '../../support/evidence-bundle.js'
import { DAY, MINUTE, NOW } from '../../support/pki/authorities.js'
import { begun, OIDS, YEAR } from '../../support/pki/records.js'
import { trustOf } from '../../support/pki/trust.js'
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
    beforeEach(() => {
      kept.clear()
      test.clock.time = NOW
    })

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

    /** What a registry would keep of a signature, with a record of its own. */
    async function renewed(id: string, signId: number): Promise<RenewedProof> {
      const { registry, authorities } = test
      const store = registry.get(SignatureStore)
      const stored = (await store.pageWithEvidence(id, 0, 10)).find((one) => one.signId === signId)
      if (stored === undefined) throw new Error('no signature')
      const { timeStamp, ocsp, crls } = await store.evidence(stored)
      const { storedAt, facts, signature } = stored
      const object = writeDataObject({
        ...{ documentId: id, signId, storedAt, signType: facts.signType, signature, timeStamp, ocsp, crls },
        digests: await registry.get(DocumentStore).digests(id),
        certificates: authorities.intermediates,
        ...{ proof: undefined, proofStamp: undefined },
      })
      const [record = Buffer.alloc(0)] = begun([object], { by: authorities, at: NOW + MINUTE })
      return { object, record, renewedAt: NOW + MINUTE }
    }
    const checked = (bytes: Uint8Array) =>
      test.registry.get(CheckEvidence).execute(anonymous, { upload: uploadOf(bytes) })

    it('prove signatures as they were received, to anybody and to a registry', async () => {
      const { id, signId } = await registered()
      const proof = await renewed(id, signId)
      kept.set(signId, proof)
      test.clock.time = NOW + DAY
      const bytes = zipped(await filesOf(id))
      const { evidence: found } = verifyEvidence(bytes, { trust: trustOf(test.authorities), at: test.clock.time })
      expect(found.problems).to.deep.equal([])
      expect(found.records.map(({ signId: own, state }) => [own, state])).to.deep.equal([[signId, 'proved']])
      const answer = await checked(bytes)
      expect(answer.problems).to.deep.equal([])
      expect(answer.records).to.deep.equal([
        {
          ...{ documentId: id, signId, state: 'proved', existedAt: NOW + MINUTE, holdsUntil: NOW + MINUTE + 3 * YEAR },
          chains: [{ digest: OIDS.sha512, stamps: [NOW + MINUTE] }],
        },
      ])
      const other = Buffer.from(proof.object)
      other.writeUInt8(other.readUInt8(200) ^ 1, 200)
      kept.set(signId, { ...proof, object: other })
      const changed = zipped(await filesOf(id))
      kept.set(signId, proof)
      const wrong = await checked(changed)
      expect([wrong.outcome, ...wrong.problems.map(({ code, file }) => `${code} ${file}`)]).to.deep.equal([
        ...['wrong', `recordWrong objects/${signId}`],
      ])
    })

    it('prove to a registry what is left open today, and nothing where what they cover has news', async () => {
      const { authorities } = test
      const plain = bundleOf(authorities, [
        { content: 'of another registry', signers: [authorities.person()], stampsEnd: NOW + 30 * DAY },
      ])
      test.clock.time = NOW + 100 * DAY
      const outcomes = async (bytes: Uint8Array) => {
        const { outcome, signatures } = await checked(bytes)
        return [outcome, ...signatures.map(({ conclusion }) => conclusion)]
      }
      expect(await outcomes(await builtBytes(plain))).to.deep.equal(['unknown', 'intact'])
      const bundle = withRecords(plain, authorities, { at: NOW + DAY })
      expect(await outcomes(await builtBytes(bundle))).to.deep.equal(['proved', 'validAt'])
      const late = withRecords(plain, authorities, { at: NOW + 40 * DAY })
      expect(await outcomes(await builtBytes(late))).to.deep.equal(['unknown', 'intact'])
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
