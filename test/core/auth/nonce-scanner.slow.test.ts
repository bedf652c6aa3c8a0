import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { newNonce } from '#core/auth/nonce.js'
import { NonceScanner } from '#core/auth/nonce-scanner.js'
import { randomData } from '../../support/random-data.js'

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()
const { bytes: nonce, line } = newNonce('registry.example.kz')
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64')
const text = base64(nonce)
const xml = `<login><nonce>${text}</nonce></login>`
const file = (data: string) => JSON.stringify({ documentsToSign: [{ id: 1, document: { file: { mime: '', data } } }] })
const swap16 = (value: string) => Buffer.from(value, 'utf16le').swap16()
const escaped = (value: string) =>
  [...value].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
/** In UTF-16 the halves of these letters look like the end of a comment, and like letters. */
const TRAPS = '\u2d2d\u3e2d\u2d3e\u4142\u2200\u2222'
const withTraps = (value: string) => value.replace(/.{9}/g, `$&<!-- ${TRAPS} -->`)
/** ASCII as UCS-4, with the byte at one of the four places of each unit. */
const ucs4 = (value: string, place: number) =>
  Buffer.concat([...Buffer.from(value)].map((byte) => Buffer.alloc(4).fill(byte, place, place + 1)))
const filler = 'Договор № 17 '.repeat(40)
const hash = sha256(nonce)
/** Content of a CMS in BER, in segments of some letters. */
const inPieces = (size: number) =>
  Buffer.concat([
    Buffer.from([0x30, 0x80, 0xa0, 0x80, 0x24, 0x80]),
    ...Array.from({ length: Math.ceil(nonce.length / size) }, (_, at) => {
      const piece = nonce.subarray(at * size, (at + 1) * size)
      return Buffer.concat([Buffer.from([0x04, piece.length]), piece])
    }),
    Buffer.alloc(6),
  ])

/** Data that could trick somebody into signing the nonce. */
const hidden: Record<string, Buffer | string> = {
  'the bytes': nonce,
  'its base64': text,
  'its base64 in URL letters': nonce.toString('base64url'),
  'its base64 in lines': text.replace(/.{7}/g, '$&\r\n'),
  'its base64 with letters that decoders skip': text.replace(/.{5}/g, '$&!*'),
  'its hexadecimal': nonce.toString('hex'),
  'its hexadecimal with colons, in capitals': nonce.toString('hex').toUpperCase().replace(/../g, '$&:'),
  'UTF-16': Buffer.from(nonce.toString(), 'utf16le'),
  'XML in UTF-16': swap16(`\ufeff${xml}`),
  'XML in UTF-16 without its mark': swap16(xml),
  'XML in little-endian UTF-16 without its mark': Buffer.from(`<a>${text}</a>`, 'utf16le'),
  'XML in UTF-16 with comments whose letters look like others': swap16(`\ufeff<a>${withTraps(text)}</a>`),
  'JSON in UTF-16 with XML with such comments': Buffer.from(
    JSON.stringify({ documentXml: `<a>${withTraps(text)}</a>` }),
    'utf16le',
  ),
  'JSON with base64 of UTF-16 with such comments': file(base64(swap16(`<a>${withTraps(text)}</a>`))),
  'text of XML': xml,
  'text of XML in references': `<a>${[...text].map((one) => `&#x000${one.charCodeAt(0).toString(16)};`).join('')}</a>`,
  'text of XML with comments': `<a>${text.replace(/.{9}/g, '$&<!-- "half" <b> -->')}</a>`,
  'text of XML with CDATA and instructions': `<a>${text.replace(/.{9}/g, '<![CDATA[$&]]>').replace(/.{50}/, '$&<?a b?>')}</a>`,
  'a file of JSON': file(text),
  'a file of JSON after a filler': file(`${base64(filler)}`) + file(text),
  'a file of JSON in escapes': `{"data":"${escaped(text)}"}`,
  'the words in JSON': JSON.stringify({ data: nonce.toString() }),
  'JSON with XML': JSON.stringify({ documentXml: xml }),
  'JSON with XML in escapes': `{"a":"<!--","documentXml":"${escaped(`<a>&#${text.charCodeAt(0)};${text.slice(1)}</a>`)}"}`,
  'JSON with XML with comments': JSON.stringify({
    a: '<!--',
    documentXml: `<a>${text.replace(/.{9}/g, '$&<!--"-->')}</a>`,
  }),
  'JSON with base64 of XML': file(base64(xml)),
  'JSON with base64 of XML with comments': file(base64(`<a>${text.replace(/.{9}/g, '$&<!-- -->')}</a>`)),
  'JSON with base64 of base64': file(base64(text)),
  'JSON with base64 of hexadecimal': file(base64(nonce.toString('hex'))),
  'JSON with hexadecimal of base64': file(Buffer.from(text).toString('hex')),
  'JSON with base64 of UTF-16': file(base64(swap16(xml))),
  'JSON after much white space': `${' '.repeat(70)}{"a":"<!--",${file(base64(xml)).slice(1)}`,
  'JSON with base64 with hyphens that decoders skip': file(text.replace(/.{5}/g, '$&-')),
  'JSON with base64 of XML with dashes of PEM in it': file(base64(xml).replace(/^./, '$&-----')),
  'JSON with base64 of XML with angle brackets that decoders skip': file(base64(xml).replace(/.{11}/g, '$&<>')),
  'JSON with base64 of XML with a comment that decoders skip': file(base64(xml).replace(/^.{10}/, '$&<!--')),
  'JSON with base64 of XML with ends of references that decoders skip': file(base64(xml).replace(/.{9}/g, '$&&#;')),
  'a data URI': file(`data:text/xml;base64,${base64(xml)}`),
  'PEM of base64': `-----BEGIN CMS-----\n${base64(text)}\n-----END CMS-----`,
  'base64 of JSON': base64(file(text)),
  'content of a CMS': Buffer.concat([Buffer.from([0x30, 0x81, 0xb0, 0x04, 0x81, nonce.length]), nonce]),
  'content of a CMS in base64': file(base64(Buffer.concat([Buffer.from([0x30, 0x81]), nonce]))),
  'content of a CMS in pieces of 1': inPieces(1),
  'content of a CMS in pieces of 50': file(base64(inPieces(50))),
  'content of a CMS in pieces of 66': inPieces(66),
}
/** Data that could trick somebody into signing its hash. */
const hashes: Record<string, Buffer | string> = {
  'a hash': hash,
  'a hash in base64': base64(hash),
  'a hash in hexadecimal': `${hash.toString('hex')}\n`,
  'a hash in JSON': file(base64(hash)),
  'a hash in JSON with underscores that decoders skip': file(base64(hash).replace(/.{5}/g, '$&_')),
  'a hash in JSON, in hexadecimal': file(hash.toString('hex')),
  'base64 of a hash in hexadecimal': file(base64(hash.toString('hex'))),
  'base64 of a hash in base64': file(base64(base64(hash))),
  DigestInfo: Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), hash]),
  'signed attributes': file(base64(Buffer.concat([Buffer.alloc(60, 0x31), Buffer.from([0x04, 0x20]), hash]))),
  'text of XML': `<a><b>${base64(hash)}</b></a>`,
}

function scan(data: Buffer | string, size: number) {
  const scanner = new NonceScanner()
  const bytes = Buffer.from(data)
  for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size))
  return scanner.end()
}
const has = ({ digests }: ReturnType<typeof scan>, wanted: Buffer) => digests.some((one) => one.equals(wanted))

describe('nonces in data to be signed', () => {
  it('say what they are for', () => {
    expect(nonce.toString()).to.match(
      /^Вход \/ Кіру \/ Log in: registry\.example\.kz\n.*Only to log in\.\nlogin-nonce:[0-9a-f]{40}$/,
    )
  })

  for (const [form, data] of Object.entries(hidden)) {
    it(`are found as ${form}`, () => {
      for (const size of [1, 7, 65_536]) expect(has(scan(data, size), sha256(line)), `${size}`).to.equal(true)
    })
  }

  for (const [form, data] of Object.entries(hashes)) {
    it(`are found by ${form}`, () => {
      for (const size of [1, 7, 65_536]) expect(has(scan(data, size), hash), `${size}`).to.equal(true)
    })
  }

  it('are found at every offset in base64, after any text', () => {
    for (let before = 0; before < 9; before++) {
      const data = base64(Buffer.concat([Buffer.alloc(before, 0xff), nonce]))
      expect(has(scan(data, 13), sha256(line))).to.equal(true)
    }
  })

  it('are distinguished from the input of a signature computation', () => {
    const info = `<ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${'<ds:Reference/>'.repeat(9)}</ds:SignedInfo>`
    for (const data of [info, file(info), file(base64(info)), JSON.stringify({ documentXml: info })])
      expect(scan(data, 11).isSignedInfo).to.equal(true)
    for (const data of [`<a>${info}</a>`, file('SignedInfo'), filler])
      expect(scan(data, 11).isSignedInfo).to.equal(false)
  })

  const parts = text.match(/.{1,40}/g) ?? []
  const declared = parts.map((part, at) => `<!ENTITY e${at} "${part}">`).join('')
  const named = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a/>`
  const dtd = (id: string) => `<!DOCTYPE a ${id}><a>&nonce;</a>`
  /** XML that a parser may read differently, and why it is refused. */
  const opaque: Record<string, [Buffer | string, string]> = {
    'put together from entities': [
      `<!DOCTYPE a [${declared}]><a>${parts.map((_, at) => `&e${at};`).join('')}</a>`,
      'entities',
    ],
    'with a document type elsewhere': [dtd('SYSTEM "http://a.example/a.dtd"'), 'externalDtd'],
    'with a public document type': [dtd(`PUBLIC "-//A//DTD a//EN" 'a.dtd'`), 'externalDtd'],
    'with a document type far behind': [dtd(`${' '.repeat(5000)}SYSTEM\n'a.dtd' [ ]`), 'externalDtd'],
    'in UTF-7': [named('UTF-7').replace('<a/>', '+ADw-login+AD4-'), 'encoding'],
    'in an encoding with letters of two bytes': [named('GB18030'), 'encoding'],
    'in EBCDIC by its name': [named('IBM037'), 'encoding'],
    'in an encoding without a name': [named(''), 'encoding'],
    'whose encoding stands far behind': [
      named('UTF-8').replace(' encoding', `${' '.repeat(5000)}encoding`),
      'encoding',
    ],
  }
  for (const [form, [data, why]] of Object.entries(opaque)) {
    it(`are suspected in XML ${form}`, () => {
      const json = JSON.stringify({ documentXml: String(data) })
      const forms = [data, `\ufeff${data}`, swap16(String(data)), file(base64(data)), json]
      const single = JSON.stringify({ documentXml: String(data).replaceAll('"', "'") })
      for (const one of [...forms, single])
        for (const size of [1, 7, 65_536]) expect(scan(one, size).opaque, String(one).slice(0, 90)).to.equal(why)
    })
  }

  /** Of `<?xml version='1.0' encoding='IBM037'?>`. */
  const ebcdic = Buffer.from('4c6fa79493', 'hex')
  const bytes: Record<string, Buffer> = {
    'in EBCDIC': Buffer.concat([ebcdic, Buffer.alloc(40, 0x40)]),
    ...Object.fromEntries([0, 1, 2, 3].map((at) => [`in UCS-4, byte ${at}`, ucs4(xml, at)])),
    'in UCS-4 with its mark': Buffer.concat([Buffer.from('fffe0000', 'hex'), ucs4(xml, 0)]),
    'in ASCII that says it is UTF-16': Buffer.from(named('UTF-16')),
  }
  for (const [form, data] of Object.entries(bytes)) {
    it(`are suspected in XML ${form}`, () => {
      for (const one of [data, file(base64(data))])
        for (const size of [1, 7, 65_536]) expect(scan(one, size).opaque).to.equal('encoding')
    })
  }

  const swapped = (value: string) => swap16(value).toString('latin1')
  const trapped = `<a>${withTraps(text)}</a>`
  /** Strings whose octets are such XML, which parsers of octets read (seen with that of Java). */
  const strings: Record<string, string> = {
    'that says so': `<?xml version="1.0" encoding="UTF-16"?>${swapped(trapped)}`,
    'that says so, little-endian': `${named('UTF-16LE')}${Buffer.from(trapped, 'utf16le').toString('latin1')}`,
    'that is known by its first octets': swapped(`<?xml version="1.0"?>${trapped}`),
  }
  for (const [form, documentXml] of Object.entries(strings)) {
    it(`are suspected in a string of JSON that is XML in UTF-16 ${form}`, () => {
      const json = JSON.stringify({ documentXml })
      const raw = json.replaceAll('\\u0000', '\0')
      for (const one of [json, raw, swap16(json), Buffer.from(raw, 'utf16le'), file(base64(json))])
        for (const size of [1, 7, 65_536]) expect(scan(one, size).opaque).to.equal('encoding')
    })
  }

  it('are not suspected in self-contained XML', () => {
    const known = ['UTF-8', 'utf8', 'US-ASCII', 'ISO-8859-5', 'windows-1251', 'KOI8-R', 'cp866'].map(named)
    const types = ['<!DOCTYPE html><p>&amp;"</p>', '<!DOCTYPE a []><a b="c"/>']
    const texts = [...known, ...types, '<?xml version="1.0"?><a/>', '<?xml-stylesheet href="a.xsl" encoding="b"?><a/>']
    const wide = [named('UTF-16'), `\ufeff${named('utf-16le')}`].flatMap((one) => [
      swap16(one),
      Buffer.from(one, 'utf16le'),
    ])
    const inJson = [...texts, named('utf-16')].map((documentXml) => JSON.stringify({ documentXml }))
    const files = [...texts, ...wide].map((one) => file(base64(one)))
    const others = ['{"a":"<!DOCTYPE","b":"<?xml"}', Buffer.from('0000003c667479706d703432', 'hex'), randomData(64)]
    for (const one of [...texts, ...wide, ...inJson, ...files, ...others, filler])
      for (const size of [1, 7, 65_536]) expect(scan(one, size).opaque, String(one).slice(0, 60)).to.equal(undefined)
  })

  it('are found in time linear in the data', () => {
    const floods = [
      '["<!--',
      '"a',
      '<!--',
      '["',
      '-',
      ']]',
      'login-nonce',
      '67696',
      '<!DOCTYPE ',
      '<?xml ',
      '<!DOCTYPE>',
    ].map((part) => part.repeat(2 ** 20 / part.length))
    for (const data of [...floods, `[${'<!--"'.repeat(2 ** 18)}`]) {
      const began = process.cpuUsage()
      scan(data, 65_536)
      expect(process.cpuUsage(began).user / 1000, data.slice(0, 20)).to.be.below(3000)
    }
  })

  it('are not seen in a large file without hashes', () => {
    // One in a hundred files of random bytes would begin like JSON, which may have anything between quotes.
    const { digests } = scan(Buffer.concat([Buffer.from('%PDF-'), randomBytes(2 ** 20)]), 65_536)
    expect(digests).to.have.length(0)
  })

  it('are not seen in documents, unless those have too many hashes', () => {
    const { digests, isSignedInfo, tooMany } = scan(file(base64(filler)), 512)
    expect([digests.length, isSignedInfo, tooMany]).to.deep.equal([0, false, false])
    const many = Array.from({ length: 20_001 }, (_, at) => base64(sha256(String(at))))
    expect(scan(JSON.stringify(many), 65_536).tooMany).to.equal(true)
  })
})
