import { expect } from 'chai'
import { type BerForm, isSignedPlace, type Place, streamed, toBer } from '#dev-authorities/der/ber.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { RegistryError } from '#verifier/error.js'
import { verifyTimeStamp } from '#verifier/timestamp/verify-time-stamp.js'
import { verifySignature } from '#verifier/verify-signature.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { openssl } from '../../support/pki/openssl.js'
import { trustOf } from '../../support/pki/trust.js'
import { expectRefusal } from '../../support/refusal.js'

const TEXT = Buffer.from('a contract that is longer than one piece')
const EVIDENCE = { timeStamp: true, ocsp: true }
const TST_INFO = Buffer.from('060b2a864886f70d0109100104', 'hex')
const REFUSALS = ['signatureNotParsed', 'invalidOcspData', 'invalidTspTimeStamp', 'invalidSignature']
const hex = (bytes: Uint8Array = Buffer.alloc(0)) => Buffer.from(bytes).toString('hex')

describe('a CMS in BER', () => {
  const authorities = testAuthorities()
  const signer = authorities.person({ algorithm: 'rsa2048' })
  const trust = trustOf(authorities)
  const attached = signer.signCms(TEXT, { ...EVIDENCE, detached: false })

  /** All that is taken from a CMS. */
  const meaning = (cms: Uint8Array) => {
    const { kept, fingerprint, content, timeStamp, ocsp } = readCms(cms)
    return [kept, fingerprint, content, timeStamp?.token, timeStamp?.imprinted, ocsp].map(hex)
  }
  const placesIn = (cms: Uint8Array): Place[] => {
    const places: Place[] = []
    toBer(cms, (place) => {
      places.push(place)
      return 'der'
    })
    return places
  }
  const at = (changed: Place, form: BerForm) => toBer(attached, (place) => (`${place}` === `${changed}` ? form : 'der'))

  /** Reads and judges all of it. */
  const judge = (cms: Uint8Array) => {
    const signature = readCms(cms)
    const { timeStamp, ocsp } = signature
    return verifySignature(signature, { timeStamp: timeStamp?.token ?? Buffer.alloc(0), ocsp }, { trust, now: NOW })
  }

  const refused = (attempt: () => unknown): string | undefined => {
    try {
      attempt()
      return undefined
    } catch (error) {
      if (error instanceof RegistryError) return error.code
      throw error
    }
  }
  const streamedStamp = (value: Buffer) => (value.includes(TST_INFO) ? streamed(value) : value)

  it('is the same as in DER where nothing of it is signed: lengths that are not known, octets in pieces', () => {
    for (const cms of [attached, signer.signCms(TEXT, EVIDENCE)]) {
      expect(hex(streamed(cms))).to.not.equal(hex(cms))
      expect(meaning(streamed(cms))).to.deep.equal(meaning(cms))
    }
  })

  it('is kept in DER, so that it is the same signature however it was written', () => {
    const { kept } = readCms(streamed(attached))
    expect(meaning(kept).slice(0, 2)).to.deep.equal(meaning(attached).slice(0, 2))
    expect(hex(readSignedData(kept).der)).to.equal(hex(kept))
  })

  for (const form of ['indefinite', 'longLength', 'pieces'] as const)
    it(`means the same or is refused with one element in another form (${form})`, () => {
      let [same, refusals] = [0, 0]
      for (const place of placesIn(attached)) {
        const ber = at(place, form)
        if (hex(ber) === hex(attached)) continue
        if (isSignedPlace(place)) {
          const refusal = refused(() => judge(ber))
          if (refusal !== undefined) refusals += 1
          // Inside the time stamp there is what nobody signed, and a certificate that nobody needs.
          if (refusal === undefined)
            expect(meaning(ber).slice(1, 3), `${place}`).to.deep.equal(meaning(attached).slice(1, 3))
          else expect(refusal, `${place}`).to.be.oneOf(REFUSALS)
        } else {
          same += 1
          expect(meaning(ber), `${place}`).to.deep.equal(meaning(attached))
        }
      }
      expect(same).to.be.greaterThan(form === 'pieces' ? 1 : 20)
      expect(refusals).to.be.greaterThan(form === 'pieces' ? 5 : 60)
    })

  it('of a program that writes while it reads (openssl cms -stream) is accepted', () => {
    const command =
      'cms -sign -stream -binary -nodetach -outform DER -in data -signer signer.pem -inkey key.pem -out signed'
    const files = { data: TEXT, 'signer.pem': signer.certificatePem, 'key.pem': signer.keyPem }
    openssl(command, files, ({ ok, output, file }) => {
      expect(ok, output).to.equal(true)
      const written = file('signed')
      expect(hex(written.subarray(0, 2))).to.equal('3080')
      const read = readCms(written)
      expect(hex(read.content)).to.equal(hex(TEXT))
      expect(hex(readCms(read.kept).fingerprint)).to.equal(hex(read.fingerprint))
    })
  })

  it('may be a time stamp', () => {
    // An OCTET STRING in parts of no stated length, with the tag of its first part.
    const STREAMED = Buffer.from('248004', 'hex')
    const token = authorities.tsa.stamp(TEXT)
    const context = { trust, now: NOW }
    expect(verifyTimeStamp(streamed(token), TEXT, context).genTime).to.equal(NOW)
    const inside = signer.signCms(TEXT, {
      ...EVIDENCE,
      unsignedAttributes: (honest) => honest.map((one) => ({ ...one, values: one.values.map(streamedStamp) })),
    })
    expect(inside.includes(STREAMED)).to.equal(true)
    expect(judge(inside).timeStamp.genTime).to.equal(NOW)
    expect(Buffer.from(readCms(inside).kept).includes(STREAMED)).to.equal(false)
    expect(hex(verifyTimeStamp(streamed(token), TEXT, context).token)).to.equal(hex(token))
  })

  describe('is refused', () => {
    const refuse = (title: string, make: () => Uint8Array) =>
      it(title, () => {
        const reason = title === 'with more pieces than can be looked at' ? 'overLimit' : 'notDer'
        expectRefusal('signatureNotParsed', reason, () => readCms(make()))
      })
    const [SIGNED_ATTRIBUTES, CERTIFICATE] = [
      [1, 0, 4, 0, 3],
      [1, 0, 3, 0],
    ]
    refuse('with signed attributes that are not DER', () => at(SIGNED_ATTRIBUTES, 'indefinite'))
    refuse('with a length of signed attributes that is not minimal', () => at(SIGNED_ATTRIBUTES, 'longLength'))
    refuse('with a certificate that is not DER', () => at(CERTIFICATE, 'indefinite'))
    refuse('with a signed part of a certificate that is not DER', () => at([...CERTIFICATE, 0], 'indefinite'))
    refuse('without the end of an element', () => streamed(attached).subarray(0, -2))
    refuse('with something behind its end', () => Buffer.concat([streamed(attached), Buffer.of(0)]))
    refuse('with the end of an element that has a length', () => Buffer.concat([attached, Buffer.of(0, 0)]))
    const OCTETS = [1, 0, 2, 1, 0]
    const within = (depth: number) =>
      toBer(attached, (place) => (`${place}` === `${OCTETS}` ? 'pieces' : 'der'))
        .toString('hex')
        .replace(/2480/, '2480'.repeat(depth)) + '0000'.repeat(depth - 1)
    refuse('with octets in pieces of pieces without end', () => Buffer.from(within(1000), 'hex'))
    refuse('with an indefinite length of something that has no parts', () => Buffer.from('0480040100' + '0000', 'hex'))
    refuse('with more pieces than can be looked at', () => {
      const pieces = Buffer.alloc(2_000_000, '0400', 'hex')
      const prefix = '3080' + '06092a864886f70d010702' + 'a080' + '3080' + '020101' + '3100'
      const octets = '3080' + '06092a864886f70d010701' + 'a080' + '2480'
      return Buffer.concat([
        Buffer.from(prefix + octets, 'hex'),
        pieces,
        Buffer.alloc(12),
        Buffer.from('31000000', 'hex'),
      ])
    })
  })

  it('may be followed by zero padding if the caller allows it', () => {
    const padded = Buffer.concat([attached, Buffer.alloc(1000)])
    expectRefusal('signatureNotParsed', 'notDer', () => readCms(padded))
    expect(hex(readCms(padded, { trailingZeros: true }).kept)).to.equal(hex(readCms(attached).kept))
    const streamedAndPadded = Buffer.concat([streamed(attached), Buffer.alloc(1000)])
    expect(hex(readCms(streamedAndPadded, { trailingZeros: true }).kept)).to.equal(hex(readCms(attached).kept))
    const dirty = Buffer.concat([padded, Buffer.of(1)])
    expectRefusal('signatureNotParsed', 'notDer', () => readCms(dirty, { trailingZeros: true }))
  })

  it('may say version 3 over plain data, as writers of PAdES do, and no other than it has', () => {
    const versioned = (version: number) => {
      const cms = Buffer.from(attached)
      const at = cms.indexOf(Buffer.from('020101', 'hex'))
      cms[at + 2] = version
      return cms
    }
    expect(hex(readCms(versioned(3)).fingerprint)).to.equal(hex(readCms(attached).fingerprint))
    for (const version of [0, 2, 4, 5]) expectRefusal('signatureNotParsed', 'notDer', () => readCms(versioned(version)))
  })
})
