import { expect } from 'chai'
import { saltedEntry } from '#verifier/log/entry.js'
import { type PublicEntry, publicEntry, readPublicEntry } from '#verifier/log/public-entry.js'
import { logKeyOf } from '../../support/log/note-keys.js'
import { refusal } from '../../support/xml/refusal.js'

const root = Buffer.alloc(32, 3)
const HEAD = 'signed-registry/public/v1\n'
const EVERY: readonly PublicEntry[] = [
  {
    kind: 'forgotten',
    origin: 'registry.example/log',
    index: 17,
    entryKind: 'digests',
    reason: 'the person asked for it',
  },
  { kind: 'statementKey', verifierKey: logKeyOf('registry.example', 1) },
  { kind: 'logKey', verifierKey: logKeyOf('registry.example/log/one', 2) },
  { kind: 'stamp', size: 300, token: Buffer.from([0x30, 0x00, 0xff]) },
  { kind: 'succession', origin: 'registry.example/log/one', size: 9, root },
]

describe('public entries', () => {
  it('begin with a line that says so', () => {
    const [forgotten] = EVERY
    expect(publicEntry(forgotten ?? expect.fail()).toString()).to.equal(
      `${HEAD}forgotten\norigin registry.example/log\nindex 17\nentryKind digests\nreason the person asked for it\n`,
    )
  })

  for (const entry of EVERY)
    it(`are read as they were written: ${entry.kind}`, () => {
      const bytes = publicEntry(entry)
      expect(bytes.length).to.be.greaterThan(32)
      expect(readPublicEntry(bytes)).to.deep.equal(entry)
    })

  it('are told from salted ones', () => {
    expect(readPublicEntry(saltedEntry(Buffer.alloc(32), 'seal\n'))).to.equal(undefined)
  })

  for (const [what, bytes] of [
    ['nothing', ''],
    [
      'another first line',
      'signed-registry/public/v2\nforgotten\norigin registry.example/log\nindex 17\nentryKind digests\nreason x\n',
    ],
    ['an unknown kind', `${HEAD}hello\nindex 17\nentryKind digests\nreason x\n`],
    ['a kind that every object has', `${HEAD}constructor\nindex 17\n`],
    ['a field less', `${HEAD}forgotten\norigin registry.example/log\nindex 17\nentryKind digests\n`],
    ['no kind of what was forgotten', `${HEAD}forgotten\norigin registry.example/log\nindex 17\nreason x\n`],
    ['a field more', `${HEAD}forgotten\norigin registry.example/log\nindex 17\nentryKind digests\nreason x\nmore y\n`],
    [
      'fields in another order',
      `${HEAD}forgotten\norigin registry.example/log\nentryKind digests\nreason x\nindex 17\n`,
    ],
    [
      'an index that is no number',
      `${HEAD}forgotten\norigin registry.example/log\nindex 1e3\nentryKind digests\nreason x\n`,
    ],
    [
      'an index with a leading zero',
      `${HEAD}forgotten\norigin registry.example/log\nindex 017\nentryKind digests\nreason x\n`,
    ],
    ['a size that JavaScript cannot count', `${HEAD}stamp\nsize 9007199254740992\ntoken MAA=\n`],
    ['a token that is not strict base64', `${HEAD}stamp\nsize 9\ntoken MAA\n`],
    ['a token that is no base64', `${HEAD}stamp\nsize 9\ntoken \u0416\u0416\u0416\u0416\n`],
    ['a root of 31 octets', `${HEAD}succession\norigin a\nsize 9\nroot ${Buffer.alloc(31).toString('base64')}\n`],
  ])
    it(`are not read with ${what}`, () => {
      expect(refusal(() => readPublicEntry(Buffer.from(bytes ?? '')))).to.equal('logNotRead entry')
    })

  it('are not read with octets that are no UTF-8, or too long', () => {
    const good = publicEntry({
      kind: 'forgotten',
      origin: 'registry.example/log',
      index: 17,
      entryKind: 'seal',
      reason: 'x?',
    })
    const broken = Buffer.from(good)
    broken.writeUInt8(0xff, broken.indexOf('?'))
    expect(refusal(() => readPublicEntry(broken))).to.match(/^logNotRead (entry|leaf)$/)
    const long = Buffer.from(
      `${HEAD}forgotten\norigin registry.example/log\nindex 17\nentryKind digests\nreason ${'x'.repeat(65_536)}\n`,
    )
    expect(refusal(() => readPublicEntry(long))).to.match(/^logNotRead (entry|leaf)$/)
    const reason = '\u0416'.repeat(40_000)
    const wide = Buffer.from(
      `${HEAD}forgotten\norigin registry.example/log\nindex 17\nentryKind digests\nreason ${reason}\n`,
    )
    expect(refusal(() => readPublicEntry(wide))).to.equal('logNotRead entry')
  })

  it('are not written with what could not be read again', () => {
    for (const wrong of [
      { kind: 'forgotten', origin: 'registry.example/log', index: -1, entryKind: 'seal', reason: 'x' },
      { kind: 'forgotten', origin: 'registry.example/log', index: 2 ** 53, entryKind: 'seal', reason: 'x' },
      { kind: 'forgotten', origin: 'registry.example/log', index: 1, entryKind: 'seal', reason: '' },
      { kind: 'forgotten', origin: 'registry.example/log', index: 1, entryKind: '', reason: 'x' },
      { kind: 'forgotten', origin: 'registry.example/log', index: 1, entryKind: 'seal', reason: 'x\ny z' },
      {
        kind: 'forgotten',
        origin: 'registry.example/log',
        index: 1,
        entryKind: 'seal',
        reason: '\u0416'.repeat(40_000),
      },
      { kind: 'statementKey', verifierKey: '' },
      { kind: 'stamp', size: 1, token: new Uint8Array() },
      { kind: 'stamp', size: 1, token: Buffer.alloc(60_000) },
      { kind: 'stamp', size: 0.5, token: Buffer.alloc(6) },
      { kind: 'succession', origin: '', size: 1, root },
      { kind: 'succession', origin: 'a', size: 1, root: root.subarray(1) },
    ] as const)
      expect(() => publicEntry(wrong), JSON.stringify(wrong)).to.throw(RangeError)
  })
})
