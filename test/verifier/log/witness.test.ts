import { expect } from 'chai'
import { checkpointText } from '#verifier/log/checkpoint.js'
import { EMPTY_ROOT, leafHash, type TreeHead } from '#verifier/log/merkle.js'
import { judgeAddCheckpoint, originHash, readAddCheckpoint, writeAddCheckpoint } from '#verifier/log/witness.js'
import { signNote } from '#verifier/notes/signed-note.js'
import { GrownLog } from '../../support/log/grown-log.js'
import { logKeyOf, privateKeyOf } from '../../support/log/note-keys.js'
import { refusal } from '../../support/xml/refusal.js'

const origin = 'log.example/one'
const keys = [logKeyOf(origin, 1)]
const log = GrownLog.ofSize(300)
const noteOf = ({ size, root }: TreeHead, key = 1) =>
  signNote(checkpointText({ origin, size, root }), origin, privateKeyOf(key))
const at = async (size: number): Promise<TreeHead> => ({ size, root: await log.tiled(size).root() })

/** A request to continue a tree with another, and what a witness says that knows `latest`. */
async function judged(given: {
  readonly from: number
  readonly to: number
  readonly latest?: TreeHead | undefined
  readonly proof?: readonly Uint8Array[]
  readonly note?: string
}) {
  const to = await at(given.to)
  const proof = given.proof ?? (given.from > given.to ? [] : await log.tiled(given.to).consistency(given.from))
  const body = writeAddCheckpoint({ oldSize: given.from, proof, note: given.note ?? noteOf(to) })
  return judgeAddCheckpoint(readAddCheckpoint(body), { keys, latest: given.latest })
}

describe('the rules of a witness (C2SP tlog-witness, add-checkpoint)', () => {
  it('read what a log asks', async () => {
    const proof = await log.tiled(300).consistency(200)
    const note = noteOf(await at(300))
    const body = writeAddCheckpoint({ oldSize: 200, proof, note })
    expect(body).to.match(/^old 200\n([A-Za-z0-9+/]{43}=\n)+\nlog\.example\/one\n300\n/)
    const read = readAddCheckpoint(body)
    expect(read).to.deep.include({ oldSize: 200, proof, note })
    expect(read.checkpoint).to.include({ origin, size: 300 })
    expect(writeAddCheckpoint(read)).to.equal(body)
  })

  it('accept the first checkpoint, one that continues the last, and the last again', async () => {
    expect(await judged({ from: 0, to: 300 })).to.deep.equal({ outcome: 'accepted' })
    expect(await judged({ from: 0, to: 0 })).to.deep.equal({ outcome: 'accepted' })
    expect(await judged({ from: 0, to: 9, latest: await at(0) })).to.deep.equal({ outcome: 'accepted' })
    expect(await judged({ from: 256, to: 300, latest: await at(256) })).to.deep.equal({ outcome: 'accepted' })
    expect(await judged({ from: 300, to: 300, latest: await at(300) })).to.deep.equal({ outcome: 'accepted' })
  })

  it('know no logs but their own', async () => {
    const body = writeAddCheckpoint({ oldSize: 0, proof: [], note: noteOf(await at(1)) })
    expect(judgeAddCheckpoint(readAddCheckpoint(body), undefined)).to.deep.equal({ outcome: 'unknownLog' })
  })

  it('want a signature by a key of the log, and none that is wrong', async () => {
    const head = await at(5)
    const note = noteOf(head)
    const wrong = noteOf({ ...head, size: 6 })
      .split('\n')
      .at(-2)
    for (const unsigned of [noteOf(head, 2), `${note}${wrong}\n`])
      expect(await judged({ from: 0, to: 5, note: unsigned })).to.deep.equal({ outcome: 'notSigned' })
    const other = noteOf(head, 2).split('\n').at(-2)
    expect(await judged({ from: 0, to: 5, note: `${note}${other}\n` })).to.deep.equal({ outcome: 'accepted' })
  })

  it('want an old size that is no larger than the new one', async () => {
    expect(await judged({ from: 6, to: 5, latest: await at(6) })).to.deep.equal({ outcome: 'sizesReversed' })
  })

  it('say which size they cosigned last where it is another', async () => {
    expect(await judged({ from: 0, to: 9, latest: await at(7) })).to.deep.equal({ outcome: 'conflict', size: 7 })
    expect(await judged({ from: 7, to: 9 })).to.deep.equal({ outcome: 'conflict', size: 0 })
    expect(await judged({ from: 3, to: 5, latest: await at(7) })).to.deep.equal({ outcome: 'conflict', size: 7 })
  })

  it('refuse a tree that does not continue theirs', async () => {
    const inconsistent = { outcome: 'inconsistent' }
    const other = { size: 7, root: leafHash(Buffer.from('another')) }
    expect(await judged({ from: 7, to: 9, latest: other })).to.deep.equal(inconsistent)
    expect(await judged({ from: 7, to: 7, latest: other })).to.deep.equal(inconsistent)
    expect(await judged({ from: 7, to: 9, latest: await at(7), proof: [] })).to.deep.equal(inconsistent)
    expect(await judged({ from: 0, to: 9, proof: [EMPTY_ROOT] })).to.deep.equal(inconsistent)
    const empty = noteOf({ size: 0, root: leafHash(Buffer.from('another')) })
    expect(await judged({ from: 0, to: 0, note: empty })).to.deep.equal(inconsistent)
  })

  it('name a log by the hash of its origin', () => {
    expect(originHash('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  const note = noteOf({ size: 1, root: leafHash(Buffer.from('one')) })
  const hash = Buffer.alloc(32).toString('base64')
  for (const [what, body] of [
    ['nothing', ''],
    ['no old size', `\n${note}`],
    ['another first line', `size 0\n\n${note}`],
    ['a leading zero', `old 01\n\n${note}`],
    ['a sign', `old +1\n\n${note}`],
    ['an old size that JavaScript cannot count', `old 9007199254740992\n\n${note}`],
    ['a hash of another length', `old 1\nAAAA\n\n${note}`],
    ['a hash that is not strict base64', `old 1\n${hash.replace('=', '')}\n\n${note}`],
    ['64 hashes', `old 1\n${`${hash}\n`.repeat(64)}\n${note}`],
    ['more than 256 KiB', `old 1\n\n${note}${'x'.repeat(262_144)}`],
    ['carriage returns', `old 1\r\n\r\n${note}`],
  ])
    it(`do not read ${what}`, () => {
      expect(refusal(() => readAddCheckpoint(body ?? ''))).to.equal('logNotRead addCheckpoint')
    })

  it('do not read notes that are malformed or no checkpoints', () => {
    expect(refusal(() => readAddCheckpoint(`old 0\n\n${note.trim()}`))).to.equal('noteNotVerified malformed')
    const other = signNote('any text\n', origin, privateKeyOf(1))
    expect(refusal(() => readAddCheckpoint(`old 0\n\n${other}`))).to.equal('noteNotVerified otherText')
  })

  it('read 63 hashes', () => {
    expect(readAddCheckpoint(`old 1\n${`${hash}\n`.repeat(63)}\n${note}`).proof).to.have.length(63)
  })
})
