import { CardParser, Database } from '@signed-registry/core'

import { ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { attachedTo } from '../../plugins/ddc-pdf/attached.js'
import { numberedPdf } from '../../plugins/ddc-pdf/cards.js'
import { forSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson, request } from '../../support/http.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

interface Registered {
  readonly documentId: string
  readonly signId: number
}

forSqlite((open) => {
  describe('document cards that are refused', () => {
    let host: TestHost
    let api: string
    const authorities = presentAuthorities()
    before(async () => {
      host = await startTestHost(open, { authorities, plugins: [devAuthorities({ authorities }), ddcPdf({})] })
      api = `${host.url}/api`
    })
    after(() => host.close())

    const signed = (bytes: Uint8Array, by = authorities.person()) => by.signCms(Buffer.from(bytes)).toString('base64')
    const register = async (bytes: Uint8Array, fields: object = { signature: signed(bytes) }) => {
      const { json, text, status } = await postJson<Registered>(api, { title: 'act.pdf', ...fields })
      expect(status, text).to.equal(200)
      await postBytes(`${api}/${json.documentId}/data`, Uint8Array.from(bytes))
      return json
    }
    const stored = async () => {
      const [documents, signatures] = await Promise.all(
        ['registry_documents', 'registry_signatures'].map((name) => host.registry.get(Database).query(name)),
      )
      return { documents, signatures }
    }
    const attempt = async (path: string, bytes: Uint8Array) => {
      const before = await stored()
      const { status, json } = await postBytes<{ code: string; details?: object }>(
        `${api}/${path}`,
        Uint8Array.from(bytes),
      )
      expect(await stored()).to.deep.equal(before)
      return [status, json.code, json.details]
    }

    it('have a file that was exchanged', async () => {
      const original = await numberedPdf(1)
      const { documentId, signId } = await register(original)
      const { json, text } = await postJson<Registered>(`${api}/${documentId}`, {
        signature: signed(original, authorities.employee()),
      })
      expect(json, text).to.include({ documentId })
      const built = await postBytes<{ ddc: string }>(`${api}/${documentId}/buildDDC`, Uint8Array.from(original))
      expect(built.status, built.text).to.equal(200)
      const [document, first, second] = await host.registry.get(CardParser).parse(Buffer.from(built.json.ddc, 'base64'))
      if (!document || !first || !second) throw new Error('The card is not whole')
      const foreign = await register(await numberedPdf(2))
      const theirs = await request<{ signature: string }>(`${api}/${foreign.documentId}/signature/${foreign.signId}`)
      const withContent = authorities.person().signCms(Buffer.from(original), { detached: false })
      const other = { ...document, bytes: Buffer.concat([document.bytes, Buffer.from('x')]) }
      const [name, otherName] = ['1.cms', '2.cms']
      const wrong = [
        [[other, first, second], 'signatureDoesNotCorrespond'],
        [
          [document, first, { name: otherName, bytes: Buffer.from(theirs.json.signature, 'base64') }],
          'cardOfDifferentDocuments',
        ],
        [[document, { name, bytes: Buffer.from('no CMS') }], 'cardSignatureFormat', { file: name }],
        [[document, first, { name: otherName, bytes: withContent }], 'cardSignatureFormat', { file: otherName }],
        [[document], 'cardNotParsed'],
      ] as const
      for (const [files, code, details] of wrong) {
        const answer = await attempt('parseDDC?registerUnknownSignatures=true', await attachedTo(files))
        expect(answer.slice(0, 2), code).to.deep.equal([422, code])
        if (details) expect(answer[2]).to.deep.equal(details)
      }
      const bent = Buffer.from(second.bytes)
      bent.writeUInt8(bent.readUInt8(bent.length - 1) ^ 1, bent.length - 1)
      const card = await attachedTo([document, first, { ...second, bytes: bent }])
      expect((await attempt('parseDDC?registerUnknownSignatures=true', card))[0]).to.be.oneOf([404, 422])
      const fewer = await postBytes(`${api}/parseDDC`, Uint8Array.from(await attachedTo([document, second])))
      expect(fewer.json.signIds).to.deep.equal([json.signId])
      expect(signId).to.be.below(json.signId)
    })

    it('are of a document with a signature that is not CMS, whatever the others are', async () => {
      const { signature, data } = authorities.person().signXml('<act><number>1</number></act>')
      const { documentId, signId } = await register(data, { title: 'act.xml', signType: 'xml', signature })
      const refusal = [409, 'signaturesInOtherFormat', { signId }]
      const paths = ['buildDDC?withoutDocumentVisualization=true', 'buildPartnerCMS', 'buildEzSigner']
      for (const path of paths) expect(await attempt(`${documentId}/${path}`, data), path).to.deep.equal(refusal)
      const added = await postJson(`${api}/${documentId}`, { signature: signed(data) })
      expect(added.status, added.text).to.equal(200)
      for (const path of paths) expect(await attempt(`${documentId}/${path}`, data), path).to.deep.equal(refusal)
    })
  })
})
