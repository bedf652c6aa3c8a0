import { anonymous, createRegistry, type Plugin, provideValue, type Registry } from '@signed-registry/core'

import { FixDigests, RegisterDocument, VerifyDocument } from '@signed-registry/core/documents'
import { Certificate, defaultSignaturePolicy, SignaturePolicy, signerKey } from '@signed-registry/core/signatures'
import { devAuthorities, type Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import * as olderSignerKeys from '#core/documents/migrations/0076-older-signer-keys.js'
import { signingCertificateV2 } from '#dev-authorities/cms/attributes.js'
import { CMS } from '#dev-authorities/oids.js'
import { forEachDatabase } from '../../support/databases.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'
import { openssl } from '../../support/pki/openssl.js'
import { rejectionOf } from '../../support/refusal.js'
import { uploadOf } from '../../support/registry.js'

describe('a signature that does not name its certificate', () => {
  forEachDatabase((open) => {
    const clock = testClock()
    const authorities = testAuthorities({ clock })
    let count = 0
    const openOn = (database: string, signingCertificate: SignaturePolicy['signingCertificate']) => {
      const policy: Plugin = {
        name: 'strict',
        provides: [provideValue(SignaturePolicy, { ...defaultSignaturePolicy, signingCertificate })],
      }
      return createRegistry({ database, clock, plugins: [devAuthorities({ authorities }), policy] })
    }

    const openWith = async (rule: SignaturePolicy['signingCertificate']) => openOn(await open(), rule)

    /** Somebody with two certificates of one key, each for another organization. */
    const twice = () => {
      const one = authorities.employee({ bin: '123456789021' })
      return [one, authorities.employee({ key: one.key, bin: '210987654321' })] as const
    }
    const register = async (registry: Registry, signer: Subject, named: boolean | 'sha1') => {
      count += 1
      const original = Buffer.from(`contract ${count}`)
      const signature = signer.signCms(original, {
        signedAttributes: (honest) => [
          ...honest.filter(({ oid }) => oid !== CMS.signingCertificateV2),
          ...(named === false ? [] : [signingCertificateV2(signer.certificate, named === 'sha1' ? named : 'sha256')]),
        ],
      })
      const request = { signature: signature.toString('base64') }
      const { documentId } = await registry.get(RegisterDocument).execute(anonymous, { request })
      await registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      return { documentId, original }
    }
    const refused = async (attempt: Promise<unknown>) => {
      const { code, details } = await rejectionOf(attempt)
      return `${code} ${details?.reason} ${details?.verdict}`
    }
    const refusalsOf = async (attempts: readonly Promise<unknown>[]) => {
      const outcomes = await Promise.allSettled(attempts)
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      return refusals.map(({ code, details }) => `${code} ${details.reason} ${details.verdict}`)
    }
    const EXCHANGED = 'invalidSignature signingCertificate keyUnderOtherCertificate'

    describe('where the policy accepts it while its key is not known under another one (`known`)', () => {
      let registry: Registry
      before(async () => {
        registry = await openWith('known')
      })
      after(() => registry.close())

      it('is registered, again and again under the same certificate', async () => {
        const [one] = twice()
        await register(registry, one, false)
        await register(registry, one, false)
      })

      it('is refused under another certificate of a known key, and accepted when it names it', async () => {
        const [one, other] = twice()
        await register(registry, one, true)
        expect(await refused(register(registry, other, false))).to.equal(EXCHANGED)
        await register(registry, other, true)
        expect(await refused(register(registry, one, false))).to.equal(EXCHANGED)
      })

      it('whose signer is named by the key only is accepted under the first certificate, and under no other', async () => {
        const [rightful, swapped] = twice()
        const original = Buffer.from('named by its key')
        const byKey = (holder: Subject) => {
          const files = { 'cert.pem': holder.certificatePem, 'key.pem': holder.keyPem, data: original }
          const args =
            'cms -sign -binary -in data -signer cert.pem -inkey key.pem -keyid -md sha256 -outform DER -out cms'
          return openssl(args, files, ({ ok, output, file }) => {
            expect(ok, output).to.equal(true)
            return file('cms')
          })
        }
        // Nothing in what is signed tells the two apart: the identifier of the key is the same.
        const take = (cms: Buffer) =>
          registry.get(RegisterDocument).execute(anonymous, { request: { signature: cms.toString('base64') } })
        await take(byKey(swapped))
        expect(await refused(take(byKey(rightful)))).to.equal(EXCHANGED)
        // Who names their certificate cannot be shut out by who swapped it before.
        await register(registry, rightful, true)
        expect(await refused(take(byKey(swapped)))).to.equal(EXCHANGED)
      })

      it('is one that names it by SHA-1 too', async () => {
        const [one, other] = twice()
        await register(registry, one, 'sha1')
        expect(await refused(register(registry, other, 'sha1'))).to.equal(EXCHANGED)
        await register(registry, other, true)
      })

      it('is registered under one of two concurrent certificates', async () => {
        for (let round = 0; round < 5; round += 1) {
          const [one, other] = twice()
          const attempts = [register(registry, one, false), register(registry, other, false)]
          expect(await refusalsOf(attempts)).to.deep.equal([EXCHANGED])
        }
      })

      it('is registered under one of two certificates that come to two hosts concurrently', async () => {
        const url = await open()
        const hosts = await Promise.all([openOn(url, 'known'), openOn(url, 'known')])
        try {
          for (let round = 0; round < 5; round += 1) {
            const attempts = twice().map((signer, at) => register(hosts[at] ?? registry, signer, false))
            expect(await refusalsOf(attempts)).to.deep.equal([EXCHANGED])
          }
        } finally {
          for (const host of hosts) await host.close()
        }
      })

      it('is refused when its key was claimed for another certificate meanwhile', async () => {
        const [one, other] = twice()
        const [mine, claimed] = [one, other].map(({ certificate }) => signerKey(Certificate.parse(certificate)))
        const claim = { signer_key: mine?.key, signer_certificate: claimed?.certificate }
        await registry.get(Database).query('registry_claimed_keys').insert(claim)
        expect(await refused(register(registry, one, false))).to.equal(EXCHANGED)
        await register(registry, one, true)
      })

      it('is refused under a certificate other than that of a signature from before keys were stored', async () => {
        const [one, other] = twice()
        await register(registry, one, true)
        const forgotten = { signer_key: null, signer_certificate: null }
        const rows = () => registry.get(Database).query('registry_signatures')
        const before = await rows().orderBy('sign_id').select('signer_key', 'signer_certificate')
        await rows().update(forgotten)
        await olderSignerKeys.up(registry.get(Database).query)
        expect(await rows().orderBy('sign_id').select('signer_key', 'signer_certificate')).to.deep.equal(before)
        expect(await refused(register(registry, other, false))).to.equal(EXCHANGED)
      })

      it('stays valid when its key is seen under another certificate later', async () => {
        const [one, other] = twice()
        const { documentId, original } = await register(registry, one, false)
        await register(registry, other, true)
        await registry.get(VerifyDocument).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      })
    })

    it('is refused or accepted by the policies `required` and `optional`', async () => {
      const [one, other] = twice()
      const strict = await openWith('required')
      for (const named of [false, 'sha1'] as const)
        expect(await refused(register(strict, one, named))).to.equal('invalidSignature signingCertificate absent')
      await register(strict, one, true)
      await strict.close()
      const lenient = await openWith('optional')
      await register(lenient, one, true)
      await register(lenient, other, false)
      await lenient.close()
    })
  })
})
