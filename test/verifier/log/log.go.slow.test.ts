import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { checkpointText } from '#verifier/log/checkpoint.js'
import { isConsistent, isIncluded, leafHash } from '#verifier/log/merkle.js'
import { tilePath } from '#verifier/log/tile-path.js'
import { signNote, verifySignedNote } from '#verifier/notes/signed-note.js'
import { Random } from '../../fuzz/random.js'
import { askConsistency, askGo, askInclusion, requireGo, tilesIn } from '../../support/log/go.js'
import { GrownLog } from '../../support/log/grown-log.js'
import { logKeyOf, privateKeyOf, witnessOf } from '../../support/log/note-keys.js'
import { consistenciesBy, inclusionsBy } from '../../support/log/other-proofs.js'
import { entryAt } from '../../support/log/plain-tree.js'
import { refusal } from '../../support/xml/refusal.js'

const SIZE = 1_000

describe('Go and we agree', () => {
  before(function () {
    requireGo(this)
  })

  const log = GrownLog.ofSize(400, 600)
  const random = new Random(20_261_122)
  const tree = log.tree

  // A proof with another size is one where both trees would have it in the same place, and is told by the signed root.
  it('which entries of a tree of 1,000 are proved', async () => {
    const asked = []
    for (let index = 0; index < SIZE; index += 1) {
      const size = index % 3 === 0 ? index + 1 + random.below(SIZE - index) : SIZE
      const tiled = log.tiled(size)
      const good = { leaf: leafHash(entryAt(index)), index, size, root: await tiled.root() }
      asked.push(...inclusionsBy({ ...good, proof: await tiled.inclusion(index) }, random.below(2 ** 30)))
    }
    const ours = asked.map(isIncluded)
    expect(askGo(asked.map(askInclusion)).map(({ refused }) => refused === undefined)).to.deep.equal(ours)
    expect(ours.filter((one) => one).length).to.be.within(SIZE, SIZE * 3)
  })

  it('which trees continue which', async () => {
    const asked = []
    for (let size = 1; size <= SIZE; size += 1) {
      const to = size % 3 === 0 ? size + random.below(SIZE - size + 1) : SIZE
      const heads = {
        from: { size, root: await log.tiled(size).root() },
        to: { size: to, root: await log.tiled(to).root() },
      }
      asked.push(...consistenciesBy({ ...heads, proof: await log.tiled(to).consistency(size) }, random.below(2 ** 30)))
    }
    const ours = asked.map(isConsistent)
    expect(askGo(asked.map(askConsistency)).map(({ refused }) => refused === undefined)).to.deep.equal(ours)
    expect(ours.filter((one) => one).length).to.be.within(SIZE, SIZE * 3)
  })

  it('what the tiles prove', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiles-'))
    for (const [path, hashes] of log.tiles) {
      const [level = 0, index = 0] = path.split('/').map(Number)
      const file = join(folder, tilePath({ level, index, width: hashes.length / 32 }))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, hashes)
    }
    const places = [0, 1, 255, 256, 511, 512, 767, 768, 998, 999]
    const tiles = tilesIn(folder, tree)
    const answers = askGo([
      ...places.map((index) => ({ kind: 'proveInclusion', ...tiles, index }) as const),
      ...places.map((place) => ({ kind: 'proveConsistency', ...tiles, oldSize: place + 1 }) as const),
      { kind: 'proveInclusion', ...tilesIn(folder, { size: SIZE, root: leafHash(entryAt(0)) }), index: 0 },
    ])
    const wanted = [
      ...(await Promise.all(places.map((index) => log.tiled().inclusion(index)))),
      ...(await Promise.all(places.map((place) => log.tiled().consistency(place + 1)))),
    ].map((proof) => proof.map((hash) => Buffer.from(hash).toString('base64')))
    expect(answers.slice(0, -1).map(({ proof = [] }) => proof)).to.deep.equal(wanted)
    expect(answers.at(-1)?.refused).to.match(/inconsistent/)
  })

  const origin = 'log.example/one'
  const key = logKeyOf(origin, 1)
  const text = checkpointText({ origin, ...tree })
  const note = signNote(text, origin, privateKeyOf(1))
  const cosigned = note + witnessOf(2).line(note)

  it('what a signed note says', () => {
    const others = [cosigned, signNote('one\n\ntwo \u0416\n', origin, privateKeyOf(1))]
    for (const [at, { text }] of askGo(others.map((note) => ({ kind: 'open', note, key }))).entries())
      expect(text).to.equal(verifySignedNote(others[at] ?? '', key))
  })

  it('what a note says that Go signs', () => {
    const seed = Buffer.alloc(32, 5).toString('base64')
    const [answer] = askGo([{ kind: 'sign', note: text, name: origin, seed }])
    const [vkey = '', ...lines] = answer?.text?.split('\n') ?? []
    expect(vkey).to.equal(logKeyOf(origin, 5))
    expect(lines.join('\n')).to.equal(signNote(text, origin, privateKeyOf(5)))
    expect(verifySignedNote(lines.join('\n'), vkey)).to.equal(text)
  })

  it('which notes are none', () => {
    const wrong = signNote(text.replace('1000', '1001'), origin, privateKeyOf(1)).split('\n').at(-2)
    const notes = [
      note.replace('\n1000\n', '\n1001\n'),
      note.replaceAll(origin, 'log.example/two'),
      note.trimEnd(),
      note.replace('\n\n', '\n'),
      note.replaceAll('\n', '\r\n'),
      note.replace('log', 'l\tog'),
      `${text}\n`,
      `${note}\n`,
      `${note}x\n`,
      `\n${note}`,
      `${note}\u2014 ${origin}\n`,
      `${note}\u2014 ${origin} AAAA\n`,
      `${note}\u2014 a+b AAAAAAA=\n`,
      `${note}\u2014 a\u00a0b AAAAAAA=\n`,
      `${wrong}\n${note}`,
      note.replace('\n\n', `\n\n${wrong}\n`),
      signNote(text, origin, privateKeyOf(2)),
      note,
    ]
    const answers = askGo(notes.map((note) => ({ kind: 'open', note, key })))
    const ours = notes.map((note) => refusal(() => verifySignedNote(note, key)))
    expect(answers.map(({ refused }) => refused === undefined)).to.deep.equal(ours.map((one) => one === 'accepted'))
    expect(ours.filter((one) => one === 'accepted')).to.have.length(1)
  })

  it('on every changed note that we accept', () => {
    const notes = Array.from({ length: 2_000 }, () => {
      const characters = [...cosigned]
      const at = random.below(characters.length)
      const inserted = random.pick(['', '\n', ' ', '=', '+', '\u2014 ', 'A', '\u0000', '\u00a0', '\u{1f600}', cosigned])
      characters.splice(at, random.below(3), inserted)
      return characters.join('')
    })
    const answers = askGo(notes.map((note) => ({ kind: 'open', note, key })))
    const accepted = notes.flatMap((note, at) => {
      const isOurs = refusal(() => verifySignedNote(note, key)) === 'accepted'
      return isOurs ? [{ note, refused: answers[at]?.refused }] : []
    })
    expect(accepted.filter(({ refused }) => refused !== undefined)).to.deep.equal([])
    expect(accepted).to.have.length.above(0)
  })
})
