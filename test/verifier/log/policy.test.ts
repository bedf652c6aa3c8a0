import { expect } from 'chai'
import fc from 'fast-check'
import { checkpointText } from '#verifier/log/checkpoint.js'
import { leafHash } from '#verifier/log/merkle.js'
import { canBeMet, type LogPolicy, policyVerdict, quorumsIntersect } from '#verifier/log/policy.js'
import { readLogPolicy } from '#verifier/log/read-policy.js'
import { readNote, signNote } from '#verifier/notes/signed-note.js'
import { logKeyOf, privateKeyOf, witnessOf } from '../../support/log/note-keys.js'
import { refusal } from '../../support/xml/refusal.js'

const origin = 'log.example/one'
const log = logKeyOf(origin, 1)
const noteOf = (size: number) =>
  signNote(checkpointText({ origin, size, root: leafHash(Buffer.from('root')) }), origin, privateKeyOf(1))
const note = noteOf(5)
/** Witnesses a, b, c … by the numbers of their keys. */
const NAMES = 'abcdef'
const witnesses = [...NAMES].map((_, at) => witnessOf(at + 2))
const policyOf = (...lines: readonly string[]): LogPolicy =>
  readLogPolicy(
    [`log ${log}`, ...[...NAMES].map((name, at) => `witness ${name} ${witnessOf(at + 2).key}`), ...lines, ''].join(
      '\n',
    ),
  )
const cosignedBy = (names: string): string =>
  note +
  [...names]
    .map((name) => witnesses[NAMES.indexOf(name)] ?? expect.fail(name))
    .map((one) => one.line(note))
    .join('')

describe('what a policy makes of a checkpoint (C2SP tlog-policy)', () => {
  const nested = policyOf('group X 2 a b c', 'group Y any d e f', 'group both all X Y', 'quorum both')

  it('is the log that signed it, the witnesses that saw it, and whether they are enough', () => {
    expect(policyVerdict(cosignedBy('ac'), policyOf('quorum a'))).to.deep.equal({
      log,
      witnesses: [
        { name: 'a', verifierKey: witnessOf(2).key, time: 1_700_000_000 },
        { name: 'c', verifierKey: witnessOf(4).key, time: 1_700_000_000 },
      ],
      quorum: true,
    })
  })

  for (const [names, quorum] of [
    ['', false],
    ['ab', false],
    ['de', false],
    ['ad', false],
    ['abd', true],
    ['bcf', true],
    ['abcdef', true],
  ] as const)
    it(`asks for enough of every group: ${names === '' ? 'nobody' : names}`, () => {
      expect(policyVerdict(cosignedBy(names), nested).quorum).to.equal(quorum)
    })

  it('asks for one witness, or for none', () => {
    expect(policyVerdict(cosignedBy('b'), policyOf('quorum a')).quorum).to.equal(false)
    expect(policyVerdict(note, policyOf('quorum none')).quorum).to.equal(true)
  })

  it('knows no other log: neither another key nor another origin', () => {
    for (const other of [`log ${logKeyOf(origin, 9)}`, `log ${logKeyOf('log.example/two', 1)}`])
      expect(policyVerdict(note, readLogPolicy(`${other}\nquorum none\n`)).log).to.equal(undefined)
    const two = signNote(readNote(note).text, 'log.example/two', privateKeyOf(1))
    expect(policyVerdict(two, readLogPolicy(`log ${logKeyOf('log.example/two', 1)}\nquorum none\n`)).log).to.equal(
      undefined,
    )
  })

  it('is a refusal where a known signature is wrong', () => {
    const a = witnesses[0] ?? expect.fail()
    const wrong = `${note}${a.line(noteOf(6))}`
    expect(refusal(() => policyVerdict(wrong, policyOf('quorum none')))).to.equal('noteNotVerified signature')
    const forged = note.replace('\n5\n', '\n6\n')
    expect(refusal(() => policyVerdict(forged, policyOf('quorum none')))).to.equal('noteNotVerified signature')
  })
})

describe('quorums that have a witness in common', () => {
  for (const [lines, intersect] of [
    [['quorum none'], false],
    [['quorum a'], true],
    [['group g any a b', 'quorum g'], false],
    [['group g all a b', 'quorum g'], true],
    [['group g 2 a b c', 'quorum g'], true],
    [['group g 2 a b c d', 'quorum g'], false],
    [['group g 3 a b c d', 'quorum g'], true],
    [['group x any a b', 'group y any c d', 'group g all x y', 'quorum g'], false],
    [['group x all a b', 'group y any c d', 'group g all x y', 'quorum g'], true],
    [['group x any a b', 'group y all c d', 'group g any x y', 'quorum g'], false],
  ] as const)
    it(`${intersect ? 'are' : 'are not'} those of ${lines.join(', ')}`, () => {
      expect(quorumsIntersect(policyOf(...lines))).to.equal(intersect)
    })

  const unknown = (name: string, fill: number) =>
    `witness ${name} ${name}+01020304+${Buffer.concat([Buffer.of(6), Buffer.alloc(1312, fill)]).toString('base64')}`
  for (const [what, lines, intersect, isPossible] of [
    ['one of which is of an unknown type', ['group g any a y', 'quorum g'], true, true],
    ['two of three known', ['group g 2 a b y', 'quorum g'], true, true],
    ['too many of which are unknown', ['group g 2 a y z', 'quorum g'], true, false],
    ['known ones beside unknown ones', ['group g any a b y', 'quorum g'], false, true],
    ['a group that none can satisfy, and another', ['group n all y z', 'group g any n a', 'quorum g'], true, true],
    ['an unknown one alone', ['quorum y'], true, false],
  ] as const)
    it(`are judged by those that can be verified: ${what}`, () => {
      const policy = policyOf(unknown('y', 1), unknown('z', 2), ...lines)
      expect([quorumsIntersect(policy), canBeMet(policy)]).to.deep.equal([intersect, isPossible])
    })

  it('are told as by trying all sets of witnesses', () => {
    const threshold = fc.nat()
    const groups = fc.tuple(threshold, threshold, threshold, fc.integer({ min: 1, max: 5 }))
    fc.assert(
      fc.property(groups, ([first, second, all, cut]) => {
        const [left, right] = [NAMES.slice(0, cut), NAMES.slice(cut)]
        const of = (name: string, k: number, members: readonly string[]) => ({
          name,
          threshold: 1 + (k % members.length),
          members,
        })
        const x = of('x', first, [...left])
        const y = of('y', second, [...right])
        const policy = { ...policyOf('quorum none'), groups: [x, y, of('g', all, ['x', 'y'])], quorum: 'g' }
        expect(quorumsIntersect(policy)).to.equal(!someDisjoint(policy))
      }),
    )
  })
})

/** Whether two sets of witnesses without a common one satisfy a policy. */
function someDisjoint({ groups, quorum }: LogPolicy): boolean {
  const satisfies = (set: number): boolean => {
    const reached = new Set([...NAMES].filter((_, at) => (set & (1 << at)) !== 0))
    for (const { name, threshold, members } of groups)
      if (members.filter((member) => reached.has(member)).length >= threshold) reached.add(name)
    return reached.has(quorum)
  }
  const sets = Array.from({ length: 2 ** NAMES.length }, (_, set) => set).filter(satisfies)
  return sets.some((one) => sets.some((other) => (one & other) === 0))
}
