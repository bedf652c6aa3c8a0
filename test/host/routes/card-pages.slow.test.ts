import { CardBuilder } from '@signed-registry/core'
import type { CheckedDdc } from '@signed-registry/core/cards'

import { ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { attachedTo } from '../../plugins/ddc-pdf/attached.js'
import { cardOf, numberedPdf } from '../../plugins/ddc-pdf/cards.js'
import { forSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson, request } from '../../support/http.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

forSqlite((open) => {
  describe('the pages of a card that is checked', () => {
    let host: TestHost
    let api: string
    let original: Buffer
    let documentId: string
    /** With one signature, and with two. */
    let earlier: Buffer
    let card: Buffer
    const authorities = presentAuthorities()
    const plugins = () => [devAuthorities({ authorities }), ddcPdf({})]
    const signed = (by = authorities.person()) => ({ signature: by.signCms(original).toString('base64') })
    const built = async (query = '') => {
      const { json } = await postBytes<{ ddc: string }>(
        `${api}/${documentId}/buildDDC${query}`,
        new Uint8Array(original),
      )
      return Buffer.from(json.ddc, 'base64')
    }
    const check = async (bytes: Uint8Array) => {
      const { status, json, text } = await postBytes<CheckedDdc>(`${api}/checkDDC`, new Uint8Array(bytes))
      expect(status, text).to.equal(200)
      return json
    }
    const edited = async (edit: (pdf: PDFDocument) => unknown) => {
      const pdf = await PDFDocument.load(card, { updateMetadata: false })
      await edit(pdf)
      return pdf.save()
    }
    before(async () => {
      host = await startTestHost(open, { authorities, plugins: plugins() })
      api = `${host.url}/api`
      original = Buffer.from(await numberedPdf(2))
      documentId = (await postJson<{ documentId: string }>(api, { title: 'Шарт.pdf', ...signed() })).json.documentId
      await postBytes(`${api}/${documentId}/data`, new Uint8Array(original))
      earlier = await built()
      await postJson(`${api}/${documentId}`, signed(authorities.employee()))
      card = await built()
    })
    after(() => host.close())

    it('are the same as those that are built again, in any language, for the signatures that the card has', async () => {
      for (const bytes of [
        card,
        earlier,
        await built('?language=kk/ru&qrWithIDLink=true'),
        await built('?language=en'),
      ]) {
        const { documentId: id, pages, outcome } = await check(bytes)
        expect({ id, pages, outcome }).to.deep.equal({
          id: documentId,
          pages: { compared: 'same' },
          outcome: 'proved',
        })
      }
      await postJson(`${api}/${documentId}`, signed())
      expect((await check(card)).pages).to.deep.equal({ compared: 'same' })
    })

    it('differ where one was redrawn, although original and signatures are the registered ones', async () => {
      const redrawn = await check(await edited((pdf) => pdf.getPage(1).drawText('1 tenge')))
      expect(redrawn).to.deep.include({ outcome: 'wrong', documentId, pages: { compared: 'differ', numbers: [2] } })
      const added = await check(await edited((pdf) => pdf.addPage()))
      expect(added.documentId).to.equal(documentId)
      expect(added.pages.compared).to.equal('differ')
    })

    /** A registered signature with its evidence, by its place in the document. */
    const exported = async (at: number) => {
      const { json } = await request<{ signatures: { signId: number }[] }>(`${api}/${documentId}`)
      const url = `${api}/${documentId}/signature/${json.signatures[at]?.signId}`
      return Buffer.from((await request<{ signature: string }>(url)).json.signature, 'base64')
    }

    it('differ where a card leaves out signers from before the time that it states', async () => {
      const [signature] = cardOf(original, 1).signatures
      if (signature === undefined) throw new Error('The card has no signature')
      const signatures = [{ ...signature, cms: await exported(1) }]
      const second = await host.registry.get(CardBuilder).build(cardOf(original, 1, { documentId, signatures }))
      const { documentId: id, pages } = await check(second)
      expect({ id, pages }).to.deep.equal({ id: documentId, pages: { compared: 'differ', numbers: [1] } })
    })

    it('are not compared, and not called good, where nothing tells what they should be', async () => {
      const other = async (cms: Buffer) =>
        check(await attachedTo([original, cms].map((bytes, at) => ({ name: `${at}.pdf`, bytes }))))
      expect(await other(await exported(0))).to.deep.include({
        outcome: 'unknown',
        documentId,
        pages: { compared: 'notCompared', reason: 'notSaid' },
      })
      expect((await other(authorities.person().signCms(original))).pages).to.deep.equal({
        compared: 'notCompared',
        reason: 'notRegistered',
      })
    })
  })
})
