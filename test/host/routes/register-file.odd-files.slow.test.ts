import type { RegisteredFile } from '@signed-registry/core/signed-files'
import { devAuthorities, type Subject } from '@signed-registry/dev-authorities'
import { signedFiles } from '@signed-registry/signed-files'
import { expect } from 'chai'
import {
  ASIC_E,
  ASIC_S,
  asicE,
  cadesParts,
  type DataFile,
  dataPart,
  manifest,
  mediaType,
  xadesFile,
} from '../../support/asic/containers.js'
import { zipOf } from '../../support/asic/write-zip.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, request } from '../../support/http.js'
import { signedOnce } from '../../support/pdf/signed-contracts.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

interface Answer extends RegisteredFile {
  readonly code?: string
  readonly details?: { readonly reason?: string }
}

/** A container whose manifest has other names than its file. */
const twiceNamed = (signer: Subject, file: DataFile, named: readonly DataFile[]): Buffer =>
  zipOf([mediaType(ASIC_E), dataPart(file), ...cadesParts([signer], named)])

forEachDatabase((open) => {
  describe('POST /api/registerFile, of odd files', () => {
    let host: TestHost
    const authorities = presentAuthorities()
    const [seller, buyer] = [authorities.person(), authorities.employee()]
    before(async () => {
      host = await startTestHost(open, { authorities, plugins: [devAuthorities({ authorities }), signedFiles({})] })
    })
    after(() => host.close())

    const register = async (file: Buffer, query = '') => {
      const answer = await postBytes<Answer>(`${host.url}/api/registerFile${query}`, new Uint8Array(file))
      return { ...answer.json, status: answer.status, text: answer.text }
    }
    const titleOf = async (id: string) => (await request<{ title: string }>(`${host.url}/api/${id}`)).json.title
    const verify = (id: string, content: Buffer) => postBytes(`${host.url}/api/${id}/verify`, new Uint8Array(content))
    const three = ['contract.txt', 'annex.txt', 'plan.txt'].map((name) => ({
      name,
      content: Buffer.from(`It is ${name} of ${Math.random()}`),
    }))

    it('takes for a document what stands in a container or PDF, and not what a CMS in it carries', async () => {
      const signed = (content: string) =>
        seller.signCms(Buffer.from(content), { timeStamp: true, ocsp: true, detached: false })
      const container = (content: string, cms: Buffer) =>
        zipOf([
          ...[mediaType(ASIC_S), dataPart({ name: 'a.txt', content: Buffer.from(content) })],
          { name: 'META-INF/signature.p7s', content: cms },
        ])
      expect((await register(container('shown', signed('carried')))).code).to.equal('signatureDoesNotCorrespond')
      const made = await register(container('carried too', signed('carried too')))
      expect(made.documents[0]?.signedDataSize, made.text).to.equal('carried too'.length)
      const pdf = signedOnce((octets) => seller.signCms(octets, { timeStamp: true, ocsp: true, detached: false }))
      const [document] = (await register(pdf)).documents
      expect(document?.signedDataSize).to.equal(pdf.length)
      expect((await verify(document?.documentId ?? '', pdf)).status).to.equal(200)
    })

    it('registers a signature once for a document, however often its file has it or names the document', async () => {
      const once = async (file: Buffer) => (await register(file)).documents[0]?.signIds.length
      const file = { name: 'a.txt', content: Buffer.from('named twice') }
      expect(await once(twiceNamed(seller, file, [file, file]))).to.equal(1)
      expect(await once(twiceNamed(buyer, file, [file, { ...file, name: './a.txt' }]))).to.equal(1)
      const xades = xadesFile(authorities, [seller], [file])
      const signatures = ['META-INF/signatures0.xml', 'META-INF/signatures1.xml']
      const doubled = signatures.map((name) => ({ name, content: xades }))
      expect(await once(zipOf([mediaType(ASIC_E), dataPart(file), ...doubled]))).to.equal(1)
      const both = { name: 'META-INF/signatures0.xml', content: xadesFile(authorities, [seller], [file, file]) }
      expect((await register(zipOf([mediaType(ASIC_E), dataPart(file), both]))).code).to.equal('signatureNotParsed')
    })

    it('gives the title to a package and not to its documents, which have the names of their files', async () => {
      const files = ['annexes/1.txt', 'annexes/2.txt'].map((name) => ({ name, content: Buffer.from(`titled ${name}`) }))
      const made = await register(asicE([seller], files), '?title=Deal&description=About')
      expect(made.status, made.text).to.equal(200)
      const pack = await request<{ title: string; description: string }>(`${host.url}/api/package/${made.packageId}`)
      expect(pack.json).to.include({ title: 'Deal', description: 'About' })
      const titles = await Promise.all(made.documents.map(({ documentId }) => titleOf(documentId)))
      expect(titles).to.deep.equal(['1.txt', '2.txt'])
    })

    it('keeps no more of signatures than their share: a manifest is kept under every document that it names', async () => {
      const padded = Buffer.from(`<!--${' '.repeat(1_900_000)}-->`)
      const parts = Array.from({ length: 4 }, (_, at) => {
        const name = `META-INF/signature${at}.p7s`
        const content = Buffer.concat([manifest(name, three), padded])
        return [
          { name: `META-INF/ASiCManifest${at}.xml`, content, deflated: true },
          { name, content: seller.signCms(content, { timeStamp: true, ocsp: true }) },
        ]
      })
      const file = zipOf([mediaType(ASIC_E), ...three.map(dataPart), ...parts.flat()])
      expect(file.length).to.be.below(100_000)
      const { code, details } = await register(file)
      expect([code, details?.reason]).to.deep.equal(['fileNotRegistered', 'signaturesTooLarge'])
    })
  })
})
