import { RegistryError } from '../error.js'
import { XmlElement, XmlText } from '../xml/node.js'
import { parseXml } from '../xml/parse-xml.js'
import { notRead } from './errors.js'

/** A part of a catalogue, whatever it is written in. */
export interface CataloguePart {
  /** The parts of a name, in their order; in XML elements. */
  all(name: string): CataloguePart[]
  /** What it says, where it has no parts; in JSON a text or a number. */
  readonly text: string
  /** The `name` that a parameter has: in XML an attribute. */
  readonly name: string | undefined
}

const DSSC = 'urn:ietf:params:xml:ns:dssc'
const POLICY = 'SecuritySuitabilityPolicy'

/** The policy of a catalogue in XML (RFC 5698) or JSON (ETSI TS 119 322). */
export function policyIn(text: string): CataloguePart {
  const root = /^\s*\{/.test(text) ? ofJson(parsedJson(text)).all(POLICY)[0] : rootOf(text)
  if (root === undefined) throw notRead('policyMissing')
  return root
}

function rootOf(text: string): CataloguePart | undefined {
  try {
    const { root } = parseXml(text)
    return root.is(DSSC, POLICY) ? ofXml(root) : undefined
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw notRead('xml', {}, error)
  }
}

const ofXml = (element: XmlElement): CataloguePart => ({
  all: (name) =>
    element.children.flatMap((one) => (one instanceof XmlElement && one.is(DSSC, name) ? [ofXml(one)] : [])),
  text: element.children
    .map((one) => (one instanceof XmlText ? one.value : ''))
    .join('')
    .trim(),
  name: element.attribute('name'),
})

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notRead('json', {}, error)
  }
}

function ofJson(value: unknown): CataloguePart {
  const fields =
    typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)) : undefined
  const name = fields?.get('name')
  return {
    all: (wanted) => {
      const found = fields?.get(wanted)
      const list: readonly unknown[] = found === undefined ? [] : Array.isArray(found) ? found : [found]
      return list.map(ofJson)
    },
    text: typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '',
    name: typeof name === 'string' ? name : undefined,
  }
}
