import { anonymous, TrustStore } from '@signed-registry/core'
import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { GetDocumentEvidence } from '@signed-registry/core/evidence'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { verify } from '@signed-registry/verifier'
import { verifyEvidence } from '@signed-registry/verifier/evidence'
import { expect } from 'chai'
import { CheckSignature } from '#core/checking/check-signature.js'
import { SignatureStore } from '#core/documents/index.js'
import { signatureTimeStamp } from '#dev-authorities/cms/attributes.js'
import type { Holder } from '#dev-authorities/cms/signed-data.js'
import { sourceOf } from '#verifier/byte-source.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { forEachDatabase } from '../support/databases.js'
import { withUnsigned } from '../support/pki/archives.js'
import { DAY, NOW } from '../support/pki/authorities.js'
import { rejectionOf } from '../support/refusal.js'
import { uploadOf } from '../support/registry.js'
import { type RenewingRegistry, renewingRegistry } from '../support/renewal/renewing-registry.js'
import { STATEMENT_KEY } from '../support/statement-key.js'

const YEAR = 365 * DAY
const CONTRACT = Buffer.from('I have owed you a million tenge since 2027.')

describe('a forged past', () => {
  forEachDatabase((open) => {
    let test: RenewingRegistry
    let stolen: Holder
    /** A signature of today that a stolen key of an ended authority dates three years back. */
    let forged: Buffer
    beforeEach(async () => {
      test = await renewingRegistry(await open(), { statementKey: STATEMENT_KEY, plugins: [evidenceAsic({})] })
      stolen = test.tsa.holder
      test.clock.time = NOW + YEAR
      forged = test.authorities.person().signCms(CONTRACT, {
        ocsp: true,
        unsignedAttributes: (honest, value) => [
          ...honest,
          signatureTimeStamp(
            test.authorities.tsa.stamp(value, () => ({
              ...{ signer: stolen, hash: stolen.key.hash, certificates: [stolen.certificate] },
              genTime: NOW + YEAR,
            })),
          ),
        ],
      })
      test.clock.time = NOW + 4 * YEAR
      test.tsa.rollOver(3)
    })
    afterEach(() => test.registry.close())

    const trusting = () => ({ trust: test.registry.get(TrustStore).trust(), at: test.clock.time })

    /** As an operator registers it who puts the clock back. */
    async function registered() {
      test.clock.time = NOW + YEAR
      const request = { signature: forged.toString('base64') }
      const { documentId, signId = 0 } = await test.registry.get(RegisterDocument).execute(anonymous, { request })
      await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(CONTRACT) })
      test.clock.time = NOW + 4 * YEAR + DAY
      await test.integrate()
      test.clock.time += DAY
      await test.integrate()
      return { documentId, signId, original: CONTRACT }
    }

    it('by the key of an authority that has ended is not proved to a verifier', () => {
      const { valid, signatures } = verify(forged, { ...trusting(), document: CONTRACT })
      expect(valid).to.equal(false)
      expect(signatures[0]?.conclusion).not.to.equal('validAt')
      expect(signatures[0]?.unused.map(({ reason }) => reason)).to.include('authorityEnded')
    })

    it('by that key is not registered', async () => {
      const request = { signature: forged.toString('base64') }
      const refusal = await rejectionOf(test.registry.get(RegisterDocument).execute(anonymous, { request }))
      expect([refusal.code, refusal.details?.reason]).to.deep.equal(['invalidTspTimeStamp', 'authorityEnded'])
    })

    it('is not proved by what a registry renews of it, and the registry lists it', async () => {
      const document = await registered()
      await test.renew(true)
      expect(await test.record(document)).not.to.equal(undefined)
      expect((await test.verify(document)).proof).to.deep.include({ ended: 1 })
      expect((await test.lost()).map(({ signId }) => signId)).to.deep.equal([document.signId])
      const made = await test.registry.get(GetDocumentEvidence).execute(anonymous, { id: document.documentId })
      const chunks: Uint8Array[] = []
      for await (const chunk of made.bytes()) chunks.push(chunk)
      const verdict = verifyEvidence(Buffer.concat(chunks), {
        ...trusting(),
        documents: [{ name: 'contract.txt', document: sourceOf(CONTRACT) }],
      })
      expect(verdict.outcome).not.to.equal('proved')
    })

    it('by a key that was stolen before anybody saw the stamp is refused', async () => {
      const document = await registered()
      await test.renew(true)
      test.tsa.revoke(stolen, NOW + 2 * YEAR, 'keyCompromise')
      test.tsa.refresh()
      await test.renew()
      expect(await rejectionOf(test.verify(document))).to.have.property('code', 'invalidTspTimeStamp')
      expect((await test.lost()).map(({ because }) => because)).to.deep.equal(['authorityKeyCompromised'])
    })

    it('beside the registered time stamp of a signature is not judged by what the registry has', async () => {
      const [honest] = await test.documents(1)
      if (honest === undefined) throw new Error('no document')
      const [stored] = await test.registry.get(SignatureStore).withEvidence([honest.signId])
      if (stored === undefined) throw new Error('no signature')
      const [signer] = readSignedData(stored.signature).signerInfos
      const token = test.authorities.tsa.stamp(signer?.signature ?? Buffer.alloc(0), () => ({
        ...{ signer: stolen, hash: stolen.key.hash, certificates: [stolen.certificate] },
        genTime: NOW + 2 * YEAR,
      }))
      const registeredAlone = withUnsigned(stored.signature, signatureTimeStamp(Buffer.from(stored.timeStamp)))
      const check = async (signature: Uint8Array) => {
        const request = {
          signature: Buffer.from(signature).toString('base64'),
          data: honest.original.toString('base64'),
        }
        return (await test.registry.get(CheckSignature).execute(anonymous, { request })).signatures[0]
      }
      expect(await check(registeredAlone)).to.include({ conclusion: 'validAt' })
      const both = await check(withUnsigned(registeredAlone, signatureTimeStamp(token)))
      expect(both?.time).not.to.equal(NOW + 2 * YEAR)
      expect(both?.unused.map(({ reason }) => reason)).to.include('authorityEnded')
    })
  })
})
