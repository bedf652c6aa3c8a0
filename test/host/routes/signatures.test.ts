import { expect } from 'chai'
import { decodeSignature } from '#verifier/cms/decode-signature.js'
import { cmsOids } from '#verifier/cms/oids.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { children } from '#verifier/der/reader.js'
import { verify } from '#verifier/verify.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'

const contract = Uint8Array.from(Buffer.from('contract'))

forEachDatabase((open) => {
  describe('signatures over HTTP', () => {
    let host: TestHost
    let api: string
    let signature: string
    let documentId: string
    let signId: number
    before(async () => {
      host = await startTestHost(open)
      api = `${host.url}/api`
      signature = host.authorities.person().signCms(contract).toString('base64')
      const { json } = await postJson<{ documentId: string; signId: number }>(api, { title: 'a', signature })
      documentId = json.documentId
      signId = json.signId
    })
    after(() => host.close())

    const exported = (query = '') => request<{ signature: string }>(`${api}/${documentId}/signature/${signId}${query}`)

    it('are exported as received with signFormat=1', async () => {
      const { json } = await exported('?signFormat=1')
      expect(json).to.deep.equal({ documentId, signId, signType: 'cms', signFormat: 1, signature })
    })

    it('are exported with their evidence by default, and found again', async () => {
      const { json } = await exported()
      expect(json).to.include({ signFormat: 0 })
      expect(json.signature.length).to.be.above(signature.length)
      for (const one of [json.signature, signature]) {
        const found = await postJson(`${api}/exported`, { signature: one })
        expect(found.json, found.text).to.deep.equal({ documentId, signId })
      }
    })

    it('are exported as CAdES-B-LT with signFormat=2, found again and judged by what is in them', async () => {
      const { json } = await exported('?signFormat=2')
      expect(json).to.include({ signFormat: 2 })
      const octets = Buffer.from(json.signature, 'base64')
      const { version, parts, signerInfos } = readSignedData(octets)
      expect([version, parts.certificates && children(parts.certificates).length]).to.deep.equal([5, 2])
      expect(signerInfos[0]?.unsignedAttributes?.all.map(({ oid }) => oid)).to.deep.equal([cmsOids.signatureTimeStamp])
      expect((await postJson(`${api}/exported`, { signature: json.signature })).json).to.deep.equal({
        documentId,
        signId,
      })
      const anchors = host.authorities.anchors.map((der) => Certificate.parse(der))
      const trust = { anchors, intermediates: [] }
      expect(verify(octets, { trust, document: contract }).indication).to.equal('TOTAL-PASSED')
      const pem = await exported('?signFormat=2&cmsAsPem=true')
      expect(Buffer.from(decodeSignature(pem.json.signature)).equals(octets)).to.equal(true)
    })

    it('of XML are exported as received in every format', async () => {
      const { signature: xml } = host.authorities.person().signXml('<a>1</a>')
      const registered = await postJson<{ documentId: string; signId: number }>(api, {
        signType: 'xml',
        signature: xml,
      })
      const { documentId: id, signId: number } = registered.json
      for (const signFormat of [0, 1, 2]) {
        const answer = await request<{ signature: string }>(`${api}/${id}/signature/${number}?signFormat=${signFormat}`)
        expect(answer.json.signature, registered.text).to.equal(xml)
      }
    })

    it('are exported as PEM when asked', async () => {
      const { json } = await exported('?cmsAsPem=true')
      expect(json.signature).to.match(/^-----BEGIN CMS-----\n/)
      expect((await postJson(`${api}/exported`, { signature: json.signature })).status).to.equal(200)
    })

    it('are not exported in unknown formats or under unknown identifiers', async () => {
      const messages = [
        ['?signFormat=3', 400, 'Invalid signature export format'],
        ['?cmsAsPem=maybe', 400, 'Invalid URL query parameter'],
      ] as const
      for (const [query, status, message] of messages) {
        const answer = await request(`${api}/${documentId}/signature/${signId}${query}`)
        expect([answer.status, answer.json.message]).to.deep.equal([status, message])
      }
      for (const unknown of [signId + 1, 0, -1, 'x', '1e99']) {
        const answer = await request(`${api}/${documentId}/signature/${unknown}`)
        expect([answer.status, answer.json.message], answer.text).to.deep.equal([404, 'Invalid signature identifier'])
      }
    })

    it('are not found when nobody registered them', async () => {
      const stranger = host.authorities.person().signCms(contract).toString('base64')
      const answer = await postJson(`${api}/exported`, { signature: stranger })
      expect([answer.status, answer.json.message]).to.deep.equal([404, 'Signature not found'])
    })
  })
})
