import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveFs } from '@signed-registry/archive-fs'
import {
  CardBuilder,
  CardError,
  CardParser,
  ContentScanner,
  definePlugin,
  provideValue,
  ScannerUnavailable,
  type ScanVerdict,
} from '@signed-registry/core'
import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { ddcPdf, joinSignature } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import decodeQR from 'qr/decode.js'
import Type from 'typebox'
import { readPng } from '#core/png/index.js'
import { numberedPdf } from '../../plugins/ddc-pdf/cards.js'
import { systemCaller } from '../../support/core-registry.js'
import { forSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { uploadOf } from '../../support/registry.js'

const SHA_512 = '2.16.840.1.101.3.4.2.3'

interface Answer {
  readonly message?: string
  readonly code?: string
  readonly documentId: string
  readonly dataArchived: boolean
  readonly signId: number
  readonly signIds: number[]
  readonly ddc: string
  readonly sampleDDC: string
  readonly document: string
  readonly signature: string
  readonly qrCodes: string[]
  readonly details?: { readonly reason?: string }
}

function textOf(code: string): string {
  const { width, height, pixels } = readPng(Buffer.from(code, 'base64'))
  return decodeQR({ width, height, data: pixels })
}

forSqlite((open) => {
  describe('document cards over HTTP', () => {
    let host: TestHost
    let api: string
    let original: Buffer
    let documentId: string
    let signIds: number[]
    const authorities = presentAuthorities()
    const archive = mkdtempSync(join(tmpdir(), 'cards-archive-'))
    const start = async (database: typeof open) =>
      startTestHost(database, {
        authorities,
        plugins: [devAuthorities({ authorities }), ddcPdf({}), archiveFs({ folder: archive })],
      })
    const upload = (url: string, bytes: Uint8Array, headers: Record<string, string> = {}) =>
      request<Answer>(url, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', ...headers },
        body: bytes,
      })
    const signed = (bytes: Uint8Array, by = authorities.person()) => by.signCms(Buffer.from(bytes)).toString('base64')
    /** Registers a document, fixes its hashes and adds signatures. */
    const registered = async (bytes: Buffer, title: string, more = 1, settings = {}) => {
      const { json } = await postJson<Answer>(api, { title, settings, signature: signed(bytes) })
      await upload(`${api}/${json.documentId}/data`, bytes)
      const ids = [json.signId]
      for (let n = 0; n < more; n++) {
        const by = n % 2 === 0 ? authorities.employee() : authorities.person()
        const added = await postJson<Answer>(`${api}/${json.documentId}`, { signature: signed(bytes, by) })
        ids.push(added.json.signId)
      }
      return { documentId: json.documentId, signIds: ids }
    }
    before(async () => {
      host = await start(open)
      api = `${host.url}/api`
      original = Buffer.from(await numberedPdf(2))
      const made = await registered(original, 'Шарт № 5.pdf')
      documentId = made.documentId
      signIds = made.signIds
    })
    after(async () => {
      await host.close()
      rmSync(archive, { recursive: true, force: true })
    })

    const cardOf = async (id: string, bytes: Uint8Array, query = '') => {
      const { status, json, text } = await upload(`${api}/${id}/buildDDC${query}`, bytes)
      expect(status, text).to.equal(200)
      return Buffer.from(json.ddc, 'base64')
    }

    it('are built from the original, and read again with every signature', async () => {
      const card = await cardOf(documentId, original)
      const { status, json, text } = await upload(`${api}/parseDDC`, card)
      expect(status, text).to.equal(200)
      expect({ ...json, document: Buffer.from(json.document, 'base64').equals(original) }).to.deep.equal({
        documentId,
        signIds,
        document: true,
        dataArchived: false,
      })
    })

    it('are built from what is stored when the body is empty or {}, and otherwise need the original', async () => {
      const { documentId: id } = await registered(original, 'kept.pdf', 0, { forceArchive: true })
      const cookie = await logInOverHttp(host.url, authorities.person())
      const none = await upload(`${api}/${id}/buildDDC`, new Uint8Array(), { cookie })
      expect(none.status, none.text).to.equal(200)
      const headers = { cookie, 'content-type': 'application/json' }
      const braces = await request<Answer>(`${api}/${id}/buildDDC`, { method: 'POST', headers, body: '{}' })
      expect([braces.status, braces.json.dataArchived], braces.text).to.deep.equal([200, true])
      const missing = await upload(`${api}/${documentId}/buildDDC`, new Uint8Array(), { cookie })
      expect([missing.status, missing.json.message]).to.deep.equal([404, 'Archive not found'])
    })

    it('give nobody a stored original who may not read it by GET /api/{id}/data', async () => {
      const open = await registered(original, 'public.pdf', 0, { forceArchive: true })
      const openForNow = { forceArchive: true, publicWhileLessThanSignatures: 2 }
      const forNow = await registered(original, 'open for now.pdf', 0, openForNow)
      for (const operation of ['buildDDC', 'buildPartnerCMS', 'buildEzSigner']) {
        const refused = await upload(`${api}/${open.documentId}/${operation}`, new Uint8Array())
        expect([refused.status, refused.json.message]).to.deep.equal([401, 'Authentication required'])
        // Whoever brings the original has it already.
        expect((await upload(`${api}/${open.documentId}/${operation}`, original)).status).to.equal(200)
        expect((await upload(`${api}/${forNow.documentId}/${operation}`, new Uint8Array())).status).to.equal(200)
      }
    })

    it('are answered as the PDF itself to who asks for application/pdf', async () => {
      const answer = await fetch(`${api}/${documentId}/buildDDC`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', accept: 'application/pdf' },
        body: original,
      })
      expect(answer.headers.get('content-type')).to.equal('application/pdf')
      expect(
        Buffer.from(await answer.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).to.equal('%PDF-')
    })

    it('are refused for another original, another language, a name that is no PDF, and signatures that are not CMS', async () => {
      const refusals = [
        ['', Buffer.concat([original, Buffer.from(' ')]), 422, 'Signature does not correspond to the document'],
        ['?language=de', original, 400, 'Invalid URL query parameter'],
        ['?language=ru/ru', original, 400, 'Invalid URL query parameter'],
        ['?language=kk/ru/en/kk', original, 400, 'Invalid URL query parameter'],
        ['?fileName=contract.docx', original, 400, 'Not supported document type'],
      ] as const
      for (const [query, bytes, status, message] of refusals) {
        const answer = await upload(`${api}/${documentId}/buildDDC${query}`, bytes)
        expect([answer.status, answer.json.message]).to.deep.equal([status, message])
      }
      const any = await cardOf(
        documentId,
        original,
        '?fileName=contract.docx&withoutDocumentVisualization=true&language=en',
      )
      expect((await host.registry.get(CardParser).parse(any))[0]?.name).to.equal('contract.docx')
    })

    it('are written in every language, and combinations joined by /', async () => {
      const tags = ['ru', 'kk', 'en', 'kk/en', 'kk/ru/en', 'en/kk/ru']
      for (const language of tags) await cardOf(documentId, original, `?language=${language}`)
      const sample = await upload(`${api}/checkPDFForDDC?language=kk/ru/en`, original)
      expect(sample.status, sample.text).to.equal(200)
      const card = await cardOf(documentId, original, '?language=kk/ru/en')
      expect((await upload(`${api}/checkDDC`, card)).json).to.deep.include({ documentId, pages: { compared: 'same' } })
    })

    it('have the identifier nowhere with withoutID=true, not in the name of the original either, and are read all the same', async () => {
      const names = [
        [`contract-DocId${documentId}.pdf`, 'contract.pdf'],
        [`${documentId}.pdf`, 'document.pdf'],
        ['', 'Шарт № 5.pdf'],
      ] as const
      for (const [given, name] of names) {
        const card = await cardOf(documentId, original, `?withoutID=true&fileName=${encodeURIComponent(given)}`)
        expect((await host.registry.get(CardParser).parse(card))[0]?.name).to.equal(name)
        expect(card.includes(documentId)).to.equal(false)
        expect((await upload(`${api}/parseDDC`, card)).json).to.deep.include({ documentId, signIds })
        expect((await upload(`${api}/checkDDC`, card)).json).to.deep.include({ pages: { compared: 'same' } })
      }
    })

    it('come to parseDDC and checkPDFForDDC as application/octet-stream, and as nothing else', async () => {
      const card = await cardOf(documentId, original)
      for (const [path, bytes] of [
        ['parseDDC', card],
        ['checkPDFForDDC', original],
      ] as const) {
        for (const type of ['application/octet-stream', 'Application/Octet-Stream; x=y'])
          expect((await upload(`${api}/${path}`, bytes, { 'content-type': type })).status, type).to.equal(200)
        for (const type of ['application/pdf', 'application/octet-streams', 'text/plain', 'application/json']) {
          const { status, json } = await upload(`${api}/${path}`, bytes, { 'content-type': type })
          expect([status, json.code], type).to.deep.equal([415, 'unsupportedMediaType'])
        }
      }
    })

    it('give the original a name that cannot deceive: no path, no other direction, no line break', async () => {
      const names = [
        ['../folder/contract.pdf', 'contract.pdf'],
        ['contract\u202efdp.exe', 'contract_fdp.exe'],
        ['contract\r\n.pdf', 'contract__.pdf'],
        ['..', documentId],
        ['', 'Шарт № 5.pdf'],
      ] as const
      for (const [given, name] of names) {
        const query = `?fileName=${encodeURIComponent(given)}&withoutDocumentVisualization=true`
        const card = await cardOf(documentId, original, query)
        expect((await host.registry.get(CardParser).parse(card))[0]?.name, given).to.equal(name)
      }
    })

    it('are refused, with the reason, when the PDF cannot be shown; its pages may be left out', async () => {
      const broken = Buffer.from('%PDF-1.7\nno pages at all')
      const { documentId: id } = await registered(broken, 'broken.pdf', 0)
      const answer = await upload(`${api}/${id}/buildDDC`, broken)
      expect([answer.status, answer.json.message, answer.json.details?.reason]).to.deep.equal([
        422,
        'Failed to build digital document card',
        'broken',
      ])
      await cardOf(id, broken, '?withoutDocumentVisualization=true')
    })

    it('prove a private document to whoever has them, while only who may view it can have one built', async () => {
      const { documentId: id } = await registered(original, 'private.pdf', 0, { private: true })
      const refused = await upload(`${api}/${id}/buildDDC`, original)
      expect([refused.status, refused.json.message]).to.deep.equal([401, 'Authentication required'])
    })

    it('are tried before anybody signs, by checkPDFForDDC', async () => {
      const good = await upload(`${api}/checkPDFForDDC`, original)
      expect(Buffer.from(good.json.sampleDDC, 'base64').subarray(0, 5).toString()).to.equal('%PDF-')
      const bad = await upload(`${api}/checkPDFForDDC`, Buffer.from('no PDF'))
      expect([bad.status, bad.json.message, bad.json.details?.reason]).to.deep.equal([
        422,
        'Failed to build digital document card',
        'notPdf',
      ])
    })

    it('of another registry are unknown, and their unknown signatures are registered only when asked for', async () => {
      const other = await start(open)
      try {
        const first = await postJson<Answer>(`${other.url}/api`, { title: 'Шарт № 5.pdf', signature: signed(original) })
        await upload(`${other.url}/api/${first.json.documentId}/data`, original)
        const second = signed(original, authorities.employee())
        await postJson(`${other.url}/api/${first.json.documentId}`, { signature: second })
        const built = await upload(`${other.url}/api/${first.json.documentId}/buildDDC`, original)
        const card = Buffer.from(built.json.ddc, 'base64')

        const unknown = await upload(`${api}/parseDDC`, card)
        expect([unknown.status, unknown.json.message]).to.deep.equal([
          404,
          'Digital document card original document is not registered',
        ])
        const exported = await request<Answer>(
          `${other.url}/api/${first.json.documentId}/signature/${first.json.signId}`,
        )
        const here = await postJson<Answer>(api, { title: 'taken over', signature: exported.json.signature })
        await upload(`${api}/${here.json.documentId}/data`, original)
        const some = await upload(`${api}/parseDDC`, card)
        expect([some.status, some.json.message]).to.deep.equal([
          409,
          'Some of digital document card signatures are not registered',
        ])
        const whole = await upload(`${api}/parseDDC?registerUnknownSignatures=true`, card)
        expect(whole.status, whole.text).to.equal(200)
        expect(whole.json.signIds).to.have.length(2).and.include(here.json.signId)
        const again = await upload(`${api}/parseDDC`, card)
        expect(again.json.signIds).to.deep.equal(whole.json.signIds)
      } finally {
        await other.close()
      }
    })

    it('bring signatures over other hashes than the fixed ones, which are computed from their original', async () => {
      const bytes = Buffer.from(await numberedPdf(3))
      const [other, here] = await Promise.all([start(open), start(open)])
      try {
        const first = await postJson<Answer>(`${other.url}/api`, { title: 'act.pdf', signature: signed(bytes) })
        await upload(`${other.url}/api/${first.json.documentId}/data`, bytes)
        await upload(`${other.url}/api/${first.json.documentId}/verify?digest=${SHA_512}`, bytes)
        const second = authorities.employee().signCms(bytes, { hash: 'sha512' }).toString('base64')
        const added = await postJson(`${other.url}/api/${first.json.documentId}`, { signature: second })
        expect(added.status, added.text).to.equal(200)
        const card = Buffer.from(
          (await upload(`${other.url}/api/${first.json.documentId}/buildDDC`, bytes)).json.ddc,
          'base64',
        )
        const exported = await request<Answer>(
          `${other.url}/api/${first.json.documentId}/signature/${first.json.signId}`,
        )
        const known = await postJson<Answer>(`${here.url}/api`, { title: 'a', signature: exported.json.signature })
        await upload(`${here.url}/api/${known.json.documentId}/data`, bytes)
        const taken = await upload(`${here.url}/api/parseDDC?registerUnknownSignatures=true`, card)
        expect(taken.status, taken.text).to.equal(200)
        expect(taken.json.signIds).to.have.length(2)
      } finally {
        await Promise.all([other.close(), here.close()])
      }
    })

    it('fail with 422 for a fault of the file, and with 503 and Retry-After otherwise', async () => {
      const ofTheFile = [
        'notPdf',
        'encrypted',
        'broken',
        'tooManyPages',
        'tooManyObjects',
        'tooLarge',
        'timeout',
      ] as const
      const ofOthers = ['busy', 'failed', 'unavailable'] as const
      let thrown: Error = new Error()
      const fail = () => Promise.reject(thrown)
      const failing = definePlugin({
        name: 'failing',
        options: Type.Object({}),
        parts: () => ({ provides: [provideValue(CardBuilder, { build: fail, sample: fail, codes: fail })] }),
      })
      const guarded = await startTestHost(open, {
        authorities,
        plugins: [devAuthorities({ authorities }), failing({})],
      })
      const answer = async (error: Error) => {
        thrown = error
        const { status, json, headers } = await upload(`${guarded.url}/api/checkPDFForDDC`, original)
        return [status, json.code, json.details?.reason, headers.get('retry-after')]
      }
      try {
        for (const fault of ofTheFile)
          expect(await answer(new CardError(fault))).to.deep.equal([422, 'cardNotBuilt', fault, null])
        for (const fault of ofOthers)
          expect(await answer(new CardError(fault))).to.deep.equal([503, 'cardsBusy', fault, '10'])
        expect(await answer(new TypeError('a mistake of ours'))).to.deep.equal([503, 'cardsBusy', 'failed', '10'])
      } finally {
        await guarded.close()
      }
    })

    it('are neither built nor read when the scanner finds malware in the original, or gives no verdict', async () => {
      let verdict: ScanVerdict | undefined = { verdict: 'clean' }
      const scan = async (): Promise<ScanVerdict> => {
        if (verdict === undefined) throw new ScannerUnavailable('it is down')
        return verdict
      }
      const scanner = definePlugin({
        name: 'scanner',
        options: Type.Object({}),
        parts: () => ({ provides: [provideValue(ContentScanner, { scan })] }),
      })
      const guarded = await startTestHost(open, {
        authorities,
        plugins: [devAuthorities({ authorities }), ddcPdf({}), scanner({})],
      })
      try {
        const there = `${guarded.url}/api`
        const { json } = await postJson<Answer>(there, { title: 'a.pdf', signature: signed(original) })
        await upload(`${there}/${json.documentId}/data`, original)
        const built = await upload(`${there}/${json.documentId}/buildDDC`, original)
        expect(built.status, built.text).to.equal(200)
        const card = Buffer.from(built.json.ddc, 'base64')
        const refusals = [
          [{ verdict: 'infected', name: 'Test' }, 422, 'Digital document card content is not safe'],
          [{ verdict: 'tooLarge' }, 422, 'Digital document card content is not safe'],
          [undefined, 503, 'Digital document card content could not be scanned'],
        ] as const
        for (const [found, status, message] of refusals) {
          verdict = found
          for (const [path, body] of [
            [`${json.documentId}/buildDDC`, original],
            ['parseDDC', card],
          ] as const) {
            const answer = await upload(`${there}/${path}`, body)
            expect([answer.status, answer.json.message], path).to.deep.equal([status, message])
          }
        }
      } finally {
        await guarded.close()
      }
    })

    it('have codes that hold a signature: GET /api/{id}/signature/{signId}/qr', async () => {
      const url = `${api}/${documentId}/signature/${signIds[0]}/qr`
      const { json, text } = await request<Answer>(`${url}?qrVersion=40&qrLevel=L`)
      expect(json.qrCodes, text).to.be.an('array')
      const texts = json.qrCodes.map(textOf)
      const joined = joinSignature(texts)
      expect(Buffer.from(joined.signature).toString('base64')).to.equal(json.signature)
      const low = await request<Answer>(`${url}?qrVersion=10`)
      expect([low.status, low.json.message]).to.deep.equal([400, 'QR code versions lower than 11 are not allowed'])
    })

    it('have no alternative for partners of another original, and of what nobody has signed', async () => {
      const other = await upload(`${api}/${documentId}/buildPartnerCMS`, Buffer.concat([original, Buffer.from(' ')]))
      expect([other.status, other.json.code]).to.deep.equal([422, 'signatureDoesNotCorrespond'])
      const system = systemCaller()
      const { documentId: id } = await host.registry.get(RegisterDocument).execute(system, { request: { title: 'a' } })
      await host.registry.get(FixDigests).execute(system, { id, upload: uploadOf(original) })
      const unsigned = await upload(`${api}/${id}/buildPartnerCMS`, original)
      expect([unsigned.status, unsigned.json.code]).to.deep.equal([409, 'noSignaturesInFormat'])
    })

    it('have an alternative for partners: one CMS with content and every signature, which OpenSSL verifies', async () => {
      for (const path of ['buildPartnerCMS', 'buildEzSigner']) {
        const { status, json, text } = await upload(`${api}/${documentId}/${path}`, original)
        expect(status, text).to.equal(200)
        const folder = mkdtempSync(join(tmpdir(), 'partner-'))
        try {
          const [cms, trust, out] = ['cms.der', 'trust.pem', 'out'].map((name) => join(folder, name)) as [
            string,
            string,
            string,
          ]
          const pem = [...authorities.anchors, ...authorities.intermediates].map(
            (der) =>
              `-----BEGIN CERTIFICATE-----\n${der
                .toString('base64')
                .match(/.{1,64}/g)
                ?.join('\n')}\n-----END CERTIFICATE-----\n`,
          )
          writeFileSync(cms, Buffer.from(json.signature, 'base64'))
          writeFileSync(trust, pem.join(''))
          const args = [
            'cms',
            '-verify',
            '-binary',
            '-inform',
            'DER',
            '-in',
            cms,
            '-CAfile',
            trust,
            '-purpose',
            'any',
            '-out',
            out,
          ]
          execFileSync('openssl', args, { stdio: 'pipe' })
          const shown = execFileSync('openssl', ['cms', '-cmsout', '-print', '-inform', 'DER', '-in', cms], {
            encoding: 'utf8',
          })
          expect(shown.match(/signatureAlgorithm:/g)?.length).to.be.at.least(2)
          expect(execFileSync('cat', [out]).equals(original)).to.equal(true)
        } finally {
          rmSync(folder, { recursive: true })
        }
      }
    })
  })
})
