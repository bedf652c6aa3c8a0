import type { Canonicalization } from '../algorithms/canonicalization.js'
import { signatureErrors } from '../errors.js'
import { elementChildren } from './element-content.js'
import type { XmlElement } from './node.js'
import { notParsed } from './xml-errors.js'

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const MAX_PREFIXES = 64
const NO_PREFIXES: ReadonlySet<string> = new Set()

const KINDS: ReadonlyMap<string, Canonicalization['kind']> = new Map([
  ['http://www.w3.org/TR/2001/REC-xml-c14n-20010315', 'inclusive-1.0'],
  ['http://www.w3.org/2006/12/xml-c14n11', 'inclusive-1.1'],
  [EXCLUSIVE, 'exclusive'],
])

/** Canonical XML 1.0 without comments: what turns a node-set into bytes where nothing is said (XMLDSig 1.1, 4.4.3.2). */
export const DEFAULT_CANONICALIZATION: Canonicalization = {
  uri: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  kind: 'inclusive-1.0',
  withComments: false,
  inclusivePrefixes: NO_PREFIXES,
}

/** Whether `uri` names one of the six canonicalizations. */
export const isCanonicalization = (uri: string): boolean => splitUri(uri) !== undefined

/** Reads a CanonicalizationMethod or a Transform; an unknown algorithm is refused. */
export function readCanonicalization(element: XmlElement): Canonicalization {
  const uri = element.attribute('Algorithm') ?? ''
  const known = splitUri(uri)
  if (known === undefined) {
    throw signatureErrors.error('signatureAlgorithmNotSupported', { reason: 'canonicalizationMethod', algorithm: uri })
  }
  return { uri, ...known, inclusivePrefixes: readPrefixes(element, known.kind) }
}

function splitUri(uri: string): { kind: Canonicalization['kind']; withComments: boolean } | undefined {
  const exact = KINDS.get(uri)
  if (exact !== undefined) return { kind: exact, withComments: false }
  const bare = uri.replace(/#?WithComments$/, '')
  for (const base of [bare, `${bare}#`]) {
    const kind = KINDS.get(base)
    if (kind !== undefined && uri === (base.endsWith('#') ? `${base}WithComments` : `${base}#WithComments`)) {
      return { kind, withComments: true }
    }
  }
  return undefined
}

function readPrefixes(element: XmlElement, kind: Canonicalization['kind']): ReadonlySet<string> {
  const parameters = elementChildren(element)
  if (parameters.length === 0) return NO_PREFIXES
  const [parameter] = parameters
  if (kind !== 'exclusive' || parameters.length > 1 || !parameter?.is(EXCLUSIVE, 'InclusiveNamespaces')) {
    throw notParsed('canonicalizationParameters')
  }
  const names = (parameter.attribute('PrefixList') ?? '').split(/[ \t\r\n]+/).filter((name) => name !== '')
  if (names.length > MAX_PREFIXES) throw notParsed('tooManyPrefixes')
  return new Set(names.map((name) => (name === '#default' ? '' : name)))
}
