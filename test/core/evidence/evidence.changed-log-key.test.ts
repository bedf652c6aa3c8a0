import { anonymous, openAdministration } from '@signed-registry/core'
import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { GetDocumentEvidence, GetSignatureInclusion } from '@signed-registry/core/evidence'
import { MakeReport } from '@signed-registry/core/reports'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { verifyEvidence } from '@signed-registry/verifier'
import { verifyLogProof } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY, newLogKey } from '../../support/log-key.js'
import { trustOf } from '../../support/pki/trust.js'
import { uploadOf } from '../../support/registry.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

describe('what was logged before the key of the log was changed', () => {
  forEachDatabase((open) => {
    const bytes = Buffer.from('A contract of before')
    let test: LoggingRegistry
    let formerKey: string
    let document: { readonly id: string; readonly signId: number; readonly signature: string }
    before(async () => {
      const database = await open()
      const more = { statementKey: STATEMENT_KEY, plugins: [evidenceAsic({})] }
      test = await loggingRegistry(database, { key: LOG_KEY }, more)
      const { registry, authorities } = test
      const signature = authorities.person().signCms(bytes).toString('base64')
      const request = { title: 'Contract.txt', signature }
      const { documentId: id, signId = 0 } = await registry.get(RegisterDocument).execute(anonymous, { request })
      await registry.get(FixDigests).execute(anonymous, { id, query: {}, upload: uploadOf(bytes) })
      document = { id, signId, signature }
      await test.integrate()
      formerKey = (await test.log()).verifierKey ?? ''
      for (let key = LOG_KEY, changes = 0; changes < 2; changes += 1) {
        const administration = await openAdministration({ database, log: { key } })
        key = newLogKey()
        await administration.log.changeKey(key).finally(() => administration.close())
      }
    })
    after(() => test.registry.close())

    it('is proved with the key that signed its checkpoint', async () => {
      const { verifierKey = '', proof = '' } = await test.registry
        .get(GetSignatureInclusion)
        .execute(anonymous, document)
      expect(verifierKey).to.equal(formerKey)
      expect(verifyLogProof(proof, { logKeys: [verifierKey] })).to.include({ logKey: formerKey })
    })

    it('is of a known log in a report', async () => {
      const signatures = [{ name: 'contract.p7s', signature: document.signature }]
      const request = { signatures, documents: [], language: 'en' as const }
      const { xml } = await test.registry.get(MakeReport).execute(anonymous, { request })
      expect(xml).to.match(/#logTrust<\/vr:Type><vr:Value>notEstablished policyMissing</)
    })

    it('is in a bundle with the key that signed its checkpoint', async () => {
      const { bytes: made } = await test.registry.get(GetDocumentEvidence).execute(anonymous, document)
      const chunks: Uint8Array[] = []
      for await (const chunk of made()) chunks.push(chunk)
      const options = { trust: trustOf(test.authorities), at: test.clock.time, documents: [] }
      const { evidence } = verifyEvidence(Buffer.concat(chunks), options)
      expect(evidence.log).to.have.length(2)
      for (const one of evidence.log) expect(one).to.include({ state: 'logged', logKey: formerKey })
    })
  })
})
