import { createHash } from 'node:crypto'
import { anonymous } from '@signed-registry/core'
import { type DocumentResource, GetDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { Value } from 'typebox/value'
import { Database } from '#core/database/database.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson, request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { UNTITLED } from '../../support/packages.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const UNKNOWN = 'AAAAAAAAAAAAAAAA'
const contract = Uint8Array.from(Buffer.from('Договор № 1\n'))
const other = Uint8Array.from(Buffer.from('Договор № 2\n'))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

interface Registered {
  documentId: string
  signId: number
  data?: string
}

forEachDatabase((open) => {
  describe('documents over HTTP', () => {
    let host: TestHost
    let api: string
    before(async () => {
      host = await startTestHost(open)
      api = `${host.url}/api`
    })
    after(() => host.close())

    const signed = (content = contract) => base64(host.authorities.person().signCms(content))
    const register = async (fields: object = {}) => {
      const answer = await postJson<Registered>(api, { title: 'договор.txt', signature: signed(), ...fields })
      expect(answer.status, answer.text).to.equal(200)
      return answer.json
    }
    const registerFixed = async (fields: object = {}) => {
      const registered = await register(fields)
      const answer = await postBytes(`${api}/${registered.documentId}/data`, contract)
      expect(answer.status, answer.text).to.equal(200)
      return registered
    }
    const refusal = (answer: { status: number; json: Record<string, unknown> }) => [answer.status, answer.json.message]

    describe('POST /api', () => {
      it('registers a document with its first signature', async () => {
        const { documentId, signId, ...rest } = await register()
        expect(documentId).to.match(/^[A-Za-z0-9]{16}$/)
        expect(signId).to.be.a('number')
        expect(rest).to.deep.equal({})
      })

      it('takes the content out of a CMS that carries it, and answers it in data', async () => {
        const cms = host.authorities.person().signCms(contract, { detached: false })
        const { data, documentId, signId } = await register({ signature: base64(cms) })
        expect(data).to.equal(base64(contract))
        const { json } = await request(`${api}/${documentId}/signature/${signId}?signFormat=1`)
        expect(Buffer.from(String(json.signature), 'base64').includes(Buffer.from(contract))).to.equal(false)
      })

      it('takes PEM as well', async () => {
        const body = signed().replace(/(.{64})/g, '$1\n')
        await register({ signature: `-----BEGIN CMS-----\n${body}\n-----END CMS-----\n` })
      })

      it('takes an XML signature', async () => {
        const { signature, data } = host.authorities.person().signXml('<contract><number>1</number></contract>')
        const { documentId } = await register({ signType: 'xml', signature })
        const fixed = await postBytes(`${api}/${documentId}/data`, Uint8Array.from(data))
        expect(fixed.status, fixed.text).to.equal(200)
      })

      it('keeps a time stamp and a certificate status that the signature brings', async () => {
        const cms = host.authorities.employee().signCms(contract, { timeStamp: true, ocsp: true })
        const { documentId } = await register({ signature: base64(cms) })
        const { json } = await request<{ signatures: { tsp: object; ocsp: object }[] }>(`${api}/${documentId}`)
        expect(json.signatures[0]?.tsp).to.include.keys('timeStamp', 'timeStampPolicy')
        expect(json.signatures[0]?.ocsp).to.include({ certStatus: 'good' })
      })

      it('refuses a signature that is registered already', async () => {
        const signature = signed()
        await register({ signature })
        const again = await postJson(api, { title: 'b', signature })
        expect(refusal(again)).to.deep.equal([409, 'This signature has already been submitted'])
      })

      it('refuses what is no signature, and who may not sign', async () => {
        expect(refusal(await postJson(api, { signature: 'AAAA' }))).to.deep.equal([400, 'Failed to parse signature'])
        const expired = host.authorities.person({ validFrom: Date.now() - 2000, validUntil: Date.now() - 1000 })
        expect(refusal(await postJson(api, { signature: base64(expired.signCms(contract)) }))).to.deep.equal([
          422,
          'Signer certificate expired or not yet valid',
        ])
        const revoked = host.authorities.person()
        host.authorities.revoke(revoked)
        expect(refusal(await postJson(api, { signature: base64(revoked.signCms(contract)) }))).to.deep.equal([
          422,
          'Invalid certificate status',
        ])
      })

      it('refuses fields whose effect it does not have, and says which', async () => {
        const integrationRegisterAuto = { documentTypeCode: 'vehicleSaleContract', signers: ['seller'] }
        const answer = await postJson(api, { signature: signed(), integrationRegisterAuto })
        expect(refusal(answer)).to.deep.equal([400, 'Request field is not supported'])
        expect(JSON.stringify(answer.json.details)).to.include('integrationRegisterAuto')
      })

      it('refuses a registration without a signature', async () => {
        expect(refusal(await postJson(api, { title: 'a' }))).to.deep.equal([400, 'Signature is missing'])
      })
    })

    describe('POST /api/{id}/data', () => {
      it('fixes the hashes of the original, once', async () => {
        const { documentId } = await register()
        const { json } = await postBytes(`${api}/${documentId}/data`, contract)
        const sha256 = createHash('sha256').update(contract).digest('base64')
        expect(json).to.deep.equal({
          documentId,
          signedDataSize: contract.length,
          digests: { [SHA256]: sha256 },
          dataArchived: false,
          tempStorage: false,
        })
        const again = await postBytes(`${api}/${documentId}/data`, contract)
        expect(refusal(again)).to.deep.equal([409, 'Document digests are already known'])
      })

      it('refuses other content, and takes the right one after that', async () => {
        const { documentId } = await register()
        const answer = await postBytes(`${api}/${documentId}/data`, other)
        expect(refusal(answer)).to.deep.equal([422, 'Signature does not correspond to the document'])
        expect((await postBytes(`${api}/${documentId}/data`, contract)).status).to.equal(200)
      })

      it('refuses malformed and unknown identifiers', async () => {
        expect(refusal(await postBytes(`${api}/x/data`, contract))).to.deep.equal([400, 'Invalid document identifier'])
        expect(refusal(await postBytes(`${api}/${UNKNOWN}/data`, contract))).to.deep.equal([404, 'Document not found'])
      })
    })

    describe('GET /api/{id}', () => {
      it('answers the document with all facts of its signatures', async () => {
        const settings = { private: false, signaturesLimit: 5, signersRequirements: [{ iin: 'IIN900101300010' }] }
        const emailNotifications = { to: ['a@example.kz'], language: 'kk/ru' }
        const { documentId, signId } = await registerFixed({ description: 'first', settings, emailNotifications })
        const { json } = await request<Record<string, unknown> & { signatures: Record<string, unknown>[] }>(
          `${api}/${documentId}`,
        )
        expect(json).to.include({
          title: 'договор.txt',
          description: 'first',
          signedDataSize: contract.length,
          signaturesTotal: 1,
          dataArchived: false,
          tempStorage: false,
          canBeArchived: false,
        })
        expect(json.settings).to.deep.include(settings)
        expect(json.emailNotifications).to.deep.include(emailNotifications)
        const [signature] = json.signatures
        expect(signature).to.include({ signId, signType: 'cms' })
        expect(signature?.userId).to.match(/^IIN\d{12}$/)
        expect(signature?.subject).to.include('SERIALNUMBER=IIN')
        expect(signature?.serialNumber).to.match(/^[0-9a-f]+$/)
        expect(signature?.keyUsages).to.deep.equal(['digitalSignature', 'nonRepudiation'])
        expect(signature).to.include.keys(
          'subjectStructure',
          'issuerStructure',
          'policyIds',
          'extKeyUsages',
          'tsp',
          'ocsp',
        )
      })

      it('keeps no field that it does not know', async () => {
        const { documentId } = await register({ other: 'x', emailNotifications: { to: [], other: 'x' } })
        const { query } = host.registry.get(Database)
        const row = await query('registry_documents').where({ id: documentId }).first()
        expect(JSON.stringify(row)).to.not.include('other')
      })

      it('answers what the operation answers, and nothing beside its schema', async () => {
        const description = 'a "signatures":[] \\"signatures":[] </script>'
        const emailNotifications = { to: ['a@example.kz'] }
        const { documentId } = await registerFixed({ description, emailNotifications })
        await postJson(`${api}/${documentId}`, { signature: signed(), signatureEmailNotifications: emailNotifications })
        const { json, text } = await request<DocumentResource>(`${api}/${documentId}`)
        const answer = await host.registry.get(GetDocument).execute(anonymous, { id: documentId })
        expect(json).to.deep.equal(JSON.parse(JSON.stringify(answer)))
        expect(json.description).to.equal(description)
        expect(json.signatures).to.have.length(2)
        expect(Value.Clean(GetDocument.operation.answer, structuredClone(json))).to.deep.equal(json)
        expect(Value.Check(GetDocument.operation.answer, json)).to.equal(true)
        expect(text).to.not.include('<')
      })

      it('says that nobody is notified where nobody asked, and what is attached where it was not said', async () => {
        const { documentId } = await registerFixed()
        const read = async () => (await request<Record<string, unknown>>(`${api}/${documentId}`)).json
        expect((await read()).emailNotifications).to.deep.equal({ to: [], doNotAttachDocument: false })
        const asked = { signature: signed(), signatureEmailNotifications: { to: ['b@example.kz'] } }
        const { json } = await postJson<Registered>(`${api}/${documentId}`, asked)
        expect((await read()).signatureEmailNotifications).to.deep.equal([
          { signId: json.signId, to: ['b@example.kz'], doNotAttachDocument: false },
        ])
      })

      it('refuses a setting that nobody knows, by its name', async () => {
        const settings = { documentAccess: [{ iin: 'IIN900101300010' }, { iin: 'IIN900101300010', bim: 'x' }] }
        for (const given of [{ privat: true }, settings]) {
          const answer = await postJson(api, { signature: signed(), settings: given })
          expect(refusal(answer)).to.deep.equal([400, 'Invalid format of provided document settings'])
          expect(JSON.stringify(answer.json.details)).to.match(/"privat"|"documentAccess.1.bim"/)
        }
      })

      it('answers the signatures after lastSignId', async () => {
        const { documentId, signId } = await registerFixed()
        const second = await postJson<Registered>(`${api}/${documentId}`, { signature: signed() })
        const read = async (last: number) =>
          (await request<{ signatures: Registered[] }>(`${api}/${documentId}?lastSignId=${last}`)).json.signatures
        expect((await read(0)).map((one) => one.signId)).to.deep.equal([signId, second.json.signId])
        expect((await read(signId)).map((one) => one.signId)).to.deep.equal([second.json.signId])
        expect(await read(second.json.signId)).to.deep.equal([])
      })

      it('refuses malformed and unknown identifiers and parameters', async () => {
        expect(refusal(await request(`${api}/x`))).to.deep.equal([400, 'Invalid document identifier'])
        expect(refusal(await request(`${api}/${UNKNOWN}`))).to.deep.equal([404, 'Document not found'])
        const wrong = await request(`${api}/${UNKNOWN}?lastSignId=x`)
        expect(refusal(wrong)).to.deep.equal([400, 'Invalid URL query parameter'])
      })
    })

    describe('POST /api/{id}', () => {
      it('adds a signature over the same content', async () => {
        const { documentId, signId } = await registerFixed()
        const { json } = await postJson<Registered>(`${api}/${documentId}`, {
          signature: signed(),
          signatureEmailNotifications: { to: ['b@example.kz'] },
        })
        expect(json).to.include({ documentId, dataArchived: false, canBeArchived: false })
        expect(json).to.have.nested.property('automaticallyCreatedUserSettings.modifiedAt', 0)
        expect(json.signId).to.be.above(signId)
      })

      it('refuses a signature over other content', async () => {
        const { documentId } = await registerFixed()
        const answer = await postJson(`${api}/${documentId}`, { signature: signed(other) })
        expect(refusal(answer)).to.deep.equal([422, 'Signature does not correspond to the document'])
      })

      it('refuses a signature before the hashes are known, and for no document', async () => {
        const { documentId } = await register()
        const early = await postJson(`${api}/${documentId}`, { signature: signed() })
        expect(refusal(early)).to.deep.equal([409, 'Document digests are not known'])
        const nowhere = await postJson(`${api}/${UNKNOWN}`, { signature: signed() })
        expect(refusal(nowhere)).to.deep.equal([404, 'Document not found'])
      })
    })

    describe('POST /api/{id}/verify', () => {
      it('judges the original and every signature again', async () => {
        const { documentId } = await registerFixed()
        await postJson(`${api}/${documentId}`, { signature: signed() })
        const { json } = await postBytes(`${api}/${documentId}/verify`, contract)
        const { verifiedAt, proof, ...judged } = json
        expect(judged).to.deep.equal({ documentId, dataArchived: false, tempStorage: false, signaturesTotal: 2 })
        expect(verifiedAt).to.be.a('number')
        expect(proof).to.deep.include({ by: 'timeStamp', chains: 0, stamps: 0, ended: 0 })
      })

      it('refuses tampered content', async () => {
        const { documentId } = await registerFixed()
        const answer = await postBytes(`${api}/${documentId}/verify`, other)
        expect(refusal(answer)).to.deep.equal([422, 'Signature does not correspond to the document'])
      })
    })

    describe('POST /api/{id}/notify and POST /api/package/{packageId}/notify', () => {
      it('send nothing where nothing carries mail', async () => {
        const headers = {
          cookie: await logInOverHttp(host.url, host.authorities.person()),
          'content-type': 'application/json',
        }
        const post = <T = Record<string, unknown>>(path: string, body: object) =>
          request<T>(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
        const made = await post<{ packageId: string; documentsIds: string[] }>('/package', {
          ...{ ...UNTITLED, documents: [UNTITLED] },
        })
        const { packageId, documentsIds } = made.json
        const emailNotifications = { to: ['a@example.kz'] }
        for (const path of [`/${documentsIds[0]}/notify`, `/package/${packageId}/notify`]) {
          const { status, json } = await post(path, { emailNotifications })
          expect([status, json.code, json.message], path).to.deep.equal([
            ...[503, 'mailNotAvailable', 'E-mail notifications are not available'],
          ])
        }
        expect(await host.registry.get(Database).query('registry_deliveries')).to.deep.equal([])
      })
    })
  })
})
