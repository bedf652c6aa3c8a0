import { anonymous } from '@signed-registry/core'
import { ExportSignature, FindExportedSignature, RegisterDocument } from '@signed-registry/core/documents'
import { type LongTermEvidence, longTermCms, readCms } from '@signed-registry/core/signatures'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { MINUTE, NOW } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const TEXT = Buffer.from('contract')
const HOUR = 60 * MINUTE

forEachDatabase((open) => {
  describe('a certificate status in SignedData', () => {
    let test: TestRegistry
    let second: TestRegistry
    before(async () => {
      test = await testRegistry(await open())
      const { clock, authorities } = test
      second = await testRegistry(await open(), { clock, authorities })
    })
    after(async () => {
      await test.registry.close()
      await second.registry.close()
    })
    beforeEach(() => {
      test.clock.time = NOW
    })

    const register = async ({ registry }: TestRegistry, cms: Uint8Array) => {
      const request = { signature: Buffer.from(cms).toString('base64') }
      const { documentId, signId = 0 } = await registry.get(RegisterDocument).execute(anonymous, { request })
      return { documentId, signId }
    }
    const exported = async ({ registry }: TestRegistry, { documentId: id, signId }: Registered, signFormat: number) => {
      const { signature } = await registry
        .get(ExportSignature)
        .execute(anonymous, { id, signId, query: { signFormat } })
      return Buffer.from(signature, 'base64')
    }
    type Registered = Awaited<ReturnType<typeof register>>

    /** A new signature with its time stamp, and these answers in SignedData. */
    const withAnswer = (change: (honest: Buffer) => Partial<LongTermEvidence>) => {
      const { authorities } = test
      const signer = authorities.person()
      const cms = signer.signCms(TEXT, { timeStamp: true })
      const honest = authorities.ocsp.status(signer.certificate, signer.issuer)
      const timeStamp = readCms(cms).timeStamp?.token ?? Buffer.alloc(0)
      return longTermCms(cms, { timeStamp, ocsp: honest, ...change(honest) })
    }

    it('registers a signature of another registry at any time after', async () => {
      const first = await register(test, test.authorities.person().signCms(TEXT))
      test.clock.time = NOW + HOUR
      const longTerm = await exported(test, first, 2)
      const registered = await register(second, longTerm)
      const [before, after] = [await exported(test, first, 0), await exported(second, registered, 0)]
      expect(readCms(after).ocsp).to.deep.equal(readCms(before).ocsp)
      expect((await exported(second, registered, 2)).equals(longTerm)).to.equal(true)
    })

    it('is found again in every form, by its registered time stamp', async () => {
      const registered = await register(test, test.authorities.person().signCms(TEXT))
      const signature = (await exported(test, registered, 2)).toString('base64')
      const found = test.registry.get(FindExportedSignature).execute(anonymous, { request: { signature } })
      expect(await found).to.deep.equal(registered)
    })

    const tampered = (answer: Buffer) => {
      const changed = Buffer.from(answer)
      changed.writeUInt8(changed.readUInt8(60) ^ 1, 60)
      return changed
    }
    const useless: Record<string, (honest: Buffer) => Partial<LongTermEvidence>> = {
      'about somebody else': () => {
        const other = test.authorities.person()
        return { ocsp: test.authorities.ocsp.status(other.certificate, other.issuer) }
      },
      'that was tampered with': (honest) => ({ ocsp: tampered(honest) }),
      'that is no answer': () => ({ ocsp: Buffer.from('3000', 'hex') }),
    }
    for (const [what, change] of Object.entries(useless))
      it(`${what} proves nothing, and takes nothing away`, async () => {
        const cms = withAnswer(change)
        test.clock.time = NOW + HOUR
        const { code, details } = await rejectionOf(register(test, cms))
        expect(`${code}: ${details?.reason}`).to.equal('evidenceTimesDiffer: timeStampTooOld')
        test.clock.time = NOW
        await register(test, cms)
      })

    it('of another time proves nothing', async () => {
      const { authorities, clock } = test
      const signer = authorities.person()
      const cms = signer.signCms(TEXT, { timeStamp: true })
      clock.time = NOW + HOUR
      const ocsp = authorities.ocsp.status(signer.certificate, signer.issuer)
      const later = longTermCms(cms, { timeStamp: readCms(cms).timeStamp?.token ?? Buffer.alloc(0), ocsp })
      const { code, details } = await rejectionOf(register(test, later))
      expect(`${code}: ${details?.reason}`).to.equal('evidenceTimesDiffer: timeStampTooOld')
    })

    it('that revokes refuses the signature', async () => {
      const { authorities } = test
      const signer = authorities.person()
      const cms = signer.signCms(TEXT, { timeStamp: true })
      authorities.revoke(signer, NOW - HOUR)
      const ocsp = authorities.ocsp.status(signer.certificate, signer.issuer)
      const revoked = longTermCms(cms, { timeStamp: readCms(cms).timeStamp?.token ?? Buffer.alloc(0), ocsp })
      const { code, details } = await rejectionOf(register(test, revoked))
      expect(`${code}: ${details?.reason}`).to.equal('invalidCertificateStatus: revoked')
    })
  })
})
