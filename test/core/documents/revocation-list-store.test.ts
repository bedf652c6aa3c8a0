import { anonymous, createRegistry, type Registry } from '@signed-registry/core'

import {
  ExportSignature,
  FixDigests,
  GetDocument,
  RegisterDocument,
  VerifyDocument,
} from '@signed-registry/core/documents'
import { readCms } from '@signed-registry/core/signatures'
import type { CmsOptions } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { forEachDatabase } from '../../support/databases.js'
import { logIn } from '../../support/login.js'
import { DAY, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { CrlAuthorities } from '../../support/pki/crl-authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { uploadOf } from '../../support/registry.js'

const original = Buffer.from('We lend 5,000,000 tenge.\n')

describe('signers for whom there is no OCSP responder', () => {
  forEachDatabase((open) => {
    const clock = testClock()
    const authorities = testAuthorities({ clock })
    const world = new CrlAuthorities(authorities, clock)
    let database: string
    let registry: Registry

    before(async () => {
      database = await open()
      const plugins = [world.plugin]
      registry = await createRegistry({ database, clock, plugins, signaturePolicy: { statusByCrls: true } })
    })
    after(() => registry.close())
    beforeEach(() => {
      clock.time = NOW
      world.publish()
    })

    const register = async (signer = authorities.person(), options = {}) => {
      const signature = signer.signCms(original, options).toString('base64')
      const { documentId, signId = 0 } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature } })
      await registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      return { documentId, signId }
    }
    const verify = (id: string) => registry.get(VerifyDocument).execute(anonymous, { id, upload: uploadOf(original) })
    const refusal = async (...args: Parameters<typeof register>) => {
      const { code, details } = await rejectionOf(register(...args))
      return `${code}: ${details?.reason}`
    }

    for (const algorithm of ['rsa2048', 'p256', 'gost512'] as const)
      it(`are judged by CRLs (${algorithm}); the signature object has no ocsp`, async () => {
        const { documentId } = await register(authorities.person({ algorithm }))
        const { signatures } = await registry.get(GetDocument).execute(anonymous, { id: documentId, query: {} })
        expect(signatures[0]).to.have.property('tsp')
        expect(signatures[0]).not.to.have.property('ocsp')
        await verify(documentId)
      })

    it('are refused without a good OCSP answer, unless the operator allows CRLs instead', async () => {
      const { documentId } = await register()
      const strict = await createRegistry({ database, clock, plugins: [world.plugin] })
      const attempt = (options: CmsOptions) => {
        const signature = authorities.person().signCms(original, options).toString('base64')
        return strict.get(RegisterDocument).execute(anonymous, { request: { signature } })
      }
      const { code, details } = await rejectionOf(attempt({}))
      expect(`${code}: ${details?.reason}`).to.equal('ocspServerProblem: noResponder')
      const carried = await attempt({ timeStamp: true, ocsp: true })
      const { signatures } = await strict.get(GetDocument).execute(anonymous, { id: carried.documentId, query: {} })
      expect(signatures[0]?.ocsp?.certStatus).to.equal('good')
      // What was registered by CRLs stays valid, and logins are checked by them.
      await strict.get(VerifyDocument).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      const person = authorities.person({ iin: '850101300012' })
      expect((await logIn(strict, person)).result.userId).to.equal('IIN850101300012')
      await strict.close()
    })

    it('are verified years later by stored CRLs, when no CRL is configured any more', async () => {
      const { documentId } = await register()
      world.withdraw()
      clock.time = NOW + 30 * 365 * DAY
      await verify(documentId)
    })

    it('are refused when the CRL revokes them, whether before the stamped time or at an unknown one', async () => {
      const revoked = authorities.person()
      authorities.revoke(revoked, NOW - DAY)
      world.publish()
      expect(await refusal(revoked)).to.equal('invalidCertificateStatus: revoked')
    })

    it('stay good when they are revoked after the stamped time', async () => {
      const signer = authorities.person()
      const { documentId } = await register(signer)
      clock.time = NOW + DAY
      authorities.revoke(signer, NOW + DAY / 2)
      world.publish()
      await verify(documentId)
      expect(await refusal(signer)).to.equal('invalidCertificateStatus: revoked')
    })

    it('are refused when an issuing CA above them was revoked', async () => {
      const signer = authorities.person({ algorithm: 'gost512' })
      const { root } = authorities.hierarchy
      root.revoke(authorities.hierarchy.issuing('gost').certificate, NOW - DAY, 'keyCompromise')
      world.publish()
      const { code, details } = await rejectionOf(register(signer))
      expect(code).to.equal('invalidCertificateStatus')
      expect(details).to.include({ reason: 'revoked', revocationReason: 'keyCompromise' })
      expect(details?.certificate).to.deep.include({ subject: 'C=KZ,CN=DEVELOPMENT ISSUING CA (GOST)' })
    })

    it('cannot be judged by an expired CRL: the operator is told', async () => {
      clock.time = NOW + 3 * DAY
      expect(await refusal()).to.equal('ocspServerProblem: noCurrentCrl')
    })

    it('cannot be judged without any CRL', async () => {
      world.withdraw()
      expect(await refusal()).to.equal('ocspServerProblem: noResponder')
    })

    it('are exported with their CRLs, which a registry without CRLs of its own does not trust', async () => {
      const { documentId, signId } = await register()
      const { signature } = await registry.get(ExportSignature).execute(anonymous, { id: documentId, signId })
      const exported = Buffer.from(signature, 'base64')
      expect(readCms(exported).timeStamp).not.to.equal(undefined)
      expect(exported.includes(authorities.crl('ecdsa').subarray(30, 90))).to.equal(true)
      world.withdraw()
      const { code, details } = await rejectionOf(
        registry.get(RegisterDocument).execute(anonymous, { request: { signature } }),
      )
      expect(`${code}: ${details?.reason}`).to.equal('ocspServerProblem: noResponder')
    })

    it('store each CRL once, and are not verified by one that was tampered with', async () => {
      const { documentId } = await register()
      const another = await register()
      await verify(another.documentId)
      const table = () => registry.get(Database).query('registry_revocation_lists')
      const rows: { fingerprint: Buffer; crl: Buffer }[] = await table().select('fingerprint', 'crl')
      const distinct = new Set(rows.map(({ crl }) => Buffer.from(crl).toString('base64')))
      expect(distinct.size).to.equal(rows.length)
      world.withdraw()
      for (const { fingerprint, crl } of rows) {
        const forged = Buffer.from(crl)
        forged.writeUInt8(forged.readUInt8(forged.length - 1) ^ 1, forged.length - 1)
        await table().where({ fingerprint }).update({ crl: forged })
      }
      const { code, details } = await rejectionOf(verify(documentId))
      expect(`${code}: ${details?.reason}`).to.equal('invalidCertificateStatus: undetermined')
    })
  })
})
