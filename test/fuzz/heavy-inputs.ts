import { decodeSignature } from '#verifier/cms/decode-signature.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { buildPath } from '#verifier/path/build-path.js'
import { verifyOcsp } from '#verifier/status/verify-ocsp.js'
import { verifyTimeStampToken } from '#verifier/timestamp/verify-time-stamp.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { readXmlSignature } from '#verifier/xml/read-xml-signature.js'
import { verifyXmlDocument } from '#verifier/xml/verify-xml-document.js'
import { der, integerDer, nameDer, oidDer } from '../support/der.js'
import { NOW, testAuthorities } from '../support/pki/authorities.js'
import {
  basicConstraints,
  certificatePolicies,
  extension,
  general,
  keyUsage,
  nameConstraints,
  policyMappings,
  subjectAltName,
} from '../support/pki/extensions.js'
import { issue, issueAuthority, issueCrl } from '../support/pki/hierarchy.js'
import { trustOf } from '../support/pki/trust.js'
import { signatureTemplate, signTemplate } from '../support/xml/sign-template.js'

const MEGABYTE = 1_000_000

const repeated = (text: string, size = MEGABYTE): string => text.repeat(Math.ceil(size / text.length))
const numbered = (make: (index: number) => string, size = MEGABYTE): string => {
  const parts: string[] = []
  for (let length = 0, index = 0; length < size; index += 1) {
    const part = make(index)
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}
const elements = (make: (index: number) => Buffer, size = MEGABYTE): Buffer => {
  const parts: Buffer[] = []
  for (let length = 0, index = 0; length < size; index += 1) {
    const part = make(index)
    parts.push(part)
    length += part.length
  }
  return Buffer.concat(parts)
}
const nested = (depth: number, tag: number): Buffer => {
  // From the inside out, in one buffer.
  const lengths: number[] = []
  let length = 0
  for (let level = 0; level < depth; level += 1) {
    lengths.push(length)
    length += length < 0x80 ? 2 : length < 0x100 ? 3 : length < 0x10000 ? 4 : 5
  }
  return Buffer.concat(
    lengths.reverse().map((size) => {
      const octets = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 255]
      return Buffer.from(size < 0x10000 ? [tag, ...octets] : [tag, 0x83, size >> 16, (size >> 8) & 255, size & 255])
    }),
  )
}

/** An input of about one megabyte, made beforehand, and what is done with it. */
export interface HeavyInput {
  prepare(): () => unknown
}

const cms = (make: () => Uint8Array): HeavyInput => ({
  prepare() {
    const input = make()
    return () => readCms(input)
  },
})
const xml = (make: () => string): HeavyInput => ({
  prepare() {
    const input = make()
    return () => verifyXmlDocument(input)
  },
})

const TEXT = Buffer.from('a contract')
const contentInfo = (...parts: Uint8Array[]): Buffer =>
  der(0x30, oidDer('1.2.840.113549.1.7.2'), der(0xa0, der(0x30, ...parts)))
const sha256 = der(0x30, oidDer('2.16.840.1.101.3.4.2.1'))
const content = der(0x30, oidDer('1.2.840.113549.1.7.1'))

/** A good document with so much inside. */
const signedXml = (inside: string, options: Parameters<typeof signatureTemplate>[1] = {}): string => {
  const person = testAuthorities().person()
  return signTemplate(`<a xmlns:p="urn:p">${inside}${signatureTemplate(person, options)}</a>`, person)
}

/** A certificate with megabytes of names under an authority with as many constraints. */
const constrained = (policies: boolean): HeavyInput => ({
  prepare() {
    const many = Array.from({ length: 4000 }, (_, index) => `n${index}.example.com`)
    const policy = Array.from({ length: 1000 }, (_, index) => `1.2.3.${index}`)
    const mappings = policy.map((one, index): [string, string] => [one, policy[(index * 7 + 1) % 1000] as string])
    const root = issueAuthority(undefined, { subject: 'heavy root' })
    const burden = policies
      ? [certificatePolicies(...policy), policyMappings(...mappings)]
      : [nameConstraints({ permitted: many.map(general.dns), excluded: many.map((name) => general.email(name)) })]
    const chain = [root]
    for (let depth = 0; depth < (policies ? 9 : 1); depth += 1)
      chain.push(issueAuthority(chain[depth], { subject: `heavy ${depth}`, extensions: burden }))
    const leaf = issue(chain[chain.length - 1], {
      subject: 'heavy leaf',
      extensions: policies
        ? [certificatePolicies(...policy)]
        : [subjectAltName(...many.map((name) => general.dns(`a.${name}`)))],
    })
    const trust = { anchors: [root.certificate], intermediates: [] }
    const candidates = chain.slice(1).map(({ certificate }) => certificate)
    return () => buildPath(leaf.certificate, { trust, candidates, time: NOW, policies: { initial: ['1.2.3.1'] } })
  },
})

/** A hundred authorities of one name and key that certify each other. */
const tangled: HeavyInput = {
  prepare() {
    const root = issueAuthority(undefined, { subject: 'tangled root' })
    const one = issueAuthority(root, { subject: 'tangled 0' })
    const names = Array.from({ length: 14 }, (_, index) => `tangled ${index}`)
    const stranger = issueAuthority(undefined, { subject: 'tangled 0' })
    const candidates = names.flatMap((issuer, index) =>
      names.map(
        (subject) =>
          issueAuthority(stranger, {
            subject,
            issuer: nameDer([['2.5.4.3', issuer]]),
            keyOf: stranger,
            serial: BigInt(index * 100 + 7),
          }).certificate,
      ),
    )
    const leaf = issue(stranger, { subject: 'tangled leaf' })
    const trust = { anchors: [root.certificate], intermediates: [one.certificate] }
    return () => buildPath(leaf.certificate, { trust, candidates, time: NOW })
  },
}

/** 8,000 entries with serial numbers that fall into one place of a table that hashes as FNV-1a without a secret. */
const colliding: HeavyInput = {
  prepare() {
    const serials: Buffer[] = []
    for (let number = 0; serials.length < 8_000; number += 1) {
      const serial = Buffer.from([1, 0, 0, 0, 0])
      serial.writeUInt32BE(number, 1)
      let hash = 0x811c9dc5
      for (const octet of serial) hash = Math.imul(hash ^ octet, 0x01000193)
      if (((hash >>> 0) & 0x3ff) === 0) serials.push(serial)
    }
    const authority = issueAuthority(undefined, { subject: 'colliding' })
    const { der: encoded } = issueCrl(authority, { revoked: serials.map((serial) => ({ serial })) })
    return () => Crl.parse(encoded).entries.find(Buffer.of(1), authority.certificate.subject)
  },
}

const signedList: HeavyInput = {
  prepare() {
    const authority = issueAuthority(undefined, { subject: 'long list' })
    const revoked = Array.from({ length: 30_000 }, (_, index) => ({
      serial: Buffer.from(`01${index.toString(16).padStart(8, '0')}`, 'hex'),
    }))
    const { der: encoded } = issueCrl(authority, { revoked })
    const leaf = issue(authority, { subject: 'of a long list' })
    const trust = { anchors: [authority.certificate], intermediates: [], crls: [Crl.parse(encoded)] }
    return () => buildPath(leaf.certificate, { trust, time: NOW, crlUse: 'required' })
  },
}

const certificate = (extensions: () => Buffer[], subject?: () => Buffer): HeavyInput => ({
  prepare() {
    const root = issueAuthority(undefined, { subject: 'burdened root' })
    const leaf = () =>
      issue(root, { subject: subject?.() ?? 'burdened', extensions: [basicConstraints(false), ...extensions()] })
    const encoded = Buffer.from(leafDer(leaf))
    return () => {
      const parsed = Certificate.parse(encoded)
      return buildPath(parsed, { trust: { anchors: [root.certificate], intermediates: [] }, time: NOW })
    }
  },
})

/** Issuing reads the certificate again: one that is refused is written without. */
function leafDer(make: () => { certificate: Certificate }): Uint8Array {
  try {
    return make().certificate.der
  } catch {
    return nested(1000, 0x30)
  }
}

export const heavyInputs: Readonly<Record<string, HeavyInput>> = {
  nothing: { prepare: () => () => undefined },
  'CMS in BER: content in very small pieces, 26 deep': cms(() => {
    const pieces = elements(() => Buffer.from('0400', 'hex'))
    const open = [
      '3080',
      '06092a864886f70d010702',
      'a080',
      '3080',
      '020101',
      '3100',
      '3080',
      '06092a864886f70d010701',
      'a080',
    ]
    return Buffer.concat([Buffer.from([...open, '2480'.repeat(26)].join(''), 'hex'), pieces, Buffer.alloc(2 * 32)])
  }),
  'CMS: a megabyte of signed content': cms(() => {
    const person = testAuthorities().person()
    return person.signCms(Buffer.alloc(MEGABYTE, 7), { detached: false, timeStamp: true, ocsp: true })
  }),
  'CMS: nested 300,000 deep': cms(() => nested(300_000, 0x30)),
  'CMS: content that is an endless set': cms(() =>
    testAuthorities()
      .person()
      .signCms(
        der(
          0x31,
          elements(() => Buffer.from('3000', 'hex')),
        ),
        { detached: false },
      ),
  ),
  'CMS: a megabyte of digest algorithms': cms(() =>
    contentInfo(
      integerDer(1),
      der(
        0x31,
        elements(() => sha256),
      ),
      content,
      der(0x31),
    ),
  ),
  'CMS: 32 certificates of 30,000 octets': cms(() => {
    const names = Array.from({ length: 1200 }, (_, index) => general.dns(`n${index}.example.com`))
    const certificates = Array.from({ length: 32 }, () =>
      Buffer.from(issue(undefined, { subject: 'one of many', extensions: [subjectAltName(...names)] }).certificate.der),
    )
    return testAuthorities().person().signCms(TEXT, { certificates })
  }),
  'CMS: a megabyte of unsigned attributes': cms(() =>
    testAuthorities()
      .person()
      .signCms(TEXT, {
        unsignedAttributes: () => [{ oid: '1.2.3', values: [elements(() => Buffer.from('0500', 'hex'))] }],
      }),
  ),
  'CMS: a signed attribute of a megabyte': cms(() =>
    testAuthorities()
      .person()
      .signCms(TEXT, {
        signedAttributes: (honest) => [...honest, { oid: '1.2.3', values: [der(0x04, Buffer.alloc(MEGABYTE))] }],
      }),
  ),
  'CMS: an object identifier of a megabyte': cms(() => der(0x30, der(0x06, Buffer.alloc(MEGABYTE, 0x81)))),
  'CMS: a version of a megabyte': cms(() =>
    contentInfo(der(0x02, Buffer.alloc(MEGABYTE, 0x7f)), der(0x31), content, der(0x31)),
  ),
  'base64: a megabyte of line breaks': {
    prepare() {
      const input = repeated('\r\n')
      return () => decodeSignature(input)
    },
  },
  'base64: a megabyte of PEM borders': {
    prepare() {
      const input = `-----BEGIN CMS-----${repeated('-----BEGIN CMS-----\n')}-----END CMS-----`
      return () => decodeSignature(input)
    },
  },
  'base64: a megabyte of padding': {
    prepare() {
      const input = repeated('====')
      return () => decodeSignature(input)
    },
  },
  'certificate: 4,000 names under 8,000 constraints': constrained(false),
  'certificate: 1,000 policies mapped nine times': constrained(true),
  'certificate: 196 authorities that certify each other': tangled,
  'certificate: 4,000 alternative names': certificate(() => [
    subjectAltName(...Array.from({ length: 4000 }, (_, index) => general.email(`${index}@example.com`))),
  ]),
  'certificate: an unknown extension of 200,000 octets': certificate(() => [
    extension('1.2.3.4', der(0x04, Buffer.alloc(200_000))),
  ]),
  'certificate: a subject of 200,000 octets': certificate(
    () => [keyUsage('digitalSignature')],
    () => nameDer([['2.5.4.3', ' Ә'.repeat(70_000)]]),
  ),
  'CRL: 30,000 entries': signedList,
  'CRL: 8,000 entries of colliding serial numbers': colliding,
  'OCSP: a megabyte of answers': {
    prepare() {
      const authorities = testAuthorities()
      const person = authorities.person()
      const [subject, issuer] = [Certificate.parse(person.certificate), Certificate.parse(person.issuer)]
      const input = der(
        0x30,
        der(
          0x30,
          elements(() => authorities.ocsp.status(person.certificate, person.issuer), 200_000),
        ),
      )
      return () => verifyOcsp(input, { certificate: subject, issuer, trust: trustOf(authorities), time: NOW, now: NOW })
    },
  },
  'TSP: a token of 250,000 octets of certificates': {
    prepare() {
      const authorities = testAuthorities()
      const many = Array.from({ length: 25 }, (_, index) =>
        Buffer.from(
          issue(undefined, {
            subject: `one of many ${index}`,
            extensions: [subjectAltName(...Array.from({ length: 400 }, () => general.dns('n.example.com')))],
          }).certificate.der,
        ),
      )
      const token = authorities.tsa.stamp(TEXT, ({ certificates }) => ({ certificates: [...certificates, ...many] }))
      const trust = trustOf(authorities)
      return () => verifyTimeStampToken(token, { trust, now: NOW })
    },
  },
  'XML: a megabyte of signed elements': xml(() => signedXml(numbered((index) => `<p:b c="${index}">x &amp; y</p:b>`))),
  'XML: a megabyte of signed text': xml(() => signedXml(`<t>${repeated('some text &lt; ')}</t>`)),
  'XML: elements with 100 attributes': xml(() =>
    signedXml(repeated(`<b${numbered((index) => ` a${index}="v"`, 900)}/>`)),
  ),
  'XML: namespaces declared and undeclared': xml(() =>
    signedXml(
      numbered((index) => `<n${index}:b xmlns:n${index}="urn:${index}"><c xmlns="urn:${index}"/></n${index}:b>`),
    ),
  ),
  'XML: namespaces declared 120 deep': xml(() =>
    signedXml(
      repeated(
        `${numbered((index) => `<b xmlns:n${index}="urn:${index}">`, 2800)}${'</b>'.repeat(
          (numbered((index) => `<b xmlns:n${index}="urn:${index}">`, 2800).match(/<b/g) ?? []).length,
        )}`,
      ),
    ),
  ),
  'XML: nested without end': xml(() => repeated('<a>')),
  'XML: a comment without end': xml(() => `<a><!--${repeated('- ')}`),
  'XML: character references': xml(() => signedXml(`<t>${repeated('&#x10FFFF;')}</t>`)),
  'XML: identifiers': xml(() => signedXml(numbered((index) => `<b Id="i${index}"/>`))),
  'XML: 32 references to a megabyte': xml(() =>
    signedXml(`<b Id="big">${repeated('<c d="e">f</c>')}</b>`, {
      references: Array.from({ length: 32 }, () => ({ uri: ' URI="#big"' })),
    }),
  ),
  'XML: attributes of one element': xml(() => `<a${numbered((index) => ` b${index}="c"`)}/>`),
  'XML: white space in a value': xml(() =>
    signedXml('<t/>').replace(/<ds:SignatureValue>/, (tag) => tag + repeated(' \n')),
  ),
  'XML: a signature alone with a megabyte of objects': {
    prepare() {
      const person = testAuthorities().person()
      const { signature } = person.signXml('<a/>')
      const input = signature.replace('</ds:Signature>', `<ds:Object>${repeated('<o/>')}</ds:Object></ds:Signature>`)
      return () => readXmlSignature(input)
    },
  },
}
