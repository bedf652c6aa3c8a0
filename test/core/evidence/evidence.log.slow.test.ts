import { anonymous, Database, type Registry } from '@signed-registry/core'
import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import {
  CheckEvidence,
  GetDocumentEvidence,
  GetPackageEvidence,
  GetSignatureInclusion,
  ParseEvidence,
} from '@signed-registry/core/evidence'
import { GetLog } from '@signed-registry/core/log'
import { RegisterPackage } from '@signed-registry/core/packages'
import { MakeReport } from '@signed-registry/core/reports'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { type EvidenceVerdict, verifyEvidence, verifyTimeStamp } from '@signed-registry/verifier'
import { readLogPolicy, readLogProof, verifyLogProof } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { SignatureStore } from '#core/documents/signature-store.js'
import { LogWorker } from '#core/log/log-worker.js'
import { GetStatementKey, Statements } from '#core/reports/index.js'
import { contentAt, mended, unzipped, withContent, zipped } from '../../support/containers.js'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { LOG_KEY } from '../../support/log-key.js'
import { MINUTE } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

describe('what the log proves of signatures', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let off: TestRegistry
    before(async () => {
      const options = { statementKey: STATEMENT_KEY, plugins: [evidenceAsic({})] }
      test = await testRegistry(await open(), { ...options, log: { key: LOG_KEY } })
      off = await testRegistry(await open(), { ...options, log: 'off' })
    })
    after(() => Promise.all([test.registry.close(), off.registry.close()]))

    /** Integrates, publishes and, after an hour, stamps. */
    const integrate = () => test.registry.get(LogWorker).run()
    const stamp = async () => {
      await integrate()
      test.clock.time += 60 * MINUTE
      await integrate()
    }
    async function registered({ registry, authorities }: TestRegistry = test, signers = [authorities.person()]) {
      const bytes = Buffer.from(`A contract ${Math.random()}`)
      const [first, ...others] = signers.map((one) => one.signCms(bytes).toString('base64'))
      const request = { title: 'Contract.txt', signature: first ?? '' }
      const { documentId: id, signId = 0 } = await registry.get(RegisterDocument).execute(anonymous, { request })
      await registry.get(FixDigests).execute(anonymous, { id, query: {}, upload: uploadOf(bytes) })
      for (const signature of others)
        await registry.get(AddSignature).execute(anonymous, { id, request: { signature } })
      return { id, signId, bytes }
    }
    const inclusion = (document: { id: string; signId: number }, { registry }: TestRegistry = test) =>
      registry.get(GetSignatureInclusion).execute(anonymous, document)
    async function bytesOf({ bytes }: { bytes(): AsyncIterable<Uint8Array> }): Promise<Buffer> {
      const chunks: Uint8Array[] = []
      for await (const chunk of bytes()) chunks.push(chunk)
      return Buffer.concat(chunks)
    }
    const bundleOf = async (id: string, registry: Registry = test.registry) =>
      bytesOf(await registry.get(GetDocumentEvidence).execute(anonymous, { id }))
    const judged = (bundle: Uint8Array, bytes: Buffer): EvidenceVerdict => {
      const documents = [
        {
          name: 'Contract.txt',
          document: { size: bytes.length, read: (from: number, to: number) => bytes.subarray(from, to) },
        },
      ]
      return verifyEvidence(bundle, { trust: trustOf(test.authorities), at: test.clock.time, documents })
    }
    const states = ({ evidence }: EvidenceVerdict) => evidence.log.map(({ state }) => state)

    describe('in an answer', () => {
      it('is off where the registry keeps no log', async () => {
        const document = await registered(off)
        const { id: documentId, signId } = document
        expect(await inclusion(document, off)).to.deep.equal({ documentId, signId, state: 'off' })
      })

      it('waits for a checkpoint, then for its stamp, and has the proof', async () => {
        const document = await registered()
        expect((await inclusion(document)).state).to.equal('pending')
        await stamp()
        const found = await inclusion(document)
        const { verifierKey = '', address } = await test.registry.get(GetLog).execute()
        expect(found).to.include({ state: 'logged', verifierKey, address })
        const { checkpoint } = readLogProof(found.proof ?? '')
        const token = Buffer.from(found.stamp ?? '', 'base64')
        const { genTime } = verifyTimeStamp(token, Buffer.from(checkpoint), {
          trust: trustOf(test.authorities),
          now: test.clock.time,
        })
        expect(found.loggedBefore).to.equal(genTime)
        const proved = verifyLogProof(found.proof ?? '', { logKeys: [verifierKey] })
        expect(proved).to.include({ kind: 'signature', index: found.index, size: found.size, trust: 'notEstablished' })
        expect(proved.fields.get('signId')).to.equal(`${document.signId}`)
        const policy = readLogPolicy(`log ${verifierKey}\nquorum none\n`)
        expect(verifyLogProof(found.proof ?? '', { policy })).to.include({ trust: 'established' })
      })

      it('has the later of the times of its own stamp and answer, which it was logged after', async () => {
        const document = await registered()
        await stamp()
        const { facts } = await test.registry.get(SignatureStore).get(document.id, document.signId)
        const loggedAfter = Math.max(facts.tsp?.timeStamp ?? 0, facts.ocsp?.producedAt ?? 0)
        expect(await inclusion(document)).to.include({ state: 'logged', loggedAfter })
      })

      it('says that the database is not what was logged', async () => {
        const document = await registered()
        await integrate()
        const { query } = test.registry.get(Database)
        await query('registry_signatures').where({ sign_id: document.signId }).increment('stored_at', 1)
        const { id: documentId, signId } = document
        expect(await inclusion(document)).to.deep.equal({ documentId, signId, state: 'changed' })
      })

      it('refuses the number of a signature of another document', async () => {
        const [one, other] = [await registered(), await registered()]
        const asked = inclusion({ id: one.id, signId: other.signId })
        expect((await rejectionOf(asked)).code).to.equal('invalidSignatureIdentifier')
      })
    })

    describe('in a report of the registry', () => {
      const reported = async (signature: Buffer) => {
        const request = {
          signatures: [{ name: 'contract.p7s', signature: signature.toString('base64') }],
          documents: [],
        }
        return test.registry.get(MakeReport).execute(anonymous, { request: { ...request, language: 'en' } })
      }
      it('is told of a registered signature, and nothing of any other', async () => {
        const bytes = Buffer.from('A contract to report on')
        const signature = test.authorities.person().signCms(bytes)
        const unknown = await reported(signature)
        expect(unknown.html).to.not.include('Transparency log')
        const request = { signature: signature.toString('base64') }
        const { documentId, signId = 0 } = await test.registry.get(RegisterDocument).execute(anonymous, { request })
        expect((await reported(signature)).html).to.include('it is not in the transparency log yet')
        await stamp()
        const { html, json, xml } = await reported(signature)
        expect(html).to.include('<h2>Transparency log</h2>').and.include('Logged before')
        const [entry] = JSON.parse(json).log
        expect(entry).to.deep.include({ documentId, signId, signature: 'contract.p7s', state: 'logged' })
        expect(xml).to.match(/#logTrust<\/vr:Type><vr:Value>notEstablished policyMissing</)
      })
    })

    describe('in a bundle', () => {
      it('is proved with every signature, as it was received, and with the hashes', async () => {
        const { authorities } = test
        const signers = [authorities.person(), authorities.person({ algorithm: 'rsa2048' })]
        await stamp()
        const { id, bytes } = await registered(test, signers)
        await stamp()
        const bundle = await bundleOf(id)
        const verdict = judged(bundle, bytes)
        expect(verdict.evidence.problems).to.deep.equal([])
        expect(verdict.outcome).to.equal('proved')
        expect(states(verdict)).to.deep.equal(['logged', 'logged', 'logged'])
        for (const one of verdict.evidence.log)
          if (one.state === 'logged') {
            expect([one.loggedBefore.state, one.isOutside]).to.deep.equal(['proved', false])
            expect(one.loggedAfter !== undefined).to.equal(one.signId !== undefined)
            expect(one.trust).to.equal('notEstablished')
          }
        expect(verdict.evidence.proofsOfExistence.map(({ kind }) => kind)).to.have.members([
          ...Array(2).fill('timeStamp'),
          ...Array(3).fill('logCheckpoint'),
        ])
        const checked = await test.registry.get(CheckEvidence).execute(anonymous, { upload: uploadOf(bundle) })
        expect(checked.log.map(({ state, trust }) => [state, trust])).to.deep.equal(
          Array(3).fill(['logged', 'notEstablished']),
        )
        expect(checked.log[1]).to.include.keys('loggedBefore', 'loggedAfter')
        const said = contentAt(unzipped(bundle), 'report.en.html').toString()
        expect(said).to.include('in the transparency log').and.include('no policy was given').and.not.include('WRONG')
        expect(contentAt(unzipped(bundle), 'report.xml').toString()).to.match(/loggedBefore<.*loggedBefore</s)
        await registered()
        await stamp()
        expect((await bundleOf(id)).equals(bundle), 'the same state gives the same bytes').to.equal(true)
      })

      it('is wrong for whoever checks the bundle or takes it in, where it is of another signature', async () => {
        const { registry, authorities } = test
        const { id, signId } = await registered(test, [authorities.person(), authorities.person()])
        await stamp()
        const files = unzipped(await bundleOf(id))
        const [own, other] = [`proofs/${signId}.tlog-proof`, `proofs/${signId + 1}.tlog-proof`]
        const sign = (text: string) => registry.get(Statements).signOrRefuse(text)
        const { verifierKey } = registry.get(GetStatementKey).execute()
        const by = { statementKey: verifierKey, sign }
        const bytes = zipped(mended(withContent(files, own, contentAt(files, other)), by))
        const checked = await registry.get(CheckEvidence).execute(anonymous, { upload: uploadOf(bytes) })
        expect(checked.problems).to.deep.include({ code: 'logProofWrong', file: own })
        expect(checked.outcome).to.equal('wrong')
        expect(checked.signatures.map(({ indication }) => indication)).to.not.include('TOTAL-FAILED')
        const taken = registry.get(ParseEvidence).execute(anonymous, { upload: uploadOf(bytes) })
        expect((await rejectionOf(taken)).code).to.equal('evidenceNotProved')
      })

      it('leaves nothing proved, in reports neither, where the registry has something else than it logged', async () => {
        const { registry, authorities } = test
        const bytes = Buffer.from('A contract that is dated back')
        const cms = authorities.person().signCms(bytes)
        const signature = cms.toString('base64')
        const registering = registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
        const { documentId: id, signId = 0 } = await registering
        await registry.get(FixDigests).execute(anonymous, { id, query: {}, upload: uploadOf(bytes) })
        await stamp()
        const { query } = registry.get(Database)
        await query('registry_signatures').where({ sign_id: signId }).increment('stored_at', 1)
        const signatures = [{ name: 'contract.p7s', signature }]
        const request = { signatures, documents: [], language: 'en' as const }
        const report = await registry.get(MakeReport).execute(anonymous, { request })
        const { outcome, indication, log } = JSON.parse(report.json)
        const found = [report.outcome, outcome, indication, log[0].state]
        expect(found).to.deep.equal(['unknown', 'unknown', 'INDETERMINATE', 'changed'])
        const bundle = await bundleOf(id)
        expect(judged(bundle, bytes).outcome).to.equal('unknown')
        expect(contentAt(unzipped(bundle), 'report.en.html').toString()).to.include('class="outcome unknown"')
        const checked = await registry.get(CheckEvidence).execute(anonymous, { upload: uploadOf(bundle) })
        expect(checked.problems).to.deep.equal([{ code: 'logChanged', file: `cms/${signId}.p7s` }])
        const taken = registry.get(ParseEvidence).execute(anonymous, { upload: uploadOf(bundle) })
        expect((await rejectionOf(taken)).code).to.equal('evidenceNotProved')
      })

      it('is of every document of a package', async () => {
        const { registry, authorities } = test
        const documents = ['one', 'two'].map((title) => ({ title: `${title}.txt`, description: '' }))
        const request = { title: 'All', description: '', documents }
        const { packageId, documentsIds } = await registry.get(RegisterPackage).execute(personCaller(), { request })
        for (const id of documentsIds) {
          const content = Buffer.from(`${id} of a package`)
          await registry.get(FixDigests).execute(personCaller(), { id, query: {}, upload: uploadOf(content) })
          const signature = authorities.person().signCms(content).toString('base64')
          await registry.get(AddSignature).execute(personCaller(), { id, request: { signature } })
        }
        await stamp()
        const made = await bytesOf(await registry.get(GetPackageEvidence).execute(personCaller(), { packageId }))
        const verdict = judged(made, Buffer.from('none of them'))
        expect(verdict.evidence.problems).to.deep.equal([])
        expect(states(verdict)).to.deep.equal(['logged', 'logged', 'logged', 'logged'])
      })

      it('is said to wait, to have changed, or not to be kept, and the bundle is made', async () => {
        const { id, signId, bytes } = await registered()
        const waiting = await bundleOf(id)
        expect(states(judged(waiting, bytes))).to.deep.equal(['pending', 'pending'])
        expect(contentAt(unzipped(waiting), 'README.txt').toString().replace(/\s+/g, ' ')).to.include(
          'was not in a checkpoint of the transparency log yet',
        )
        await integrate()
        const { query } = test.registry.get(Database)
        await query('registry_signatures').where({ sign_id: signId }).increment('stored_at', 1)
        const changed = await bundleOf(id)
        const verdict = judged(changed, bytes)
        expect(states(verdict)).to.deep.equal(['logged', 'changed'])
        expect(contentAt(unzipped(changed), 'report.en.html').toString()).to.include(
          'what it has is not what is in its transparency log',
        )
        expect(verdict.outcome).to.equal('unknown')
        const unlogged = await registered(off)
        const { evidence } = judged(await bundleOf(unlogged.id, off.registry), unlogged.bytes)
        expect(evidence.log).to.deep.equal([])
      })
    })
  })
})
