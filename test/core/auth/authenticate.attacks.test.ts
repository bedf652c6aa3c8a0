import { createHash } from 'node:crypto'
import { anonymous } from '@signed-registry/core'

import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { SignPackage } from '@signed-registry/core/packages'
import { BeginDocumentProcedure } from '@signed-registry/core/procedures'
import type { Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { newNonce as inventNonce } from '#core/auth/nonce.js'
import { ForgetNonces, NonceStore } from '#core/auth/nonce-store.js'
import { Database } from '#core/database/database.js'
import { forEachDatabase } from '../../support/databases.js'
import { authenticate, logIn, newNonce, signNonce, signNonceXml } from '../../support/login.js'
import { fixedPackage, signaturesOver } from '../../support/packages.js'
import { DAY, MINUTE, NOW } from '../../support/pki/authorities.js'
import { impostorAuthorities } from '../../support/pki/strangers.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'
import { C14N, ENVELOPED, signatureTemplate, signTemplate } from '../../support/xml/sign-template.js'

const refusal = async (attempt: Promise<unknown>) => {
  const { code, details } = await rejectionOf(attempt)
  return `${code} ${String(details?.reason)}`
}

describe('attacks on authentication by nonce', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let url: string
    let somebody: Subject
    beforeEach(async () => {
      url = await open()
      test = await testRegistry(url)
      somebody = test.authorities.person()
    })
    afterEach(() => test.registry.close())
    const post = (nonce: string, signature: string) => authenticate(test.registry, { nonce, signature })
    const rowsOf = async (table: string) =>
      Number((await test.registry.get(Database).query(table).count({ n: '*' }))[0]?.n)

    it('replay: a nonce is used once', async () => {
      const nonce = await newNonce(test.registry)
      const signature = signNonce(somebody, nonce)
      await post(nonce, signature)
      const { message, details } = await rejectionOf(post(nonce, signature))
      expect(message).to.equal('Invalid authentication nonce')
      expect(details).to.deep.equal({ reason: 'unknownOrUsed' })
      expect(await rowsOf('registry_authentications')).to.equal(1)
    })

    it('replay after a failure: one nonce buys one attempt', async () => {
      const nonce = await newNonce(test.registry)
      expect(await refusal(post(nonce, 'AAAA'))).to.contain('signatureNotParsed')
      expect(await refusal(post(nonce, signNonce(somebody, nonce)))).to.equal('invalidNonce unknownOrUsed')
    })

    it('race: of many requests with one nonce, on two hosts, one wins', async () => {
      const other = await testRegistry(url, { clock: test.clock, authorities: test.authorities })
      try {
        for (let round = 0; round < 5; round += 1) {
          const nonce = await newNonce(test.registry)
          const signature = signNonce(somebody, nonce)
          const attempts = Array.from({ length: 10 }, (_, index) =>
            authenticate((index % 2 === 0 ? test : other).registry, { nonce, signature }).then(
              () => 'in',
              (error: { code: string }) => error.code,
            ),
          )
          const outcomes = await Promise.all(attempts)
          expect(outcomes.filter((outcome) => outcome === 'in')).to.have.length(1)
          expect(outcomes.filter((outcome) => outcome === 'invalidNonce')).to.have.length(9)
        }
        expect(await rowsOf('registry_authentications')).to.equal(5)
      } finally {
        await other.registry.close()
      }
    })

    it('an old nonce: it is valid for five minutes', async () => {
      const nonce = await newNonce(test.registry)
      const late = await newNonce(test.registry)
      test.clock.time = NOW + 5 * MINUTE - 1
      await post(nonce, signNonce(somebody, nonce))
      test.clock.time = NOW + 5 * MINUTE
      expect(await refusal(post(late, signNonce(somebody, late)))).to.equal('invalidNonce unknownOrUsed')
    })

    it('another nonce: a signature over one nonce is not valid for another', async () => {
      for (const detached of [true, false]) {
        const mine = await newNonce(test.registry)
        const signature = signNonce(somebody, await newNonce(test.registry), { detached })
        expect(await refusal(post(mine, signature))).to.equal('invalidNonce signedOther')
      }
    })

    it('a signature so long that reading it would take too much time', async () => {
      const nonce = await newNonce(test.registry)
      expect(await refusal(post(nonce, `<a>${'<b/>'.repeat(32_768)}</a>`))).to.contain('requestFieldTooLarge')
    })

    it('a forged nonce', async () => {
      const made = inventNonce('registry.example.kz').bytes.toString('base64')
      expect(await refusal(post(made, signNonce(somebody, made)))).to.equal('invalidNonce unknownOrUsed')
      for (const nonce of ['', 'x', Buffer.alloc(32, 7).toString('base64'), `${made} `, `${made}=`]) {
        expect(await refusal(post(nonce, signNonce(somebody, nonce)))).to.equal('invalidNonce malformed')
      }
    })

    it('a document signature cannot log in', async () => {
      const nonce = await newNonce(test.registry)
      const contract = somebody.signCms(Buffer.from('a contract'), { detached: false, timeStamp: true, ocsp: true })
      expect(await refusal(post(nonce, contract.toString('base64')))).to.equal('invalidNonce signedOther')
    })

    for (const detached of [true, false]) {
      it(`a nonce signature, ${detached ? 'detached' : 'attached'}, is not accepted as a document signature, before the login or after`, async () => {
        const nonce = await newNonce(test.registry)
        const signature = signNonce(somebody, nonce, { detached })
        const register = () =>
          test.registry.get(RegisterDocument).execute(anonymous, { request: { title: 'loan.txt', signature } })
        expect(await refusal(register())).to.equal('invalidSignature overNonce')
        await post(nonce, signature)
        expect(await refusal(register())).to.equal('invalidSignature overNonce')
        test.clock.time += 6 * MINUTE
        expect(await refusal(register())).to.equal('invalidSignature overNonce')
        expect(await rowsOf('registry_documents')).to.equal(0)
      })
    }

    it('a nonce signature that outlived the stored nonce never gets its original', async () => {
      const nonce = await newNonce(test.registry)
      const signature = signNonce(somebody, nonce)
      test.clock.time += DAY + 6 * MINUTE
      await test.registry.get(ForgetNonces).run()
      const { documentId } = await test.registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      const original = uploadOf(Buffer.from(nonce, 'base64'))
      const fix = test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: original })
      expect(await refusal(fix)).to.equal('invalidSignature overNonce')
      const again = somebody.signCms(Buffer.from(nonce, 'base64')).toString('base64')
      const add = test.registry.get(AddSignature).execute(anonymous, { id: documentId, request: { signature: again } })
      expect(await refusal(add)).to.contain('documentDigestsNotKnown')
    })

    it('an XML nonce signature is not accepted as a document signature', async () => {
      const nonce = await newNonce(test.registry)
      const { signature, document, data } = somebody.signXml(`<login>${nonce}</login>`)
      const register = () =>
        test.registry.get(RegisterDocument).execute(anonymous, { request: { signType: 'xml', signature } })
      const { documentId } = await register()
      const fix = test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(data) })
      expect(await refusal(fix)).to.equal('invalidSignature overNonce')
      await post(nonce, document)
      expect(await refusal(register())).to.equal('invalidSignature overNonce')
    })

    it('a signature over data that was once signed to log in is refused under every document', async () => {
      const signed = async (original: Buffer) => somebody.signCms(original).toString('base64')
      const original = Buffer.from('taken for a document')
      const { documentId } = await test.registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature: await signed(original) } })
      await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      const { packageId, originals } = await fixedPackage(test)
      const hashes = [original, ...originals].map((one) => createHash('sha256').update(one).digest())
      await test.registry.get(NonceStore).addUsed(hashes)
      const other = test.authorities.person()
      const request = { signature: other.signCms(original).toString('base64') }
      const add = test.registry.get(AddSignature).execute(anonymous, { id: documentId, request })
      expect(await refusal(add)).to.equal('invalidSignature overNonce')
      const signatures = signaturesOver(originals, other)
      const sign = test.registry.get(SignPackage).execute(anonymous, { packageId, request: { signatures } })
      expect(await refusal(sign)).to.equal('invalidSignature overNonce')
      const { session } = await logIn(test.registry, somebody)
      const given = { description: 'Sign', document: original.toString('base64'), tempStorage: true }
      const begin = test.registry
        .get(BeginDocumentProcedure)
        .execute(session?.caller ?? anonymous, { id: documentId, request: given })
      expect(await refusal(begin)).to.equal('invalidSignature overNonce')
    })

    it('a nonce in another form is refused as an original', async () => {
      const nonce = await newNonce(test.registry)
      const forms = [nonce, Buffer.from(nonce, 'base64').toString('hex'), `<a><!-- -->${nonce}</a>`, `{"a":"${nonce}"}`]
      for (const original of forms.map((form) => Buffer.from(form))) {
        const request = { signature: somebody.signCms(original).toString('base64') }
        const { documentId } = await test.registry.get(RegisterDocument).execute(anonymous, { request })
        const fix = test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
        expect(await refusal(fix)).to.equal('invalidSignature overNonce')
      }
    })

    it('originals that only mention a nonce are accepted', async () => {
      const nonce = await newNonce(test.registry)
      const original = Buffer.from(`the nonce ${nonce} was used`)
      const signature = somebody.signCms(original).toString('base64')
      const { documentId } = await test.registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
    })

    it('XML whose signature covers a part, or that says more than the nonce, is refused', async () => {
      const cases: [string, (nonce: string) => string][] = [
        [
          'invalidNonce signedOther',
          (nonce) => somebody.signXml(`<a><b>${nonce}</b><c>and 100 tenge</c></a>`).document,
        ],
        ['invalidNonce signedOther', (nonce) => somebody.signXml(`<a><b>${nonce}</b><b>${nonce}</b></a>`).document],
        ['invalidNonce signedOther', () => somebody.signXml('<a></a>').document],
        ['invalidNonce signedOther', (nonce) => somebody.signXml(`<a b="${nonce}"></a>`).document],
        ['invalidNonce signedOther', (nonce) => somebody.signXml(`<a>${'<b></b>'.repeat(800)}${nonce}</a>`).document],
        ['invalidSignature digest', (nonce) => signNonceXml(somebody, 'x').replace('>x<', `>${nonce}<`)],
        [
          'signatureNotParsed severalSignatures',
          (nonce) => signNonceXml(somebody, nonce).replace(/(<ds:Signature .*<\/ds:Signature>)/s, '$1$1'),
        ],
        [
          'signatureNotParsed doctype',
          (nonce) => `<!DOCTYPE a [<!ENTITY n "${nonce}">]>${signNonceXml(somebody, nonce)}`,
        ],
        [
          'invalidNonce documentNotSigned',
          (nonce) => {
            const references = [{ uri: ' URI="#n"' }]
            const signature = signatureTemplate(somebody, { references })
            return signTemplate(`<a><b Id="n">${nonce}</b><c>anything</c>${signature}</a>`, somebody)
          },
        ],
        [
          'invalidNonce documentNotSigned',
          (nonce) => {
            const references = [{ transforms: [ENVELOPED, C14N] }, { uri: ' URI="#n"' }]
            const signature = signatureTemplate(somebody, { references })
            return signTemplate(`<a><b Id="n">${nonce}</b>${signature}</a>`, somebody)
          },
        ],
        ['signatureNotParsed signatureMissing', (nonce) => `<login><nonce>${nonce}</nonce></login>`],
      ]
      for (const [expected, make] of cases) {
        const nonce = await newNonce(test.registry)
        expect(await refusal(post(nonce, make(nonce)))).to.equal(expected)
      }
    })

    it('certificates that identify nobody', async () => {
      const { authorities } = test
      const revoked = authorities.person()
      authorities.revoke(revoked)
      const cases: [string, Subject][] = [
        ['invalidCertificateStatus revoked', revoked],
        ['signerCertificateNotValidNow', authorities.person({ validUntil: NOW - 1 })],
        ['signerCertificateNotValidNow', authorities.person({ validFrom: NOW + MINUTE })],
        ['certificateIssuerUnknown', impostorAuthorities().person()],
        ['badSignerCertificate extKeyUsage', authorities.person({ purposes: ['1.3.6.1.5.5.7.3.1'] })],
        ['badSignerCertificate keyUsage', authorities.person({ keyUsages: ['keyEncipherment'] })],
        ['badSignerCertificate userIdMissing', authorities.system({ use: 'authentication' })],
        ['badSignerCertificate tooManyPurposes', authorities.person({ purposes: manyPurposes })],
        ['algorithmNotTrusted keySize', authorities.person({ algorithm: 'rsa1024' })],
      ]
      for (const [expected, subject] of cases) {
        expect(await refusal(logIn(test.registry, subject))).to.contain(expected)
      }
      expect(await rowsOf('registry_authentications')).to.equal(0)
    })

    it('an OCSP answer that comes along does not hide a revocation', async () => {
      const nonce = await newNonce(test.registry)
      const signature = signNonce(somebody, nonce, { timeStamp: true, ocsp: true })
      test.authorities.revoke(somebody, NOW)
      expect(await refusal(post(nonce, signature))).to.equal('invalidCertificateStatus revoked')
    })

    it('an OCSP responder that does not answer: nobody is logged in', async () => {
      test.authorities.ocsp.respond = () => Buffer.from('300a0601', 'hex')
      const { kind, code } = await rejectionOf(logIn(test.registry, somebody))
      expect([kind, code]).to.deep.equal(['unavailable', 'ocspServerProblem'])
      expect(await rowsOf('registry_authentications')).to.equal(0)
    })

    it('a huge signature', async () => {
      const nonce = await newNonce(test.registry)
      expect(await refusal(post(nonce, 'A'.repeat(600 * 1024)))).to.contain('requestFieldTooLarge')
    })

    it('many nonces: they are deleted a day after they expired', async () => {
      for (let count = 0; count < 3; count += 1) await newNonce(test.registry)
      const before = await rowsOf('registry_nonces')
      test.clock.time += DAY + 5 * MINUTE
      await test.registry.get(ForgetNonces).run()
      expect(await rowsOf('registry_nonces')).to.equal(before)
      test.clock.time += 1
      await newNonce(test.registry)
      await test.registry.get(ForgetNonces).run()
      expect(await rowsOf('registry_nonces')).to.equal(before / 3)
    })
  })
})

const manyPurposes = Array.from({ length: 33 }, (_, index) => `1.2.398.3.3.4.9.${index}`)
