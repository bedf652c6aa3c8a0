import { expect } from 'chai'
import { readBitString, readBitStringBytes, readNamedBits } from '#verifier/der/bit-string.js'
import { readBoolean } from '#verifier/der/boolean.js'
import { fieldsOf, only } from '#verifier/der/fields.js'
import { integerHex, readBigInteger, readSmallInteger } from '#verifier/der/integer.js'
import { readOid } from '#verifier/der/oid.js'
import { type DerElement, DerError, readDer } from '#verifier/der/reader.js'
import { readText } from '#verifier/der/strings.js'
import { readGeneralizedTime, readTime } from '#verifier/der/time.js'
import { der, oidDer } from '../../support/der.js'

const hex = (text: string): DerElement => readDer(Buffer.from(text, 'hex'))

/** Every one of these encodings is refused. */
const refuses = (read: (element: DerElement) => unknown, ...encodings: string[]): void => {
  for (const encoding of encodings) expect(() => read(hex(encoding)), encoding).to.throw(DerError)
}

describe('DER', () => {
  describe('OBJECT IDENTIFIER', () => {
    it('is read as dotted decimal', () => {
      for (const oid of ['0.0', '0.39', '1.2.840.113549.1.1.11', '2.999', '2.5.4.3', '1.2.398.3.10.1.1.2.3.2'])
        expect(readOid(readDer(oidDer(oid)))).to.equal(oid)
    })

    it('keeps arcs that do not fit a double exact', () => {
      const uuid = '2.25.329800735698586629295641978511506172918'
      expect(readOid(readDer(oidDer(uuid)))).to.equal(uuid)
      const next = '1.3.18446744073709551615.9007199254740993.5'
      expect(readOid(readDer(oidDer(next)))).to.equal(next)
    })

    it('is refused when empty, cut off, padded, or very long', () => {
      refuses(readOid, '0600', '060180', '06022a86', '06032a8001', '0603800101', `0641${'2a'.repeat(65)}`, '0c0141')
      refuses(readOid, `060d${'ff'.repeat(10)}018001`, `060b${'ff'.repeat(11)}`)
    })
  })

  describe('INTEGER', () => {
    it('is read with its sign', () => {
      expect(readBigInteger(hex('020100'))).to.equal(0n)
      expect(readBigInteger(hex('02020080'))).to.equal(128n)
      expect(readBigInteger(hex('0201ff'))).to.equal(-1n)
      expect(readBigInteger(hex('02028000'))).to.equal(-32_768n)
      expect(readSmallInteger(hex('02020100'))).to.equal(256)
    })

    it('is refused when empty, padded, negative where it must not be, or too large', () => {
      refuses(readBigInteger, '0200', '02020001', '0202ff80', '0a0101')
      refuses(readSmallInteger, '0201ff', '020701000000000000')
    })

    it('is written in hexadecimal without its sign octet', () => {
      const text = (digits: string) => integerHex(Buffer.from(digits, 'hex'))
      expect([text('00'), text('00ff'), text('0102'), text('ff'), text('8000')]).to.deep.equal([
        '00',
        'ff',
        '0102',
        '-01',
        '-8000',
      ])
    })
  })

  it('reads a BOOLEAN of 00 or FF only', () => {
    expect([readBoolean(hex('0101ff')), readBoolean(hex('010100'))]).to.deep.equal([true, false])
    refuses(readBoolean, '010101', '0100', '0102ffff', '020100')
  })

  describe('BIT STRING', () => {
    it('is read with its padding', () => {
      expect(readBitString(hex('03020780')).unused).to.equal(7)
      expect([...readBitStringBytes(hex('030300a1b2'))]).to.deep.equal([0xa1, 0xb2])
      expect(readNamedBits(hex('03020186'))).to.deep.equal([0, 5, 6])
      expect(readNamedBits(hex('030100'))).to.deep.equal([])
    })

    it('is refused with padding that is not zero or not counted right', () => {
      refuses(readBitString, '0300', '030101', '03020881', '03020800', '03020181', '23020780')
      refuses(readBitStringBytes, '03020780')
    })

    it('is refused as named bits that end with a zero', () => {
      refuses(readNamedBits, '03020700', '03020580', '0303078000')
    })
  })

  describe('time', () => {
    const utc = (text: string) => readTime(readDer(der(0x17, Buffer.from(text))))
    const generalized = (text: string, fraction = false) =>
      readGeneralizedTime(readDer(der(0x18, Buffer.from(text))), { fraction })

    it('is read to milliseconds since the epoch', () => {
      expect(utc('260601120000Z')).to.equal(Date.UTC(2026, 5, 1, 12))
      expect(utc('491231235959Z')).to.equal(Date.UTC(2049, 11, 31, 23, 59, 59))
      expect(utc('500101000000Z')).to.equal(Date.UTC(1950, 0, 1))
      expect(generalized('20500101000000Z')).to.equal(Date.UTC(2050, 0, 1))
      expect(generalized('20260601120000.5Z', true)).to.equal(Date.UTC(2026, 5, 1, 12, 0, 0, 500))
      expect(generalized('20260601120000.123456Z', true)).to.equal(Date.UTC(2026, 5, 1, 12, 0, 0, 123))
      expect(generalized('00010101000000Z')).to.equal(-62_135_596_800_000)
    })

    it('is refused without seconds, with an offset, or off the calendar', () => {
      const bad = [
        '2606011200Z',
        '260601120000+0600',
        '260601120000',
        '260230120000Z',
        '260601240000Z',
        '260601126000Z',
      ]
      for (const text of [...bad, '260601120060Z', '261301120000Z', '260600120000Z', ' 60601120000Z', ''])
        expect(() => utc(text), text).to.throw(DerError)
    })

    it('is refused with a fraction where none is allowed, or one that is not DER', () => {
      expect(() => generalized('20260601120000.5Z')).to.throw(DerError)
      for (const text of ['20260601120000.Z', '20260601120000.50Z', '20260601120000,5Z', '20260601120000.1234567891Z'])
        expect(() => generalized(text, true), text).to.throw(DerError)
    })
  })

  describe('text', () => {
    const text = (tag: number, octets: Buffer) => readText(readDer(der(tag, octets)))

    it('is read of every string type', () => {
      expect(text(0x0c, Buffer.from('Қазақстан'))).to.equal('Қазақстан')
      expect(text(0x13, Buffer.from('KZ'))).to.equal('KZ')
      expect(text(0x14, Buffer.from('Caf\u00e9', 'latin1'))).to.equal('Café')
      expect(text(0x16, Buffer.from('a@b.kz'))).to.equal('a@b.kz')
      expect(text(0x12, Buffer.from('12 34'))).to.equal('12 34')
      expect(text(0x1a, Buffer.from('visible'))).to.equal('visible')
      expect(text(0x1e, Buffer.from('04160430', 'hex'))).to.equal('Жа')
      expect(text(0x1c, Buffer.from('000004160001f600', 'hex'))).to.equal('Ж😀')
    })

    it('is undefined for octets that are no text of their type', () => {
      expect(text(0x0c, Buffer.from('c328', 'hex'))).to.equal(undefined)
      expect(text(0x13, Buffer.from([0xe9]))).to.equal(undefined)
      expect(text(0x16, Buffer.from([0x80]))).to.equal(undefined)
      expect(text(0x12, Buffer.from('12a'))).to.equal(undefined)
      expect(text(0x1e, Buffer.from('d800', 'hex'))).to.equal(undefined)
      expect(text(0x1e, Buffer.from('04', 'hex'))).to.equal(undefined)
      expect(text(0x1c, Buffer.from('00110000', 'hex'))).to.equal(undefined)
      expect(text(0x04, Buffer.from('octets'))).to.equal(undefined)
    })

    it('keeps a byte order mark and a NUL, so that nothing hides in a name', () => {
      expect(text(0x0c, Buffer.from('\ufeffa\0b'))).to.equal('\ufeffa\0b')
    })
  })

  it('walks the fields of a sequence and refuses what is left', () => {
    const sequence = hex('30080201050101ff0500')
    const fields = fieldsOf(sequence)
    expect(readSmallInteger(fields.take(0x02))).to.equal(5)
    expect(fields.takeIf(0x02)).to.equal(undefined)
    expect(() => fields.finish()).to.throw(DerError)
    expect(() => fields.take(0x04)).to.throw(DerError)
    expect(() => only(hex('a00402010102'))).to.throw(DerError)
    refuses(fieldsOf, '0400', '3100')
  })

  it('refuses BER: long lengths, indefinite lengths, trailing bytes, high tags', () => {
    for (const encoding of ['048101ff', '04820001ff', '30800000', '0401ff00', '1f8101', '0485000000000101', '04'])
      expect(() => hex(encoding), encoding).to.throw(DerError)
  })
})
