import { expect } from 'chai'
import { CarefulHost } from '../../support/careful-host.js'
import { forEachDatabase } from '../../support/databases.js'
import { type Answer, postBytes, postJson, request, sendRaw } from '../../support/http.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { routes } from '../../support/routes.js'

const UNKNOWN = 'A'.repeat(16)
const bytes = (text: string) => Uint8Array.from(Buffer.from(text))

/** Bodies of POST /api that are refused whatever the signature, with status and code. */
const REQUESTS: Readonly<Record<string, [body: unknown, status: number, code: string]>> = {
  'no JSON': ['{', 400, 'jsonNotParsed'],
  'nothing at all': ['', 400, 'jsonNotParsed'],
  'nesting without an end': ['['.repeat(100_000), 400, 'jsonNotParsed'],
  'a key __proto__': ['{"signature":"AAAA","__proto__":{"title":"a"}}', 400, 'jsonNotParsed'],
  'a list': [[], 400, 'invalidJsonStructure'],
  null: [null, 400, 'invalidJsonStructure'],
  'a title that is a number': [{ signature: 'AAAA', title: 5 }, 400, 'invalidJsonStructure'],
  'a signature that is null': [{ signature: null }, 400, 'invalidJsonStructure'],
  'an unknown signType': [{ signature: 'AAAA', signType: 'pdf' }, 400, 'invalidJsonStructure'],
  'settings that are text': [{ signature: 'AAAA', settings: 'private' }, 400, 'invalidJsonStructure'],
  'a limit below zero': [{ signature: 'AAAA', settings: { signaturesLimit: -1 } }, 400, 'invalidJsonStructure'],
  'a unique of an unknown kind': [{ signature: 'AAAA', settings: { unique: ['name'] } }, 400, 'invalidJsonStructure'],
  'a flag that is text': [{ signature: 'AAAA', settings: { private: 'true' } }, 400, 'invalidJsonStructure'],
  'recipients that are no list': [
    { signature: 'AAAA', emailNotifications: { to: 'a@b.kz' } },
    400,
    'invalidJsonStructure',
  ],
  'no recipients': [{ signature: 'AAAA', emailNotifications: {} }, 400, 'invalidJsonStructure'],
  'an address with a line break': [
    { signature: 'AAAA', emailNotifications: { to: ['a@b.kz\r\nBcc: c@d.kz'] } },
    400,
    'invalidNotificationEmail',
  ],
  'a title that leaves its folder': [{ signature: 'AAAA', title: '../../etc/passwd' }, 400, 'invalidDocumentTitle'],
  'a title that turns its direction': [{ signature: 'AAAA', title: 'a\u202efdp.exe' }, 400, 'invalidDocumentTitle'],
  'a title of half a character': ['{"signature":"AAAA","title":"\\ud800"}', 400, 'requestFieldNotText'],
  'a description with a null character': [{ signature: 'AAAA', description: 'a\u0000b' }, 400, 'requestFieldNotText'],
  'a long title': [{ signature: 'AAAA', title: 'a'.repeat(256) }, 400, 'requestFieldTooLarge'],
  'a long description': [{ signature: 'AAAA', description: 'a'.repeat(2001) }, 400, 'requestFieldTooLarge'],
  'settings without an end': [
    { signature: 'AAAA', settings: { signersRequirements: [{ ca: 'a'.repeat(300_000) }] } },
    400,
    'requestFieldTooLarge',
  ],
  'settings of many values': [
    { signature: 'AAAA', settings: { unique: new Array(60_000).fill('iin') } },
    413,
    'tooManyJsonValues',
  ],
  'delivery to vehicle registration': [
    { signature: 'AAAA', integrationRegisterAuto: { documentTypeCode: 'a', signers: [] } },
    400,
    'fieldNotSupported',
  ],
  'no signature from nobody': [{ title: 'a' }, 400, 'signatureMissing'],
  'no fields': [{}, 400, 'signatureMissing'],
  'a number beyond all numbers': ['{"settings":{"signaturesLimit":1e400}}', 400, 'invalidJsonStructure'],
  'a number that JSON cannot keep': [
    '{"settings":{"tempStorageAfterRegistration":9007199254740993}}',
    400,
    'invalidJsonStructure',
  ],
  'a setting that nobody knows': [{ signature: 'AAAA', settings: { privat: true } }, 400, 'invalidDocumentSettings'],
  'a setting that nobody knows, inside': [
    { signature: 'AAAA', settings: { documentAccess: [{ iin: 'IIN900101300010', bim: 'BIN200140000019' }] } },
    400,
    'invalidDocumentSettings',
  ],
  'a signature that is no base64': [{ signature: '%%%' }, 400, 'signatureNotParsed'],
  'PEM of something else': [
    { signature: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    400,
    'signatureNotParsed',
  ],
  'a body of 11 MiB': [{ signature: 'A'.repeat(11 * 2 ** 20) }, 413, 'bodyTooLarge'],
}

forEachDatabase((open) => {
  describe('a bad request is refused with an error of the catalogue, and nothing is stored', () => {
    const authorities = testAuthorities()
    const person = authorities.person()
    let host: CarefulHost
    let written = 0
    const original = () => `document ${++written}`
    before(async () => {
      host = await CarefulHost.start(open, authorities)
    })
    after(() => host.close())

    const refused = async (attempt: () => Promise<Answer>, status: number, code: string) =>
      expect(await host.refused(attempt, status)).to.equal(code)
    const registered = async (text: string) => host.registered(person.signCms(Buffer.from(text)))
    const fixed = async (text: string) => {
      const id = await registered(text)
      expect((await postBytes(`${host.api}/${id}/data`, bytes(text))).status).to.equal(200)
      return id
    }

    for (const [title, [body, status, code]] of Object.entries(REQUESTS)) {
      it(`POST /api with ${title}`, () => refused(() => postJson(host.api, body), status, code))
    }

    it('a signature that is registered already, under a new document or another one', async () => {
      const text = original()
      const cms = person.signCms(Buffer.from(text))
      await host.registered(cms)
      await refused(() => host.register(cms), 409, 'signatureAlreadySubmitted')
      // The value of an ECDSA signature differs each time; what was signed does not.
      await refused(() => host.register(person.signCms(Buffer.from(text))), 409, 'signatureAlreadySubmitted')
      const id = await host.registered(authorities.person().signCms(Buffer.from(text)))
      expect((await postBytes(`${host.api}/${id}/data`, bytes(text))).status).to.equal(200)
      const again = { signature: cms.toString('base64') }
      await refused(() => postJson(`${host.api}/${id}`, again), 409, 'signatureAlreadySubmitted')
    })

    it('other content at /data and at /verify, and /data twice', async () => {
      const text = original()
      const id = await registered(text)
      const send = (to: string, body: string) => () => postBytes(`${host.api}/${id}/${to}`, bytes(body))
      await refused(send('verify', text), 409, 'documentDigestsNotKnown')
      await refused(send('data', 'other'), 422, 'signatureDoesNotCorrespond')
      await refused(send('data', ''), 422, 'signatureDoesNotCorrespond')
      expect((await send('data', text)()).status).to.equal(200)
      await refused(send('data', text), 409, 'documentDigestsAlreadyKnown')
      await refused(send('verify', `${text} `), 422, 'signatureDoesNotCorrespond')
      await refused(send('verify?digest=1.2.3', text), 422, 'digestAlgorithmNotSupported')
      expect((await send('verify', text)()).status).to.equal(200)
    })

    it('a further signature before the hashes are known, over other content, or over another hash', async () => {
      const text = original()
      const id = await registered(text)
      const add = (data: string, hash: 'sha256' | 'sha512' = 'sha256') => {
        const signature = authorities.person().signCms(Buffer.from(data), { hash }).toString('base64')
        return () => postJson(`${host.api}/${id}`, { signature })
      }
      await refused(add(text), 409, 'documentDigestsNotKnown')
      await postBytes(`${host.api}/${id}/data`, bytes(text))
      await refused(add('other'), 422, 'signatureDoesNotCorrespond')
      await refused(add(text, 'sha512'), 409, 'digestsUpdateRequired')
    })

    it('an upload without Content-Length, with a lying one, or of another type', async () => {
      const text = original()
      const id = await registered(text)
      const upload =
        (headers: string, body: string, end = false) =>
        async (): Promise<Answer> => {
          const head = `POST /api/${id}/data HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`
          const answer = await sendRaw(host.api, head + body, { end })
          const [, json = ''] = answer.split('\r\n\r\n')
          return { status: Number(answer.slice(9, 12)), headers: new Headers(), text: answer, json: JSON.parse(json) }
        }
      const binary = 'Content-Type: application/octet-stream'
      const chunked = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
      await refused(upload(`${binary}\r\nTransfer-Encoding: chunked`, chunked), 400, 'contentLengthNotSet')
      await refused(upload(binary, ''), 400, 'contentLengthNotSet')
      const shorter = upload(`${binary}\r\nContent-Length: ${text.length - 1}`, text.slice(0, -1))
      await refused(shorter, 422, 'signatureDoesNotCorrespond')
      await refused(
        upload(`Content-Type: text/plain\r\nContent-Length: ${text.length}`, text),
        415,
        'unsupportedMediaType',
      )
      expect((await upload(`${binary}\r\nContent-Length: ${text.length}`, text)()).status).to.equal(200)
    })

    it('an upload that breaks off leaves the document as it was', async () => {
      const text = original()
      const id = await registered(text)
      const head = `POST /api/${id}/data HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n`
      await sendRaw(host.api, head + text, { end: true })
      expect((await request(`${host.api}/${id}`)).json.signedDataSize).to.equal(0)
      expect((await postBytes(`${host.api}/${id}/data`, bytes(text))).status).to.equal(200)
    })

    for (const [title, id, code, status] of [
      ['malformed', 'x', 'invalidDocumentIdentifier', 400],
      ['in another alphabet', 'Ы'.repeat(16), 'invalidDocumentIdentifier', 400],
      ['with an injection', "'%20or%201=1--%20", 'invalidDocumentIdentifier', 400],
      ['a word of an address that is not there', 'govQrs', 'invalidDocumentIdentifier', 400],
      ['unknown', UNKNOWN, 'documentNotFound', 404],
    ] as const) {
      it(`an identifier that is ${title}`, async () => {
        const signature = person.signCms(Buffer.from('document')).toString('base64')
        const at = (path: string) => `${host.api}/${id}${path}`
        // Alone after the prefix it is an address, and no document.
        const alone = id === 'govQrs' ? { status: 404, code: 'invalidRoute' } : { status, code }
        await refused(() => request(at('')), alone.status, alone.code)
        await refused(() => postJson(at(''), { signature }), alone.status, alone.code)
        await refused(() => postBytes(at('/data'), bytes('a')), status, code)
        await refused(() => postBytes(at('/verify'), bytes('a')), status, code)
        await refused(() => request(at('/signature/1')), status, code)
        await refused(() => request(at('/buildFileName?name=a')), status, code)
      })
    }

    it('wrong identifiers of signatures, formats, names and parameters', async () => {
      const id = await fixed(original())
      const ask = (path: string) => () => request(`${host.api}${path}`)
      await refused(ask(`/${id}/signature/999999`), 404, 'invalidSignatureIdentifier')
      await refused(ask(`/${id}/signature/x`), 404, 'invalidSignatureIdentifier')
      await refused(ask(`/${id}/signature/1e300`), 404, 'invalidSignatureIdentifier')
      await refused(ask(`/${id}/signature/1?signFormat=3`), 400, 'invalidSignatureExportFormat')
      await refused(ask(`/${id}/signature/1?cmsAsPem=maybe`), 400, 'invalidQueryParameter')
      await refused(ask(`/${id}?lastSignId=x`), 400, 'invalidQueryParameter')
      await refused(ask(`/${id}/buildFileName?name=a%2Fb`), 400, 'invalidFileName')
      await refused(ask('/idFromFileName/?name=contract.pdf'), 400, 'invalidFileName')
      await refused(ask('/idFromFileName/'), 400, 'invalidQueryParameter')
      await refused(ask('/normalizeId/what'), 400, 'invalidDocumentIdentifier')
      await refused(ask('/nothing/here'), 404, 'invalidRoute')
      await refused(() => request(`${host.api}/version`, { method: 'DELETE' }), 405, 'invalidMethod')
    })

    it('a method that an address does not have, and says which it has', async () => {
      const { status, headers, json } = await request(`${host.api}/version`, { method: 'DELETE' })
      expect(status).to.equal(405)
      expect(headers.get('allow')).to.equal('GET, HEAD')
      expect(json).to.have.nested.property('details.allow').that.deep.equals(['GET', 'HEAD'])
      for (const method of ['QUERY', 'SEARCH'])
        for (const path of ['', '/version', '/nothing']) {
          const answer = await request(`${host.api}${path}`, { method })
          expect([answer.status, answer.json.code], `${method} ${path}`).to.deep.equal([404, 'invalidRoute'])
        }
    })

    it('no body at all, wherever one may come', async () => {
      await refused(() => request(host.api, { method: 'POST' }), 400, 'invalidJsonStructure')
      for (const { method, path } of routes.filter((route) => route.method !== 'GET')) {
        const { status, text } = await request(`${host.api}${path.replace(/:\w+/g, UNKNOWN)}`, { method })
        expect(status, `${method} ${path}: ${text}`).to.be.below(500)
      }
    })

    it('a signature that was never exported, and one with other evidence', async () => {
      const find = (cms: Buffer) => () => postJson(`${host.api}/exported`, { signature: cms.toString('base64') })
      await refused(find(person.signCms(Buffer.from(original()))), 404, 'signatureNotFound')
      const text = original()
      await registered(text)
      const stamped = person.signCms(Buffer.from(text), { timeStamp: true, ocsp: true })
      await refused(find(stamped), 404, 'signatureNotFound')
    })
  })
})
