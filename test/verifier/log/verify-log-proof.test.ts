import { expect } from 'chai'
import { checkpointText } from '#verifier/log/checkpoint.js'
import { saltedEntry } from '#verifier/log/entry.js'
import { growTree } from '#verifier/log/grow-tree.js'
import { writeLeafText } from '#verifier/log/leaf-text.js'
import { leafHash } from '#verifier/log/merkle.js'
import { writeLogProof } from '#verifier/log/proof.js'
import { publicEntry } from '#verifier/log/public-entry.js'
import { readLogPolicy } from '#verifier/log/read-policy.js'
import { TiledTree } from '#verifier/log/tiled-tree.js'
import { type LogProofOptions, verifyLogProof } from '#verifier/log/verify-log-proof.js'
import { signNote } from '#verifier/notes/signed-note.js'
import { logKeyOf, privateKeyOf, witnessOf } from '../../support/log/note-keys.js'
import { refusal } from '../../support/xml/refusal.js'

const origin = 'registry.example/log/one'
const logKey = logKeyOf(origin, 1)
const salt = Buffer.alloc(32, 9)
const text = writeLeafText('signature', [
  ['documentId', 'abc'],
  ['ocsp', 'none'],
])
const told = { kind: 'forgotten', origin: 'registry.example/log', index: 3, entryKind: 'digests' } as const
const forgotten = publicEntry({ ...told, reason: 'court order' })
const entries = [Buffer.from('one'), saltedEntry(salt, text), forgotten, saltedEntry(salt, 'no leaf')]
const leaves = entries.map(leafHash)
const tree = growTree({ size: 0, edge: [] }, leaves)
const tiled = new TiledTree(entries.length, async () => Buffer.concat(leaves))
const note = signNote(checkpointText({ origin, ...tree }), origin, privateKeyOf(1))
const [w2, w3] = [witnessOf(2), witnessOf(3)]
const policyOf = (...lines: readonly string[]) =>
  readLogPolicy([`log ${logKey}`, `witness a ${w2.key}`, `witness b ${w3.key}`, ...lines, ''].join('\n'))

const proofOf = async (index: number, extra: Buffer | undefined, checkpoint = note) =>
  writeLogProof({ extra, index, hashes: await tiled.inclusion(index), checkpoint })
const extra = Buffer.concat([salt, Buffer.from(text)])

describe('proofs of what a registry logged', () => {
  it('tell what was logged, where, and in which log', async () => {
    const verdict = verifyLogProof(await proofOf(1, extra), { logKeys: [logKey] })
    expect(verdict).to.deep.include({ origin, index: 1, size: 4, kind: 'signature', isPublic: false, logKey })
    expect([...verdict.fields]).to.deep.equal([
      ['documentId', 'abc'],
      ['ocsp', 'none'],
    ])
    expect(verdict).to.deep.include({ witnesses: [], trust: 'notEstablished', problems: ['policyMissing'] })
  })

  it('tell public entries by themselves', async () => {
    const verdict = verifyLogProof(await proofOf(2, forgotten), { logKeys: [logKey] })
    expect(verdict).to.deep.include({ index: 2, kind: 'forgotten', isPublic: true })
    expect(verdict.fields.get('reason')).to.equal('court order')
  })

  for (const [what, lines, cosigners, trust, problems] of [
    ['by a witness that is asked for', ['quorum a'], [w2], 'established', []],
    ['by two of two', ['group g all a b', 'quorum g'], [w2, w3], 'established', []],
    [
      'by any of two, which need not be the same',
      ['group g any a b', 'quorum g'],
      [w2],
      'established',
      ['quorumsDisjoint'],
    ],
    ['where no witness is asked for', ['quorum none'], [], 'established', ['noWitnesses']],
    ['not by one of two', ['group g all a b', 'quorum g'], [w2], 'notEstablished', ['quorumMissing']],
    ['not by another witness', ['quorum a'], [w3], 'notEstablished', ['quorumMissing']],
  ] as const)
    it(`are trusted ${what}`, async () => {
      const checkpoint = note + cosigners.map((witness) => witness.line(note)).join('')
      const verdict = verifyLogProof(await proofOf(1, extra, checkpoint), { policy: policyOf(...lines) })
      expect(verdict).to.deep.include({ trust, problems, logKey })
      expect(verdict.witnesses).to.have.length(cosigners.length)
    })

  it('are worth nothing without a key that is known, and little by one that the policy does not have', async () => {
    const proof = await proofOf(1, extra)
    const unknown = { trust: 'unknownLog', problems: ['keyUnknown'], logKey: undefined }
    const other = [logKeyOf(origin, 5), logKeyOf('other.example', 1)]
    expect(verifyLogProof(proof)).to.deep.include(unknown)
    expect(verifyLogProof(proof, { logKeys: other })).to.deep.include(unknown)
    const policy = readLogPolicy(`log ${logKeyOf(origin, 5)}\nquorum none\n`)
    expect(verifyLogProof(proof, { policy })).to.deep.include(unknown)
    const known = verifyLogProof(proof, { policy, logKeys: [logKey] })
    expect(known).to.deep.include({ trust: 'notEstablished', problems: ['logNotTrusted'], logKey })
  })

  it('are trusted by a policy that leaves the logs to its reader, where he knows the log; hints are never trust', async () => {
    const proof = await proofOf(1, extra)
    const policy = readLogPolicy('quorum none\n')
    const told = ({ trust, problems }: ReturnType<typeof verifyLogProof>) => [trust, ...problems]
    expect(told(verifyLogProof(proof, { policy, logKeys: [logKey] }))).to.deep.equal(['established', 'noWitnesses'])
    expect(told(verifyLogProof(proof, { policy, hints: [logKey] }))).to.deep.equal(['notEstablished', 'logNotTrusted'])
    expect(told(verifyLogProof(proof, { policy }))).to.deep.equal(['unknownLog', 'keyUnknown'])
    const other = readLogPolicy(`log ${logKeyOf(origin, 5)}\nquorum none\n`)
    expect(told(verifyLogProof(proof, { policy: other, logKeys: [logKey] }))).to.deep.equal([
      'notEstablished',
      'logNotTrusted',
    ])
  })

  it('tell of keys of unknown types in the policy, and of a quorum that they make impossible', async () => {
    const key = (name: string) =>
      `${name}+01020304+${Buffer.concat([Buffer.of(6), Buffer.alloc(1312, 5)]).toString('base64')}`
    const proof = await proofOf(1, extra)
    const judged = (...lines: readonly string[]) => {
      const { trust, problems } = verifyLogProof(proof, {
        policy: readLogPolicy(`${lines.join('\n')}\n`),
        logKeys: [logKey],
      })
      return [trust, ...problems]
    }
    const log = `log ${logKey}`
    expect(judged(log, `witness q ${key('q')}`, 'quorum q')).to.deep.equal([
      'notEstablished',
      'quorumImpossible',
      'keysPassedOver',
    ])
    expect(judged(log, `witness q ${key('q')}`, 'quorum none')).to.deep.equal([
      'established',
      'noWitnesses',
      'keysPassedOver',
    ])
    const onlyUnknown = judged(`log ${key(origin)}`, 'quorum none')
    expect(onlyUnknown, 'it names its logs').to.deep.equal(['notEstablished', 'logNotTrusted', 'keysPassedOver'])
  })

  const refused = (proof: string, options: LogProofOptions = { logKeys: [logKey] }) =>
    refusal(() => verifyLogProof(proof, options))

  it('are refused for anything else than what was logged', async () => {
    for (const changed of [
      Buffer.from(extra).fill(1, 0, 1),
      Buffer.concat([extra, Buffer.from('x y\n')]),
      Buffer.concat([salt, Buffer.from(text.replace('abc', 'abd'))]),
    ])
      expect(refused(await proofOf(1, changed))).to.equal('logNotProved notIncluded')
    expect(refused((await proofOf(1, extra)).replace('index 1', 'index 0'))).to.equal('logNotProved notIncluded')
    expect(refused((await proofOf(1, extra)).replace('index 1', 'index 4'))).to.equal('logNotProved notIncluded')
    expect(refused(await proofOf(0, extra))).to.equal('logNotProved notIncluded')
  })

  it('are refused without the text, or where it is none', async () => {
    for (const missing of [undefined, salt, Buffer.from('short')])
      expect(refused(await proofOf(1, missing))).to.equal('logNotProved extraMissing')
    expect(refused(await proofOf(3, Buffer.concat([salt, Buffer.from('no leaf')])))).to.equal('logNotRead leaf')
  })

  it('are refused with a checkpoint that is changed, or none', async () => {
    const proof = await proofOf(1, extra)
    const [hash = ''] = /^.{43}=$/m.exec(note) ?? []
    const other = Buffer.alloc(32).toString('base64')
    expect(refused(proof.replace(hash, other))).to.equal('logNotProved notIncluded')
    expect(refused(proof.replace('\n4\n', '\n3\n'))).to.equal('noteNotVerified signature')
    expect(refused(proof.trimEnd())).to.equal('noteNotVerified malformed')
    const any = signNote('any text\n', origin, privateKeyOf(1))
    expect(refused(await proofOf(1, extra, any))).to.equal('noteNotVerified otherText')
    expect(refused('')).to.equal('logNotRead proof')
    const wrong = note + w2.line(note.replace('\n4\n', '\n5\n'))
    const policy = policyOf('quorum none')
    expect(refused(await proofOf(1, extra, wrong), { policy })).to.equal('noteNotVerified signature')
  })
})
