import { createHash } from 'node:crypto'
import type { CheckedSignature } from '@signed-registry/core'
import type { CheckedDdc } from '@signed-registry/core/cards'
import type { CheckedFiles } from '@signed-registry/core/checking'
import type { SignedReport } from '@signed-registry/core/reports'

import { ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { longTermCms } from '#verifier/cms/long-term-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { attachedTo } from '../../plugins/ddc-pdf/attached.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson, request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { DAY, presentAuthorities } from '../../support/pki/authorities.js'
import { unknownCa } from '../../support/pki/strangers.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const STREEBOG512 = '1.2.398.3.10.1.3.3'
const sha256 = (bytes: Uint8Array) => ({ [SHA256]: createHash('sha256').update(bytes).digest('base64') })
const EVIDENCE = { timeStamp: true, ocsp: true }

forEachDatabase((open) => {
  describe('what is not registered', () => {
    let host: TestHost
    const authorities = presentAuthorities()
    const original = Buffer.from('a contract that nobody registered')
    const signer = authorities.named('person-2')
    before(async () => {
      host = await startTestHost(open, { authorities, plugins: [devAuthorities({ authorities }), ddcPdf({})] })
    })
    after(() => host.close())

    const ask = (signature: Buffer | string, digests?: object) =>
      postJson<CheckedSignature & { message: string; code: string }>(`${host.url}/api/checkSignature`, {
        signature: typeof signature === 'string' ? signature : signature.toString('base64'),
        ...(digests && { digests }),
      })
    const check = async (signature: Buffer | string, digests?: object) => {
      const { status, text, json } = await ask(signature, digests)
      expect(status, text).to.equal(200)
      return { ...json, one: json.signatures[0] }
    }
    const outcomes = ({ one }: { one: CheckedSignature['signatures'][number] | undefined }) =>
      one?.checks.map(({ check: name, outcome }) => `${outcome} ${name}`)

    it('is judged by the evidence that the signature carries, over hashes of an original that is not sent', async () => {
      const { valid, one } = await check(signer.signCms(original, EVIDENCE), sha256(original))
      expect(valid).to.equal(true)
      expect(one).to.include({
        indication: 'TOTAL-PASSED',
        conclusion: 'validAt',
        document: 'matches',
        signType: 'cms',
      })
      expect(one?.signer).to.include({ userId: 'IIN900101300020' })
      expect(one?.tsp?.timeStamp).to.equal(one?.time)
      expect(one?.ocsp?.certStatus).to.equal('good')
      expect(one?.missing).to.deep.equal(['chainStatus', 'timeStampStatus'])
    })

    it('is judged the same with its evidence in SignedData', async () => {
      const cms = signer.signCms(original, EVIDENCE)
      const { timeStamp, ocsp } = readCms(cms)
      const longTerm = longTermCms(cms, { timeStamp: timeStamp?.token ?? Buffer.alloc(0), ocsp })
      const told = async (signature: Uint8Array) => {
        const { one } = await check(Buffer.from(signature), sha256(original))
        const { indication, conclusion, time, tsp, ocsp: status, missing } = one ?? {}
        return { indication, conclusion, time, tsp, status, missing }
      }
      expect(await told(longTerm)).to.deep.equal(await told(cms))
      expect(await told(longTerm)).to.include({ indication: 'TOTAL-PASSED', conclusion: 'validAt' })
    })

    it('is not proved to be over anything while nobody shows the document, and is not of another one', async () => {
      const cms = signer.signCms(original, EVIDENCE)
      const alone = await check(cms)
      expect(alone).to.include({ valid: false, indication: 'INDETERMINATE', subIndication: 'SIGNED_DATA_NOT_FOUND' })
      const missing = ['document', 'chainStatus', 'timeStampStatus']
      expect(alone.one).to.deep.include({ document: 'notCompared', missing, digests: sha256(original) })
      const wrong = await check(cms, sha256(Buffer.from('another contract')))
      expect(wrong).to.include({ valid: false, indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE' })
      expect(wrong.one).to.include({ document: 'differs', conclusion: 'refused' })
      const other = await check(cms, { [STREEBOG512]: Buffer.alloc(64).toString('base64') })
      expect(other).to.include({ indication: 'INDETERMINATE', subIndication: 'SIGNED_DATA_NOT_FOUND' })
    })

    it('is never called good without a certificate status inside: no authority is asked on a word of a stranger', async () => {
      const statistics = () => request(`${host.url}/api/externalServicesStats`)
      const before = (await statistics()).text
      for (const options of [{}, { timeStamp: true }]) {
        const { valid, indication, one } = await check(signer.signCms(original, options), sha256(original))
        expect({ valid, indication, conclusion: one?.conclusion }).to.deep.equal({
          valid: false,
          indication: 'INDETERMINATE',
          conclusion: 'intact',
        })
        expect(one?.missing).to.include('status')
        expect(one).not.to.have.property('ocsp')
        expect(outcomes({ one })).to.include('passed path').and.include('failed status')
      }
      expect((await statistics()).text)
        .to.equal(before)
        .and.include('white')
        .and.not.include('green')
    })

    it('carries its document: an attached CMS and a signed XML document need no hash', async () => {
      const attached = await check(signer.signCms(original, { ...EVIDENCE, detached: false }))
      expect(attached).to.include({ valid: true })
      expect(attached.one).to.include({ document: 'carried' })
      const { document: signed } = signer.signXml('<contract><price>100</price></contract>', EVIDENCE)
      expect((await check(signed)).one).to.include({
        indication: 'TOTAL-PASSED',
        document: 'carried',
        covers: 'document',
        signType: 'xml',
      })
      const changed = await check(signed.replace('100', '1000'))
      expect(changed).to.include({ valid: false, indication: 'TOTAL-FAILED' })
    })

    it('is refused by name: a changed value, a stranger’s issuer, a revoked certificate, a national algorithm', async () => {
      const cms = signer.signCms(original, EVIDENCE)
      // The last octet of a CMS without evidence is one of its signature value.
      const bare = Buffer.from(signer.signCms(original))
      bare[bare.length - 1] = (bare.at(-1) ?? 0) ^ 1
      expect(await check(bare, sha256(original))).to.include({
        indication: 'TOTAL-FAILED',
        subIndication: 'SIG_CRYPTO_FAILURE',
      })
      expect((await check(bare)).one?.signer).to.equal(undefined)
      const stranger = authorities.person({ issuer: unknownCa() })
      const unknown = await check(stranger.signCms(original), sha256(original))
      expect(unknown).to.include({ indication: 'INDETERMINATE', subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' })
      expect(unknown.one?.refusal).to.include({ code: 'certificateIssuerUnknown' })
      const revoked = authorities.person()
      authorities.revoke(revoked, Date.now() - DAY)
      const judged = await check(revoked.signCms(original, EVIDENCE), sha256(original))
      expect(judged.one?.refusal).to.include({ code: 'invalidCertificateStatus', reason: 'revoked' })
      const national = authorities.person({ algorithm: 'gost512' }).signCms(original, EVIDENCE)
      const [oid] = Object.keys((await check(national)).one?.digests ?? {})
      expect(oid).to.equal(STREEBOG512)
      expect((await check(cms, sha256(original))).valid).to.equal(true)
    })

    it('that is no signature, or no hash, gets a catalogued error', async () => {
      for (const nothing of ['', 'MAA=', 'not a signature', '<contract/>', '<!DOCTYPE x><x/>']) {
        const { status, json } = await ask(nothing)
        expect([status, json.code], nothing).to.deep.equal([400, 'signatureNotParsed'])
      }
      const cms = signer.signCms(original)
      const many = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`1.${at}`, 'AAAA']))
      for (const digests of [{ [SHA256]: 'not base64' }, { [SHA256]: '' }, { [SHA256]: 'A'.repeat(88) }, many]) {
        const { status, json } = await ask(cms, digests)
        expect([status, json.code], JSON.stringify(digests)).to.deep.equal([400, 'invalidJsonStructure'])
      }
    })

    it('may not be XML of any size: what many signatures cost is bounded', async () => {
      const filler = (bytes: number) => `<contract>${'x'.repeat(bytes)}</contract>`
      const { status, json } = await ask(signer.signXml(filler(520 * 1024)).document)
      expect([status, json.code]).to.deep.equal([413, 'bodyTooLarge'])
      const { document } = signer.signXml(filler(500 * 1024), EVIDENCE)
      expect((await check(document)).valid).to.equal(true)
    })

    it('stays so: nothing is kept of what was checked', async () => {
      const cms = signer.signCms(original, EVIDENCE)
      await check(cms, sha256(original))
      await checkCard([original, cms])
      const { json } = await postJson<{ code: string }>(`${host.url}/api/exported`, {
        signature: cms.toString('base64'),
      })
      expect(json.code).to.equal('signatureNotFound')
      const digest = encodeURIComponent(sha256(original)[SHA256] ?? '')
      expect((await request(`${host.url}/api/findByDigest?digest=${digest}`)).json).to.deep.equal({ documents: [] })
    })

    const cms = (bytes: Buffer) => bytes.toString('base64')
    const together = async (asked: object, headers: Record<string, string> = {}) => {
      const { status, text, json } = await request<CheckedFiles>(`${host.url}/api/checkSignature`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(asked),
      })
      expect(status, text).to.equal(200)
      return json
    }
    const registerOne = async (content: Buffer, settings = {}) => {
      const signature = cms(signer.signCms(content))
      const { json } = await postJson<{ documentId: string; signId: number }>(`${host.url}/api`, {
        signature,
        settings,
      })
      await postBytes(`${host.url}/api/${json.documentId}/data`, new Uint8Array(content))
      return { signature, ...json }
    }

    it('comes with what is registered, which is compared and proved the same: signer, time, evidence', async () => {
      const content = Buffer.from('a contract that is registered')
      const { signature, documentId, signId } = await registerOne(content)
      const named = { name: 'a.p7s', signature }
      const right = await together({
        signatures: [named],
        documents: [{ name: 'a.txt', digests: sha256(content), size: content.length }],
      })
      expect(right).to.include({ outcome: 'proved', valid: true })
      const [one] = right.signatures
      // The signature itself carries no evidence: it is what the registry keeps.
      expect(one).to.include({ file: 'a.p7s', over: 'a.txt', conclusion: 'validAt', document: 'matches' })
      expect(one?.tsp?.timeStamp).to.equal(one?.time)
      expect(one?.ocsp?.certStatus).to.equal('good')
      expect(one?.coverage).to.deep.equal({ of: 'content' })
      expect(one?.registered).to.include({ documentId, signId }).and.have.property('storedAt')
      const [document] = right.documents
      expect(document).to.deep.include({ name: 'a.txt', signatures: [0], signed: 'whole' })
      expect(document?.registered[0]).to.include({ documentId })
      const wrong = await together({
        signatures: [named],
        documents: [{ name: 'b.txt', digests: sha256(Buffer.from('another')) }],
      })
      expect(wrong).to.include({ outcome: 'wrong', valid: false, subIndication: 'HASH_FAILURE' })
      expect(wrong.signatures[0]).to.deep.include({ document: 'differs', registered: one?.registered })
      expect(wrong.documents[0]).to.deep.include({ signatures: [], signed: 'nothing', registered: [] })
      const reported = await request<SignedReport>(`${host.url}/api/makeReport`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ signatures: [named], documents: [{ name: 'a.txt', digests: sha256(content) }] }),
      })
      expect(reported.json, 'the report rests on the same evidence').to.include({ outcome: 'proved' })
      // The form with one signature says the same.
      const old = await together({ signature, digests: sha256(content) })
      expect(old.signatures[0]).to.include({ conclusion: 'validAt', document: 'matches' })
      expect(old.signatures[0]?.registered).to.include({ documentId, signId })
    })

    it('tells what a private document keeps only whoever may see it; that it is registered, whoever has the signature', async () => {
      const content = Buffer.from('a private contract')
      const { signature, documentId, signId } = await registerOne(content, { private: true })
      const asked = {
        signatures: [{ name: 'a.p7s', signature }],
        documents: [{ name: 'a', digests: sha256(content) }],
      }
      const stranger = await together(asked)
      expect(stranger).to.include({ outcome: 'unknown' })
      expect(stranger.signatures[0]?.registered).to.deep.equal({ documentId, signId })
      expect(stranger.signatures[0]).not.to.have.any.keys('tsp', 'ocsp')
      expect(stranger.documents[0]?.registered).to.deep.equal([])
      const cookie = await logInOverHttp(host.url, authorities.named('person-2-auth'))
      const own = await together(asked, { cookie })
      expect(own).to.include({ outcome: 'proved' })
      expect(own.documents[0]?.registered[0]).to.include({ documentId })
    })

    it('is judged together, in any order: each signature over its document, the worst of them for all', async () => {
      const [one, two] = [Buffer.from('the first'), Buffer.from('the second')]
      const signatures = [two, one].map((content, at) => ({
        name: `${at}.p7s`,
        signature: cms(signer.signCms(content, EVIDENCE)),
      }))
      const documents = [one, two].map((content, at) => ({ name: `${at}.txt`, digests: sha256(content) }))
      const all = await together({ signatures, documents })
      expect(all.outcome).to.equal('proved')
      expect(all.signatures.map(({ over }) => over)).to.deep.equal(['1.txt', '0.txt'])
      expect(all.documents.map(({ signatures: own }) => own)).to.deep.equal([[1], [0]])
      const unsigned = { name: 'x.txt', digests: sha256(Buffer.from('signed by nobody')) }
      const more = await together({ signatures, documents: [...documents, unsigned] })
      expect(more.outcome).to.equal('unknown')
      expect(more.documents[2]).to.deep.include({ name: 'x.txt', signatures: [], signed: 'nothing' })
      const none = await together({ documents: [unsigned] })
      expect(none).to.include({ outcome: 'unknown', valid: false, indication: 'INDETERMINATE' })
      const junk = await together({ signatures: [...signatures, { name: 'j.p7s', signature: 'MAA=' }], documents })
      expect(junk).to.include({ outcome: 'wrong' })
      expect(junk.signatures[2]).to.deep.include({ file: 'j.p7s', indication: 'TOTAL-FAILED' })
      expect(junk.signatures[2]?.refusal?.code).to.equal('signatureNotParsed')
      const bare = { name: 'b.p7s', signature: cms(signer.signCms(one)) }
      expect((await together({ signatures: [...signatures, bare], documents })).outcome).to.equal('unknown')
    })

    it('is of ranges, as in a PDF: what was added behind them leaves the whole unknown', async () => {
      const part = Buffer.from('signed ranges')
      const over = {
        name: 'a.pdf',
        digests: sha256(part),
        ranges: [
          [0, 8],
          [20, 25],
        ],
      }
      const signatures = [{ name: 'a.pdf', signature: cms(signer.signCms(part, EVIDENCE)), over }]
      const document = (size: number) => ({ name: 'a.pdf', digests: sha256(Buffer.from('all of it')), size })
      const whole = await together({ signatures, documents: [document(25)] })
      expect(whole.outcome).to.equal('proved')
      expect(whole.signatures[0]?.coverage).to.deep.equal({ of: 'ranges', ranges: over.ranges })
      expect(whole.documents[0]).to.deep.include({ signatures: [0], signed: 'whole' })
      const added = await together({ signatures, documents: [document(26)] })
      expect(added.outcome).to.equal('unknown')
      expect(added.documents[0]).to.deep.include({ signed: 'part' })
    })

    it('is refused when the request is malformed: two forms at once, duplicate names, too many, nothing', async () => {
      const signature = cms(signer.signCms(original, EVIDENCE))
      const signatures = [{ name: 'a', signature }]
      const document = { name: 'a', digests: {} }
      const over = { name: 'a', digests: {}, ranges: [[5, 1]] }
      for (const request of [
        {},
        { digests: {} },
        { signature, signatures },
        { signature, documents: [document] },
        { signatures, documents: [document, document] },
        { signatures: Array(17).fill(signatures[0]) },
        { signatures, documents: Array.from({ length: 17 }, (_, at) => ({ name: `${at}`, digests: {} })) },
        { signatures: [{ name: 'a', signature, over }] },
      ]) {
        const { status, json } = await postJson<{ code: string }>(`${host.url}/api/checkSignature`, request)
        expect([status, json.code], JSON.stringify(request).slice(0, 80)).to.deep.equal([400, 'invalidJsonStructure'])
      }
    })

    const card = (files: readonly Uint8Array[]) =>
      attachedTo(files.map((bytes, at) => ({ name: at === 0 ? 'contract.txt' : `${at}.cms`, bytes })))
    const checkCard = async (files: readonly Uint8Array[]) => {
      const { status, json, text } = await postBytes<CheckedDdc>(
        `${host.url}/api/checkDDC`,
        new Uint8Array(await card(files)),
      )
      expect(status, text).to.equal(200)
      return json
    }
    const shown = ({ signatures }: CheckedDdc) =>
      signatures.map(({ registered, verdict, refusal }) => [
        registered !== undefined,
        verdict?.signatures[0]?.indication ?? refusal?.code,
        verdict?.signatures[0]?.document,
      ])

    it('is a card whose signatures are judged one by one; a genuine card of a registered document is told', async () => {
      const second = authorities.named('employee-1')
      const signature = signer.signCms(original, EVIDENCE)
      const register = (cms: Buffer) =>
        postJson<{ documentId: string; signId: number }>(`${host.url}/api`, { signature: cms.toString('base64') })
      const unknown = await checkCard([original, signature, second.signCms(original, EVIDENCE)])
      expect(unknown).not.to.have.property('documentId')
      expect(unknown.original).to.include({ name: 'contract.txt', size: original.length })
      expect(shown(unknown)).to.deep.equal([
        [false, 'TOTAL-PASSED', 'matches'],
        [false, 'TOTAL-PASSED', 'matches'],
      ])
      const { documentId, signId } = (await register(signature)).json
      const genuine = await checkCard([original, signature])
      expect(genuine).to.include({ documentId })
      expect(genuine.signatures[0]?.registered).to.include({ documentId, signId })
      expect(genuine.signatures[0]?.verdict?.signatures[0]).to.include({ file: '1.cms', over: 'contract.txt' })
      // One that is not registered beside one that is: judged, and the card is not called genuine.
      const mixed = await checkCard([original, signature, authorities.person().signCms(original)])
      expect(mixed).not.to.have.property('documentId')
      expect(shown(mixed)).to.deep.equal([
        [true, 'TOTAL-PASSED', 'matches'],
        [false, 'INDETERMINATE', 'matches'],
      ])
      // Another original beside registered signatures.
      const tampered = await checkCard([Buffer.from('a contract that nobody registereD'), signature])
      expect(tampered).not.to.have.property('documentId')
      expect(shown(tampered)).to.deep.equal([[true, 'TOTAL-FAILED', 'differs']])
      const { document: xml } = signer.signXml('<contract/>', EVIDENCE)
      const junk = await checkCard([original, Buffer.from('no signature'), Buffer.from(xml)])
      expect(shown(junk)).to.deep.equal(Array(2).fill([false, 'signatureNotParsed', undefined]))
    })

    it('is no card: a PDF without signatures, and what is no PDF', async () => {
      for (const bytes of [await card([original]), original]) {
        const { status, json } = await postBytes<{ code: string }>(`${host.url}/api/checkDDC`, new Uint8Array(bytes))
        expect([status, json.code]).to.deep.equal([422, 'cardNotParsed'])
      }
    })
  })
})
