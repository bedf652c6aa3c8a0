import { createHash } from 'node:crypto'
import type { CheckedDdc, CheckedSignature } from '@signed-registry/core'
import { ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { attachedTo } from '../../plugins/ddc-pdf/attached.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson, request } from '../../support/http.js'
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
      expect(one?.missing).to.deep.equal([])
    })

    it('is not proved to be over anything while nobody shows the document, and is not of another one', async () => {
      const cms = signer.signCms(original, EVIDENCE)
      const alone = await check(cms)
      expect(alone).to.include({ valid: false, indication: 'INDETERMINATE', subIndication: 'SIGNED_DATA_NOT_FOUND' })
      expect(alone.one).to.deep.include({ document: 'notCompared', missing: ['document'], digests: sha256(original) })
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
      expect(genuine.signatures[0]?.registered).to.deep.equal({ documentId, signId })
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
