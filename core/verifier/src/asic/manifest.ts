import { digestAlgorithms } from '../algorithms/digest.js'
import { RegistryError } from '../error.js'
import { elementChildren } from '../xml/element-content.js'
import type { XmlElement } from '../xml/node.js'
import { parseXml } from '../xml/parse-xml.js'
import { DSIG } from '../xml/signature-element.js'
import { xmlText } from '../xml/xml-text.js'

/** What a manifest says of one file. */
export interface ManifestEntry {
  readonly uri: string
  /** OID of the digest algorithm; `undefined` for an unknown one. */
  readonly oid: string | undefined
  readonly digest: Uint8Array
}

/** A manifest of a container (EN 319 162-1, annex A.4). */
export interface AsicManifest {
  /** The file with the signature or time stamp over the manifest. */
  readonly signature: string
  readonly entries: readonly ManifestEntry[]
}

const ASIC = 'http://uri.etsi.org/02918/v1.2.1#'
const MAX_ENTRIES = 10_000

/** Reads a manifest; `undefined` for anything else. */
export function readManifest(bytes: Uint8Array): AsicManifest | undefined {
  const root = rootOf(bytes)
  if (root?.is(ASIC, 'ASiCManifest') !== true) return undefined
  const children = elementChildren(root)
  const signatures = children.filter((child) => child.is(ASIC, 'SigReference'))
  const signature = signatures[0]?.attribute('URI')
  const entries = children.filter((child) => child.is(ASIC, 'DataObjectReference'))
  if (signatures.length !== 1 || signature === undefined || entries.length > MAX_ENTRIES) return undefined
  return { signature, entries: entries.map(entryIn) }
}

/** The files that `META-INF/manifest.xml` lists (OpenDocument 1.2, part 3); `undefined` where it cannot be read. */
export function listedFiles(bytes: Uint8Array): readonly string[] | undefined {
  const root = rootOf(bytes)
  if (root?.localName !== 'manifest') return undefined
  return elementChildren(root).flatMap((entry) => {
    const path = entry.attributes.find(({ localName }) => localName === 'full-path')?.value
    return path === undefined || path.endsWith('/') ? [] : [path]
  })
}

function entryIn(element: XmlElement): ManifestEntry {
  const [method] = elementChildren(element).filter((child) => child.is(DSIG, 'DigestMethod'))
  const [value] = elementChildren(element).filter((child) => child.is(DSIG, 'DigestValue'))
  const uri = method?.attribute('Algorithm') ?? ''
  return {
    uri: element.attribute('URI') ?? '',
    oid: digestAlgorithms.find(({ xmlUris, trusted }) => trusted && xmlUris.includes(uri))?.oid,
    digest: Buffer.from(textOf(value), 'base64'),
  }
}

const textOf = (element: XmlElement | undefined): string =>
  (element?.children ?? []).map((child) => ('value' in child ? child.value : '')).join('')

function rootOf(bytes: Uint8Array): XmlElement | undefined {
  try {
    return parseXml(xmlText(bytes)).root
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
