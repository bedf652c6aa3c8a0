import { anonymous, type Registry, StatusSource, TimestampSource, TrustStore } from '@signed-registry/core'

import {
  AddSignature,
  ExportSignature,
  FixDigests,
  GetDocument,
  RegisterDocument,
  VerifyDocument,
} from '@signed-registry/core/documents'
import { defaultAlgorithmPolicy } from '@signed-registry/core/signatures'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { DAY, NOW, testClock } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const STREEBOG512 = '1.2.398.3.10.1.3.3'
const YEAR = 365 * DAY
const original = Buffer.from('We lend 5,000,000 tenge for 30 years.\n')
const xml = '<contract><sum>5000000</sum></contract>'

const verify = (registry: Registry, id: string, bytes: Buffer = original) =>
  registry.get(VerifyDocument).execute(anonymous, { id, upload: uploadOf(bytes) })

describe('POST /api/{id}/verify years later', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let url: string
    let contract: string
    let deed: string
    let deedBytes: Buffer

    before(async () => {
      url = await open()
      test = await testRegistry(url, { digests: [SHA256, STREEBOG512] })
      const { registry, authorities } = test
      const sign = (algorithm: 'rsa2048' | 'p256' | 'gost512', carried: boolean) =>
        authorities.person({ algorithm }).signCms(original, { timeStamp: carried, ocsp: carried }).toString('base64')
      const { documentId } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature: sign('rsa2048', true) } })
      contract = documentId
      await registry.get(FixDigests).execute(anonymous, { id: contract, upload: uploadOf(original) })
      for (const [algorithm, carried] of [
        ['p256', false],
        ['gost512', true],
        ['gost512', false],
      ] as const)
        await registry
          .get(AddSignature)
          .execute(anonymous, { id: contract, request: { signature: sign(algorithm, carried) } })
      const signed = authorities.employee({ algorithm: 'p256' }).signXml(xml)
      deedBytes = signed.data
      const registered = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signType: 'xml', signature: signed.signature } })
      deed = registered.documentId
      await registry.get(FixDigests).execute(anonymous, { id: deed, upload: uploadOf(deedBytes) })
    })
    after(() => test.registry.close())

    it('succeeds by stored evidence when signer, TSA, responder and CAs have all expired, without a network', async () => {
      const { registry, clock } = test
      const unreachable = () => Promise.reject(new Error('no network'))
      registry.get(TimestampSource).timestamp = unreachable
      registry.get(StatusSource).status = unreachable
      clock.time = NOW + 40 * YEAR
      const { anchors } = registry.get(TrustStore).trust()
      expect(anchors.every(({ notAfter }) => notAfter < clock.time)).to.equal(true)
      await verify(registry, contract)
      await verify(registry, deed, deedBytes)
      const read = await registry.get(GetDocument).execute(anonymous, { id: contract, query: {} })
      expect(read.signatures.map(({ tsp }) => tsp?.timeStamp)).to.deep.equal([NOW, NOW, NOW, NOW])
    })

    it('still detects different content', async () => {
      expect(await rejectionOf(verify(test.registry, contract, Buffer.from('We lend nothing.\n')))).to.include({
        code: 'signatureDoesNotCorrespond',
      })
    })

    it('succeeds when a signer was revoked after the registration', async () => {
      const { registry, authorities, clock } = test
      clock.time = NOW + DAY
      const signer = authorities.person()
      const { documentId } = await registry.get(RegisterDocument).execute(anonymous, {
        request: { signature: signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64') },
      })
      await registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      authorities.revoke(signer, clock.time + 1000)
      clock.time += DAY
      await verify(registry, documentId)
    })

    for (const [fallen, name, document] of [
      [SHA256, 'SHA-256', () => [contract, original] as const],
      [STREEBOG512, 'Streebog-512', () => [contract, original] as const],
      [SHA256, 'SHA-256', () => [deed, deedBytes] as const],
    ] as const)
      it(`names a broken algorithm: ${name} from 2050 on`, async () => {
        const clock = testClock(Date.UTC(2049, 11, 31))
        const algorithms = { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [fallen]: Date.UTC(2050, 0, 1) } }
        const later = await testRegistry(url, {
          clock,
          authorities: test.authorities,
          signaturePolicy: { algorithms },
          digests: [SHA256, STREEBOG512],
        })
        try {
          await verify(later.registry, ...document())
          clock.time = Date.UTC(2050, 0, 1)
          const { code, kind, details } = await rejectionOf(verify(later.registry, ...document()))
          expect({ code, kind }).to.deep.equal({ code: 'algorithmNotTrusted', kind: 'unacceptable' })
          expect(details).to.include({ reason: 'digest', algorithm: name, trustedUntil: Date.UTC(2050, 0, 1) })
        } finally {
          await later.registry.close()
        }
      })

    it('exports every signature with self-contained evidence', async () => {
      const { registry } = test
      const { signatures } = await registry.get(GetDocument).execute(anonymous, { id: contract, query: {} })
      for (const { signId } of signatures) {
        const { signature } = await registry.get(ExportSignature).execute(anonymous, { id: contract, signId })
        expect(signature.length).to.be.greaterThan(2000)
      }
    })
  })
})
