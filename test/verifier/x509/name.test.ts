import { expect } from 'chai'
import { readDer } from '#verifier/der/reader.js'
import { Name } from '#verifier/x509/name.js'
import { der, nameDer, oidDer, textDer } from '../../support/der.js'

const CN = '2.5.4.3'
const O = '2.5.4.10'
const read = (...rdns: Parameters<typeof nameDer>[0][]) => Name.read(readDer(nameDer(...rdns)))

describe('Name', () => {
  it('writes RFC 4514 with the last RDN first', () => {
    expect(read([[CN, 'A B']], [['2.5.4.5', 'IIN123456789011']], [['2.5.4.6', 'KZ', 0x13]]).toString()).to.equal(
      'C=KZ,SERIALNUMBER=IIN123456789011,CN=A B',
    )
  })

  it('escapes as RFC 4514 section 2.4 says', () => {
    expect(read([[CN, ' #a"+,;<>\\b ']]).toString()).to.equal('CN=\\ #a\\"\\+\\,\\;\\<\\>\\\\b\\ ')
    expect(read([[CN, '#x\0y']]).toString()).to.equal('CN=\\#x\\00y')
    expect(read([[CN, ' ']]).toString()).to.equal('CN=\\ ')
    expect(read([[CN, 'a=b']]).toString()).to.equal('CN=a=b')
  })

  it('joins the attributes of one RDN with a plus sign', () => {
    expect(
      read([
        [CN, 'a'],
        [O, 'b'],
      ]).toString(),
    ).to.equal('CN=a+O=b')
  })

  it('writes an unknown attribute type as its OID and hexadecimal DER', () => {
    const name = read([['1.2.3.4', 'hi']])
    expect(name.toString()).to.equal('1.2.3.4=#0c026869')
    expect(name.rdns).to.deep.equal([[{ oid: '1.2.3.4', name: '1.2.3.4', valueInB64: false, value: 'hi' }]])
  })

  it('keeps the certificate order and marks values that are not text in the structured form', () => {
    const attribute = der(0x30, oidDer(CN), der(0x04, Buffer.from('hi')))
    const name = Name.read(readDer(der(0x30, der(0x31, der(0x30, oidDer(O), textDer('o'))), der(0x31, attribute))))
    expect(name.rdns).to.deep.equal([
      [{ oid: O, name: 'O', valueInB64: false, value: 'o' }],
      [{ oid: CN, name: 'CN', valueInB64: true, value: 'BAJoaQ==' }],
    ])
    expect(name.toString()).to.equal('CN=#04026869,O=o')
  })

  it('compares without regard to case, spaces and string type (RFC 5280 section 7.1)', () => {
    const name = read([[CN, 'Straße  Қазақстан ']])
    expect(name.equals(read([[CN, ' STRASSE ҚАЗАҚСТАН']]))).to.equal(true)
    expect(read([[CN, 'abc', 0x13]]).equals(read([[CN, 'ABC', 0x0c]]))).to.equal(true)
    expect(read([[CN, 'ab c']]).equals(read([[CN, 'abc']]))).to.equal(false)
    expect(read([[CN, 'abc']]).equals(read([[O, 'abc']]))).to.equal(false)
  })

  it('does not take one RDN of two attributes for two RDNs', () => {
    const sameRdn = read([
      [CN, 'a'],
      [O, 'b'],
    ])
    expect(sameRdn.equals(read([[CN, 'a']], [[O, 'b']]))).to.equal(false)
  })

  it('knows the names under a base name', () => {
    const base = read([[O, 'x']])
    expect(read([[O, 'X']], [[CN, 'a']]).isWithin(base)).to.equal(true)
    expect(read([[O, 'xy']]).isWithin(base)).to.equal(false)
    expect(base.isWithin(read([[O, 'X']], [[CN, 'a']]))).to.equal(false)
  })
})
