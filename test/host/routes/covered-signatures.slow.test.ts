import { createHash } from 'node:crypto'
import type { RegisteredFile } from '@signed-registry/core/signed-files'
import { ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { signedFiles } from '@signed-registry/signed-files'
import { verifyEvidence } from '@signed-registry/verifier'
import { expect } from 'chai'
import { asicE, estonian } from '../../support/asic/containers.js'
import { contentAt, mended, placesIn, saying, unzipped, withContent, zipped } from '../../support/containers.js'
import { forEachDatabase } from '../../support/databases.js'
import { otherRegistry } from '../../support/evidence-bundle.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson } from '../../support/http.js'
import { signedBy, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

type Refusal = { readonly code: string; readonly details?: { readonly reason?: string } }

forEachDatabase((open) => {
  describe('signatures that came in files', () => {
    let host: TestHost
    const authorities = presentAuthorities()
    const [seller, buyer] = [authorities.person(), authorities.employee()]
    const trust = trustOf(authorities)
    before(async () => {
      host = await startTestHost(open, {
        authorities,
        registry: { statementKey: STATEMENT_KEY },
        plugins: [devAuthorities({ authorities }), ddcPdf({}), evidenceAsic({}), signedFiles({})],
      })
    })
    after(() => host.close())

    const files = ['a.txt', 'b.txt'].map((name) => ({ name, content: Buffer.from(`${name} of both`) }))
    const register = async (file: Buffer) => {
      const { json, text, status } = await postBytes<RegisteredFile>(
        `${host.url}/api/registerFile`,
        new Uint8Array(file),
      )
      expect(status, text).to.equal(200)
      return json.documents.map(({ documentId }) => documentId)
    }
    const bundleOf = async (id: string, content?: Buffer) => {
      const answer = await fetch(`${host.url}/api/${id}/evidence`, {
        headers: { accept: 'application/zip', 'content-type': 'application/octet-stream' },
        ...(content && { method: 'POST', body: new Uint8Array(content) }),
      })
      const bundle = Buffer.from(await answer.arrayBuffer())
      expect(answer.status, bundle.toString('utf8')).to.equal(200)
      return bundle
    }
    const check = (bundle: Buffer) =>
      postBytes<{ outcome: string; problems: unknown[]; signatures: { coverage?: { of: string } }[] }>(
        `${host.url}/api/checkEvidence`,
        new Uint8Array(bundle),
      )

    it('prove a PDF in a bundle, each by its ranges', async () => {
      const pdf = signedTwice(signedBy(seller), signedBy(buyer))
      const [id = ''] = await register(pdf)
      // A third one is over all of it.
      const { status } = await postJson(`${host.url}/api/${id}`, { signature: seller.signCms(pdf).toString('base64') })
      expect(status).to.equal(200)
      const bundle = await bundleOf(id, pdf)
      const found = verifyEvidence(bundle, { trust })
      expect(found.evidence.problems).to.deep.equal([])
      expect(found.signatures.map(({ indication, coverage }) => [indication, coverage?.of])).to.deep.equal([
        ['TOTAL-PASSED', 'ranges'],
        ['TOTAL-PASSED', 'ranges'],
        ['TOTAL-PASSED', 'content'],
      ])
      expect(found.outcome).to.equal('proved')
      const { json } = await check(bundle)
      expect([json.outcome, json.problems]).to.deep.equal(['proved', []])
      expect(json.signatures.map(({ coverage }) => coverage?.of)).to.deep.equal(['ranges', 'ranges', 'content'])
    })

    it('prove nothing of what stands between the ranges and is not the signature, whoever states them', async () => {
      const pdf = signedOnce(signedBy(seller))
      const [id = ''] = await register(pdf)
      const bundle = await bundleOf(id, pdf)
      expect(verifyEvidence(bundle, { trust }).outcome).to.equal('proved')
      expect((await check(bundle)).json.outcome).to.equal('proved')
      const changed = Buffer.from(pdf)
      changed.write('(nobody signed this)', pdf.indexOf('0>', pdf.indexOf('/Contents<')) - 30)
      const files = unzipped(bundle)
      const place = placesIn(files).find((one) => contentAt(files, one).equals(pdf)) ?? ''
      const other = otherRegistry()
      const said = saying(withContent(files, place, changed), ({ registry, documents: [document] }) => {
        registry.origin = 'https://registry.example'
        const hash = createHash('sha256').update(changed).digest('hex')
        Object.assign(document ?? {}, { digests: { '2.16.840.1.101.3.4.2.1': hash } })
      })
      const forged = zipped(mended(said, other))
      const found = verifyEvidence(forged, { trust })
      expect([found.outcome, found.evidence.problems]).to.deep.equal(['unknown', []])
      const { json } = await check(forged)
      expect([json.outcome, json.problems]).to.deep.equal(['unknown', []])
    })

    it('leave a bundle open that has no original, until it is shown', async () => {
      const pdf = signedTwice(signedBy(buyer), signedBy(seller))
      const [id = ''] = await register(pdf)
      const bundle = await bundleOf(id)
      const open = verifyEvidence(bundle, { trust })
      expect([open.outcome, open.evidence.problems]).to.deep.equal(['unknown', []])
      const shown = {
        name: 'a.pdf',
        document: { size: pdf.length, read: (from: number, to: number) => pdf.subarray(from, to) },
      }
      expect(verifyEvidence(bundle, { trust, documents: [shown] }).outcome).to.equal('proved')
      const changed = Buffer.from(pdf)
      changed[20] = 0x20
      const other = {
        name: 'a.pdf',
        document: { size: pdf.length, read: (from: number, to: number) => changed.subarray(from, to) },
      }
      expect(verifyEvidence(bundle, { trust, documents: [other] }).outcome).to.equal('unknown')
      const { json } = await check(bundle)
      expect([json.outcome, json.problems]).to.deep.equal(['unknown', []])
    })

    for (const [kind, make] of [
      ['CAdES', () => asicE([seller, buyer], files)],
      ['XAdES', () => estonian(authorities, [seller, buyer], files)],
    ] as const)
      it(`prove a document of a container with ${kind} in a bundle, by the list that names it`, async () => {
        const ids = await register(make())
        for (const [index, id] of ids.entries()) {
          const content = files[index]?.content ?? Buffer.alloc(0)
          const bundle = await bundleOf(id, content)
          const found = verifyEvidence(bundle, { trust })
          expect(found.evidence.problems).to.deep.equal([])
          expect(found.signatures.map(({ coverage }) => coverage)).to.deep.equal([
            { of: 'references', uris: [files[index]?.name] },
            { of: 'references', uris: [files[index]?.name] },
          ])
          expect(found.outcome).to.equal('proved')
          const { json } = await check(bundle)
          expect([json.outcome, json.problems]).to.deep.equal(['proved', []])
          const open = verifyEvidence(await bundleOf(id), { trust })
          expect([open.outcome, open.evidence.problems]).to.deep.equal(['unknown', []])
        }
      })

    it('do not go into cards, and are not taken out of bundles', async () => {
      const pdf = signedTwice(signedBy(seller), signedBy(authorities.person()))
      const [id = ''] = await register(pdf)
      for (const path of ['buildDDC?withoutDocumentVisualization=true', 'buildPartnerCMS']) {
        const { status, json } = await postBytes<Refusal>(`${host.url}/api/${id}/${path}`, new Uint8Array(pdf))
        expect([path, status, json.code]).to.deep.equal([path, 409, 'signaturesNotOverDocument'])
      }
      const bundle = await bundleOf(id, pdf)
      const { json } = await postBytes<Refusal>(`${host.url}/api/parseEvidence`, new Uint8Array(bundle))
      expect([json.code, json.details?.reason]).to.deep.equal(['evidenceNotProved', 'coverage'])
    })
  })
})
