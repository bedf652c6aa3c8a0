import { expect } from 'chai'
import { readCanonicalization } from '#verifier/xml/canonicalization-method.js'
import { canonicalize } from '#verifier/xml/canonicalize.js'
import { XML_NAMESPACE, type XmlElement } from '#verifier/xml/node.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { verifyXmlDocument } from '#verifier/xml/verify-xml-document.js'
import { Random } from '../fuzz/random.js'
import { testAuthorities } from '../support/pki/authorities.js'
import { amount } from '../support/sweep.js'
import { descendants, EXC_C14N, signatureTemplate, signTemplate } from '../support/xml/sign-template.js'
import { type Case, compare, type Explained, seed } from './compare.js'
import { requireJava } from './java.js'
import type { Opinion } from './opinion.js'
import { insert, METHODS, randomChoices, randomXml, someXml } from './random-xml.js'
import { Santuario } from './santuario.js'
import { xmlsec1 } from './xmlsec1.js'

const person = testAuthorities().person({ algorithm: 'p256' })
const people = [person, testAuthorities().person({ algorithm: 'rsa2048' })]
const HASHES = ['sha256', 'sha384', 'sha512'] as const

const caseOf = (xml: string, theirs: () => Opinion | Promise<Opinion>): Case => ({
  files: { 'document.xml': xml },
  traits: [
    ...(hasWholeValue(xml) ? [] : ['strangeSignature']),
    ...(/ xmlns(?::\w+)?="[^":]+"/.test(xml) ? ['relativeNamespace'] : []),
  ],
  ours: () => verifyXmlDocument(xml, { covers: 'element' }),
  theirs,
})

/** Whether the signature value has the length of some key's. */
function hasWholeValue(xml: string): boolean {
  const value = /SignatureValue>([^<]*)</.exec(xml)?.[1] ?? ''
  return Buffer.from(value.replaceAll('&#xD;', ''), 'base64').length % 32 === 0
}

/** As a template that others fill in, with digests by SHA-256. */
function template(random: Random, keyInfo?: string): string {
  const { method, uri, transforms, prefixes } = randomChoices(random, '')
  const written = transforms.map((transform) =>
    prefixes !== '' && transform.startsWith(EXC_C14N)
      ? `<ds:Transform Algorithm="${transform}"><ec:InclusiveNamespaces xmlns:ec="${EXC_C14N}" PrefixList="${prefixes}"/></ds:Transform>`
      : transform,
  )
  const references = [{ uri: ` URI="${uri}"`, transforms: written }]
  const options = { canonicalization: method, references, ...(keyInfo === undefined ? {} : { keyInfo }) }
  return insert(randomXml(random), signatureTemplate(person, options))
}

const byXmlsec1 = (random: Random): string => someXml(xmlsec1.sign(template(random, '<ds:X509Data/>'), person), random)
const byUs = (random: Random): string => someXml(signTemplate(template(random), person), random)

/** Where ancestors say different things by one attribute in the namespace xml, Santuario takes what the farthest says. */
function inheritsSeveral(apex: XmlElement | undefined): boolean {
  const inherited = new Map<string, string>()
  for (let element = apex?.parent; element !== undefined; element = element.parent)
    for (const { namespace, localName, value } of element.attributes) {
      if (namespace !== XML_NAMESPACE) continue
      if ((inherited.get(localName) ?? value) !== value) return true
      inherited.set(localName, value)
    }
  return false
}

const BASE64: Explained = { rule: 'bits left over in base64', weAccept: false, reason: /badBase64/ }

const XMLSEC1: Explained[] = [{ rule: 'an undeclared prefix', weAccept: false, reason: /undeclaredPrefix/ }, BASE64]
const SANTUARIO: Explained[] = [
  { rule: 'text between the parts of a signature', weAccept: false, reason: /unexpectedText/ },
  BASE64,
  { rule: 'a signature value in another form', weAccept: false, reason: /signatureValue/, trait: 'strangeSignature' },
]

describe('xmlsec1 and we agree, but for what is explained', () => {
  before(function () {
    if (!xmlsec1.isInstalled) this.skip()
  })

  it('on documents that it signs', () =>
    compare({
      name: 'xmlsec1, documents that it signs',
      sample: 10,
      all: 250,
      explained: XMLSEC1,
      make: (random) => {
        const xml = byXmlsec1(random)
        return caseOf(xml, () => xmlsec1.check(xml, person))
      },
    }))

  it('on documents that we sign', () =>
    compare({
      name: 'xmlsec1, documents that we sign',
      sample: 10,
      all: 250,
      explained: XMLSEC1,
      make: (random) => {
        const xml = byUs(random)
        return caseOf(xml, () => xmlsec1.check(xml, person))
      },
    }))
})

describe('Apache Santuario and we agree, but for what is explained', () => {
  let santuario: Santuario
  before(function () {
    requireJava(this, Santuario.jars)
    santuario = new Santuario()
  })
  after(() => santuario?.stop())

  it('on every octet of canonical forms', async () => {
    const random = new Random(seed)
    for (let left = amount(50, 3000); left > 0; left -= 1) {
      const xml = randomXml(random)
      const document = parseXml(xml)
      const elements = descendants(document.root)
      const place = random.chance(30) ? -1 : random.below(elements.length)
      const method = random.pick(inheritsSeveral(elements[place]) ? METHODS.slice(4) : METHODS)
      const prefixes = method.startsWith(EXC_C14N) && random.chance(50) ? 'q #default longer' : ''
      const parameter = prefixes === '' ? '' : `<i:InclusiveNamespaces xmlns:i="${EXC_C14N}" PrefixList="${prefixes}"/>`
      const { root } = parseXml(`<Transform Algorithm="${method}">${parameter}</Transform>`)
      const ours = canonicalize(elements[place] ?? document, readCanonicalization(root))
      const theirs = await santuario.canonicalize(xml, method, prefixes, place)
      expect(ours.toString('utf8'), `${method} ${prefixes} of element ${place}: ${xml}`).to.equal(
        theirs.toString('utf8'),
      )
    }
  })

  it('on documents that it signs', () =>
    compare({
      name: 'Santuario, documents that it signs',
      sample: 20,
      all: 1000,
      explained: SANTUARIO,
      make: async (random) => {
        const by = random.pick(people)
        const choices = randomChoices(random, by.key.xmlMethod(random.pick(HASHES)))
        const xml = someXml(await santuario.sign(randomXml(random), choices, by), random)
        return caseOf(xml, () => santuario.check(xml, by))
      },
    }))

  it('on documents that we sign', () =>
    compare({
      name: 'Santuario, documents that we sign',
      sample: 20,
      all: 1000,
      explained: SANTUARIO,
      make: (random) => {
        const xml = byUs(random)
        return caseOf(xml, () => santuario.check(xml, person))
      },
    }))
})
