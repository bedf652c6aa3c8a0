import fc from 'fast-check'
import type { Random } from '../fuzz/random.js'
import { randomDocument } from '../support/xml/random-document.js'
import { C14N, ENVELOPED, EXC_C14N } from '../support/xml/sign-template.js'
import { seed } from './compare.js'

const C14N11 = 'http://www.w3.org/2006/12/xml-c14n11'
export const METHODS = [
  C14N,
  `${C14N}#WithComments`,
  C14N11,
  `${C14N11}#WithComments`,
  EXC_C14N,
  `${EXC_C14N}WithComments`,
] as const
const URIS = ['', '#xpointer(/)', '#part', "#xpointer(id('part'))"] as const
const ENC = 'http://www.w3.org/2001/04/xmlenc#'
const DIGESTS = [`${ENC}sha256`, 'http://www.w3.org/2001/04/xmldsig-more#sha384', `${ENC}sha512`] as const

/** How a document is signed. */
export interface XmlChoices {
  readonly method: string
  readonly signatureMethod: string
  readonly digestMethod: string
  readonly uri: string
  readonly transforms: readonly string[]
  /** PrefixList of exclusive canonicalization as a transform; empty for none. */
  readonly prefixes: string
}

/** Made together, since fast-check begins with small ones. */
const documents = fc.sample(randomDocument, { numRuns: 400, seed })

/** A document, with an element in it that has the identifier `part`. */
export function randomXml(random: Random): string {
  const inside = /^<!-- before --><\?p\?>(.*)<!-- after -->$/s.exec(random.pick(documents))?.[1] ?? ''
  return insert(random.pick(documents), inside.replace('<r ', '<r xml:id="part" '))
}

/** Puts it at the end of the root element. */
export const insert = (xml: string, more: string): string =>
  xml.replace('</r><!-- after', () => `${more}</r><!-- after`)

export function randomChoices(random: Random, signatureMethod: string): XmlChoices {
  const uri = random.pick(URIS)
  const transform = random.pick(METHODS)
  return {
    method: random.pick(METHODS),
    signatureMethod,
    digestMethod: random.pick(DIGESTS),
    uri,
    transforms: [...(uri.includes('part') ? [] : [ENVELOPED]), transform],
    prefixes: transform.startsWith(EXC_C14N) && random.chance(50) ? 'q #default longer' : '',
  }
}

/** With one character changed before the end of the signature value, one time in two. */
export function someXml(signed: string, random: Random): string {
  if (random.chance(50)) return signed
  const at = random.below(signed.indexOf('SignatureValue>', signed.indexOf('SignatureValue>') + 1))
  // Half of a surrogate pair cannot be written as octets.
  if (/[\ud800-\udfff]/.test(signed[at] ?? '')) return signed
  return signed.slice(0, at) + (signed[at] === 'A' ? 'B' : 'A') + signed.slice(at + 1)
}
