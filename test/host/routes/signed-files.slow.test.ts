import type { CheckedFile } from '@signed-registry/core/signed-files'
import { ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { signedFiles } from '@signed-registry/signed-files'
import { expect } from 'chai'
import { attachedTo } from '../../plugins/ddc-pdf/attached.js'
import { ASIC_E, asicE, estonian, mediaType } from '../../support/asic/containers.js'
import { zipOf } from '../../support/asic/write-zip.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson } from '../../support/http.js'
import { pageContent } from '../../support/pdf/contract.js'
import { signedBy, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { updated } from '../../support/pdf/write-pdf.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

type Refusal = { readonly code: string; readonly details?: { readonly reason?: string } }

forEachDatabase((open) => {
  describe('POST /api/checkFile', () => {
    let host: TestHost
    const authorities = presentAuthorities()
    const [seller, buyer] = [authorities.person(), authorities.employee()]
    const sign = signedBy(seller)
    before(async () => {
      host = await startTestHost(open, {
        authorities,
        registry: { statementKey: STATEMENT_KEY },
        plugins: [devAuthorities({ authorities }), ddcPdf({}), evidenceAsic({}), signedFiles({})],
      })
    })
    after(() => host.close())

    const check = async (file: Buffer) => {
      const answer = await postBytes<CheckedFile & Refusal>(`${host.url}/api/checkFile`, new Uint8Array(file))
      return { ...answer.json, status: answer.status, text: answer.text }
    }
    const three = ['contract.txt', 'annex.txt', 'plan.txt'].map((name) => ({
      name,
      content: Buffer.from(`It is ${name}`),
    }))

    it('judges a contract in PDF with two signers one after the other', async () => {
      const found = await check(signedTwice(sign, signedBy(buyer)))
      expect(found.status, found.text).to.equal(200)
      expect(found).to.include({ outcome: 'proved', format: 'pdf', valid: true, indication: 'TOTAL-PASSED' })
      expect(found.signatures.map(({ file, coverage }) => [file, coverage?.ranges?.length])).to.deep.equal([
        ['Seller', 2],
        ['Buyer', 2],
      ])
      expect(found.revisions.map(({ signatures }) => signatures)).to.deep.equal([[], [0], [1]])
      expect(found.revisions[2]?.changes).to.deep.equal([
        { kind: 'signatureField', name: 'Buyer', page: 1, box: [300, 72, 500, 122], harmless: true, forbidden: false },
      ])
      expect(found.documents).to.have.length(1)
      expect(found.documents[0]).to.deep.include({ name: '', signatures: [0, 1], signed: 'whole', registered: [] })
    })

    it('judges a PDF with a signature as NCALayer makes it, which has no evidence, and says what is missing', async () => {
      const found = await check(signedOnce((octets) => seller.signCms(octets), { subFilter: 'adbe.pkcs7.detached' }))
      expect([found.outcome, found.indication]).to.deep.equal(['unknown', 'INDETERMINATE'])
      expect(found.signatures[0]?.missing).to.include('timeStamp')
    })

    it('holds no memory of its own while a bundle or card is read, which would wait for it for ever', async () => {
      const large = { name: 'large.bin', content: Buffer.alloc(24 * 1024 * 1024) }
      const bundle = zipOf([mediaType(ASIC_E), { name: 'evidence.json', content: '{}' }, large])
      expect((await check(bundle)).code).to.equal('evidenceNotRead')
    })

    it('says what was added to a PDF after it was signed', async () => {
      const found = await check(updated(signedOnce(sign), { objects: { 4: pageContent('The buyer pays 900') } }))
      expect([found.outcome, found.documents[0]?.signed]).to.deep.equal(['unknown', 'part'])
      expect(found.problems).to.deep.equal([{ code: 'addedAfterSigning', name: 'Signature10' }])
      expect(found.revisions[2]?.changes).to.deep.equal([{ kind: 'page', page: 1, harmless: false, forbidden: false }])
    })

    it('judges containers: of Estonia, and with three files, each with what signs it', async () => {
      const one = await check(estonian(authorities, [seller], three.slice(0, 1)))
      expect(one, one.text).to.include({ outcome: 'proved', format: 'asic-e' })
      for (const container of [asicE([seller, buyer], three), estonian(authorities, [seller, buyer], three)]) {
        const found = await check(container)
        expect(found.outcome, found.text).to.equal('proved')
        expect(found.documents.map(({ name, signatures }) => [name, signatures])).to.deep.equal(
          three.map(({ name }) => [name, [0, 1]]),
        )
        expect(found.signatures[0]?.documents).to.deep.equal(three.map(({ name }) => name))
      }
    })

    it('judges a CMS that carries its content, and one that does not', async () => {
      const content = Buffer.from('in the signature')
      const attached = await check(seller.signCms(content, { detached: false, timeStamp: true, ocsp: true }))
      expect(attached).to.include({ outcome: 'proved', format: 'cms' })
      expect(attached.documents[0]).to.include({ size: content.length, signed: 'whole' })
      const detached = await check(seller.signCms(content, { timeStamp: true, ocsp: true }))
      expect(detached).to.include({ outcome: 'unknown', format: 'cms' })
      expect(detached.documents).to.deep.equal([])
    })

    it('judges signed XML', async () => {
      const xml = seller.signXml('<contract><price>100</price></contract>', { timeStamp: true, ocsp: true }).document
      expect(await check(Buffer.from(xml))).to.include({ outcome: 'proved', format: 'xml' })
    })

    it('tells what is registered, of its content and of its signatures', async () => {
      const content = Buffer.from('registered before')
      const signature = seller.signCms(content).toString('base64')
      const { json } = await postJson<{ documentId: string }>(`${host.url}/api`, { signature })
      await postBytes(`${host.url}/api/${json.documentId}/data`, new Uint8Array(content))
      const found = await check(asicE([seller], [{ name: 'a.txt', content }]))
      expect(found.documents[0]?.registered.map(({ documentId }) => documentId)).to.deep.equal([json.documentId])
    })

    it('judges cards and evidence bundles as their own operations do', async () => {
      const content = Buffer.from('for a card')
      const signature = seller.signCms(content).toString('base64')
      const { json } = await postJson<{ documentId: string }>(`${host.url}/api`, { signature, title: 'a.txt' })
      const url = `${host.url}/api/${json.documentId}`
      await postBytes(`${url}/data`, new Uint8Array(content))
      const made = await postBytes<{ ddc: string }>(
        `${url}/buildDDC?fileName=a.txt&withoutDocumentVisualization=true`,
        new Uint8Array(content),
      )
      const card = await check(Buffer.from(made.json.ddc, 'base64'))
      expect(card, card.text).to.include({ outcome: 'proved', format: 'card' })
      expect(card.card?.documentId).to.equal(json.documentId)
      const bundle = await fetch(`${url}/evidence`, {
        method: 'POST',
        body: content,
        headers: { accept: 'application/zip', 'content-type': 'application/octet-stream' },
      })
      const evidence = await check(Buffer.from(await bundle.arrayBuffer()))
      expect(evidence, evidence.text).to.include({ outcome: 'proved', format: 'evidence' })
      expect(evidence.evidence?.statement.signedBy).to.equal('trusted')
    })

    it('takes a PDF with files that is no card for what it is', async () => {
      const found = await check(Buffer.from(await attachedTo([{ name: 'a.txt', bytes: Buffer.from('a') }])))
      expect(found, found.text).to.include({ outcome: 'unknown', format: 'pdf' })
      expect(found.documents[0]?.signed).to.equal('nothing')
    })

    it('refuses what is no signed file, with the reason', async () => {
      const refused = async (file: Buffer) => {
        const { status, code, details } = await check(file)
        return [status, code, details?.reason]
      }
      expect(await refused(Buffer.from('plain text'))).to.deep.equal([422, 'fileNotRead', 'notSigned'])
      expect(await refused(Buffer.from('{"payload":"a","signatures":[]}'))).to.deep.equal([422, 'fileNotRead', 'jades'])
      expect(await refused(Buffer.from('%PDF-1.7\n'))).to.deep.equal([422, 'fileNotRead', 'startxrefMissing'])
      const cut = asicE([seller], three)
      expect(await refused(cut.subarray(0, cut.length - 5))).to.deep.equal([422, 'fileNotRead', 'formChanged'])
      const bundle = Buffer.concat([asicE([seller], [{ name: 'evidence.json', content: Buffer.from('{}') }])])
      expect((await refused(bundle)).slice(0, 2)).to.deep.equal([422, 'evidenceNotRead'])
    })
  })

  it('POST /api/checkFile without a plugin says what to do', async () => {
    const authorities = presentAuthorities()
    const host = await startTestHost(open, { authorities, plugins: [devAuthorities({ authorities })] })
    try {
      const { status, json } = await postBytes<Refusal>(`${host.url}/api/checkFile`, new Uint8Array([1]))
      expect([status, json.code]).to.deep.equal([503, 'signedFilesUnavailable'])
    } finally {
      await host.close()
    }
  })
})
