import { readFileSync } from 'node:fs'
import { openEvidence, RECORDS_VERSION, STATEMENT_VERSION, sourceOf } from '@signed-registry/verifier/evidence'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { readStatement } from '#verifier/evidence/read-statement.js'
import { withRecords } from '../support/evidence/with-records.js'
import { builtBytes, bundleOf } from '../support/evidence-bundle.js'
import { loggedBundle } from '../support/log/logged-bundle.js'
import { testAuthorities } from '../support/pki/authorities.js'

const schema: object = JSON.parse(readFileSync(new URL('../../docs/evidence.schema.json', import.meta.url), 'utf8'))
const fits = new Ajv2020({ strict: true, allErrors: true }).compile(schema)

type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json }

const isObject = (value: Json | undefined): value is { readonly [field: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every way to a value in a statement. */
function waysIn(value: Json, way: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [way]
  return [way, ...Object.entries(value).flatMap(([name, one]) => waysIn(one, [...way, name]))]
}

/** A statement in which another value stands at this place, or none. */
function withValue(value: Json, [name, ...rest]: readonly string[], other: Json | undefined): Json | undefined {
  if (name === undefined) return other
  if (Array.isArray(value)) {
    const items = value.map((one, index) => (String(index) === name ? withValue(one, rest, other) : one))
    return items.flatMap((one) => (one === undefined ? [] : [one]))
  }
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([field, one]) => [
    field,
    field === name ? withValue(one, rest, other) : one,
  ])
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined))
}

/** What a liar, or a careless writer, puts in place of a value. */
const OTHERS: readonly (Json | undefined)[] = [
  undefined,
  null,
  '',
  'x',
  'AB',
  -1,
  0.5,
  2 ** 53,
  7,
  true,
  [],
  ['x'],
  {},
  { x: 'x' },
  '2026-02-30 12:00',
  '2026-01-01T00:00:00.000+05:00',
  '1.2.3',
]

const isRead = (statement: Json | undefined): boolean => {
  try {
    readStatement(Buffer.from(JSON.stringify(statement) ?? ''))
    return true
  } catch {
    return false
  }
}

describe('docs/evidence.schema.json', () => {
  const authorities = testAuthorities()
  const signers = [authorities.person(), authorities.person({ algorithm: 'gost512' })]
  let statements: readonly Json[]
  before(async () => {
    const content = '<debt>100</debt>'
    const bundles = [
      bundleOf(authorities, [{ content, signers }]),
      bundleOf(authorities, [{ content, signers, withoutOriginal: true }]),
      bundleOf(authorities, [
        { content, signers: [{ by: authorities.person(), as: 'xml' }] },
        { content: 'two', documentId: 'E'.repeat(16), signers: [{ by: authorities.person(), as: 'crl' }] },
      ]),
    ]
    const [first] = bundles
    if (first !== undefined) bundles.push(await loggedBundle(first, authorities), withRecords(first, authorities))
    const opened = await Promise.all(bundles.map(async (one) => openEvidence(sourceOf(await builtBytes(one)))))
    statements = opened.map(({ octets }) => JSON.parse(Buffer.from(octets.statement).toString()))
  })

  it('is of the version that is written', () => {
    for (const version of [STATEMENT_VERSION, RECORDS_VERSION]) expect(version).to.match(/^1\./)
    expect(schema).to.have.property('title').that.includes('version 1')
  })

  it('is what is written, and demands every field of it', () => {
    for (const statement of statements) {
      expect(fits(statement), JSON.stringify(fits.errors)).to.equal(true)
      expect(isRead(statement)).to.equal(true)
    }
  })

  it('refuses and takes what readers refuse and take, whatever stands in the place of any value', () => {
    let refused = 0
    const disagreed: string[] = []
    for (const statement of statements)
      for (const way of waysIn(statement))
        for (const other of OTHERS) {
          const changed = withValue(statement, way, other)
          const read = isRead(changed)
          if (fits(changed) !== read) disagreed.push(`${way.join('/')}: ${JSON.stringify(other)}`)
          if (!read) refused += 1
        }
    expect(disagreed).to.deep.equal([])
    expect(refused).to.be.greaterThan(1000)
  })

  it('takes lists as long as readers take them', () => {
    const way = ['hints', 'timeStampPolicies']
    for (const length of [10_000, 10_001])
      for (const statement of statements) {
        const changed = withValue(statement, way, Array(length).fill('1.2.3'))
        expect([fits(changed), isRead(changed)]).to.deep.equal([length === 10_000, length === 10_000])
      }
  })

  it('takes what later minor versions add, and no other major version', () => {
    for (const statement of statements) {
      if (!isObject(statement)) throw new TypeError('The statement is no object')
      const typed = (version: string) => ({
        ...statement,
        more: { of: 'later' },
        type: `application/vnd.signed-registry.evidence+json;version=${version}`,
      })
      for (const [version, taken] of [
        ['1.7', true],
        ['2.0', false],
        ['1', false],
        ['01.0', false],
      ] as const) {
        expect(fits(typed(version)), version).to.equal(taken)
        expect(isRead(typed(version)), version).to.equal(taken)
      }
    }
  })
})
