import type { VehicleAnswer } from '@signed-registry/core'

import { VehicleRegistration } from '@signed-registry/core'

import { vehicleRegistrationContract } from '@signed-registry/core/contracts'
import { type VehicleRegistrationOptions, vehicleRegistration } from '@signed-registry/vehicle-registration'
import { expect } from 'chai'
import { clientCertificate } from '../../support/client-certificate.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { hold } from '../../support/hold.js'
import { VehicleAuthority } from '../../support/vehicle-authority.js'

const STATUS: Record<VehicleAnswer['outcome'], number> = { accepted: 200, refused: 422, later: 503 }

describe('documents forwarded to the authority that registers vehicles, by HTTP over mutual TLS', () => {
  let authority: VehicleAuthority
  const opened: { close(): Promise<void> }[] = []
  before(async () => {
    authority = await VehicleAuthority.start()
  })
  after(async () => {
    for (const one of opened) await one.close()
    await authority.close()
  })
  const open = async (options: Partial<VehicleRegistrationOptions> = {}): Promise<VehicleRegistration> => {
    const plugin = vehicleRegistration({ ...authority.options, ...options })
    const registry = await registryWithoutAuthorities('sqlite::memory:', {}, [plugin])
    opened.push(registry)
    const part = registry.get(VehicleRegistration)
    if (part === undefined) throw new Error('The plugin brings nothing')
    return part
  }
  const document = () => ({
    ...{ deliveryId: 'delivery', documentId: 'document', title: '', documentTypeCode: 'vehicleSaleContract' },
    original: { size: 0, bytes: (async function* () {})() },
    signatures: [],
    signal: new AbortController().signal,
  })

  hold(
    vehicleRegistrationContract({
      open: () => open(),
      answers(answer) {
        authority.answer = (_document, response) => {
          if (answer === 'nothing') return
          if (answer === 'endless') {
            const more = () => {
              while (response.write('x'.repeat(10_000)));
            }
            response.writeHead(200).on('drain', more)
            return more()
          }
          response.writeHead(STATUS[answer.outcome]).end(answer.text)
        }
      },
      received() {
        const last = authority.got.at(-1)
        if (last === undefined) return undefined
        const { deliveryId, documentId, title, documentTypeCode, signatures } = last.registration
        return {
          ...{ deliveryId, documentId, title, documentTypeCode, original: last.original },
          signatures: last.signatures.map((bytes, n) => ({ signer: signatures[n]?.signer ?? '', bytes })),
        }
      },
    }),
  )

  it('know the registry by its certificate, and the document by the key of its delivery', async () => {
    authority.answer = (_document, response) => response.end()
    await (await open()).forward(document())
    expect(authority.got.at(-1)).to.deep.include({ key: 'delivery', subject: 'system' })
  })

  it('do not reach an authority that expects another certificate or is not trusted', async () => {
    const { pem: cert, key } = clientCertificate()
    const before = authority.got.length
    for (const options of [{ clientCertificate: { cert, key } }, { trust: cert }]) {
      const refusal = await (await open(options)).forward(document()).catch((error: unknown) => error)
      expect(refusal).to.be.instanceOf(Error)
    }
    expect(authority.got).to.have.length(before)
  })

  const answered = async (status: number, body: string, headers: Record<string, string> = {}) => {
    authority.answer = (_document, response) => response.writeHead(status, headers).end(body)
    return (await open()).forward(document())
  }

  it('are refused for ever by 4xx, and asked again by what only passes', async () => {
    expect(await answered(400, '{"error":"Срок договора истёк"}')).to.deep.equal({
      ...{ outcome: 'refused', status: 400, text: 'Срок договора истёк' },
    })
    for (const status of [302, 408, 425, 429, 500, 504]) {
      expect(await answered(status, 'wait', { 'retry-after': '7' })).to.deep.equal({
        ...{ outcome: 'later', status, text: 'wait', afterMs: 7000 },
      })
    }
  })

  it('need an address of HTTPS, a certificate, and a catalogue of codes', () => {
    const catalogue = { documentTypes: { 'two words': { ru: 'а', kk: 'а' } }, signers: {}, errors: {} }
    for (const wrong of [
      { url: 'http://authority.example' },
      { clientCertificate: { cert: 'x', key: 'y' } },
      { catalogue },
    ]) {
      expect(() => vehicleRegistration({ ...authority.options, ...wrong })).to.throw(TypeError, 'vehicle-registration')
    }
  })
})
