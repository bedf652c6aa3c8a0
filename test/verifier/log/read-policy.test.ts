import { expect } from 'chai'
import { RegistryError } from '#verifier/error.js'
import { readLogPolicy } from '#verifier/log/read-policy.js'
import { logKeyOf, witnessOf } from '../../support/log/note-keys.js'

const log = logKeyOf('log.example/one', 1)
const w = (number: number) => witnessOf(number).key

/** The lines of a policy, joined. */
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`

/** Reason and line of the refusal of a policy. */
function refused(text: string): string {
  try {
    readLogPolicy(text)
  } catch (error) {
    if (error instanceof RegistryError) return `${error.code} ${error.details?.reason} ${error.details?.line}`
    throw error
  }
  return 'accepted'
}

describe('policies (C2SP tlog-policy)', () => {
  it('name logs, witnesses, groups and the quorum', () => {
    const policy = readLogPolicy(
      lines(
        '# The logs that we trust',
        `log ${log}`,
        `log\t${logKeyOf('log.example/two', 2)}  https://log.example/two/`,
        '',
        ` \twitness X1 ${w(3)}`,
        `witness X2 ${w(4)} https://x2.example/`,
        'group X-witnesses any X1 X2',
        `witness \u0416 ${w(5)}\t`,
        'group both all X-witnesses \u0416',
        '  # the end',
        'quorum both',
      ),
    )
    expect(policy.logs.map(({ key, url }) => [key.name, url])).to.deep.equal([
      ['log.example/one', undefined],
      ['log.example/two', 'https://log.example/two/'],
    ])
    expect(policy.witnesses.map(({ name, verifierKey, url }) => [name, verifierKey, url])).to.deep.equal([
      ['X1', w(3), undefined],
      ['X2', w(4), 'https://x2.example/'],
      ['\u0416', w(5), undefined],
    ])
    expect(policy.groups).to.deep.equal([
      { name: 'X-witnesses', threshold: 1, members: ['X1', 'X2'] },
      { name: 'both', threshold: 2, members: ['X-witnesses', '\u0416'] },
    ])
    expect(policy.quorum).to.equal('both')
  })

  it('may ask for no witnesses, name no logs, and end without a newline', () => {
    expect(readLogPolicy('quorum none')).to.deep.equal({
      ...{ logs: [], witnesses: [], passedOver: [], groups: [] },
      quorum: 'none',
    })
  })

  const ofType = (type: number, name = 'w.example') =>
    `${name}+01020304+${Buffer.concat([Buffer.of(type), Buffer.alloc(1312, 5)]).toString('base64')}`

  it('stay readable with keys of types not known here, such as ML-DSA-44, which are passed over', () => {
    const text = lines(
      ...[`log ${log}`, `log ${ofType(0x06, 'log.example/new')}`, `witness X1 ${w(3)}`, `witness X2 ${ofType(0x06)}`],
      ...[`witness X3 ${ofType(0xff)} https://x3.example/`, 'group X 1 X1 X2 X3', 'quorum X'],
    )
    const { logs, witnesses, passedOver, groups } = readLogPolicy(text)
    expect(logs.map(({ key }) => key.name)).to.deep.equal(['log.example/one'])
    expect(witnesses.map(({ name }) => name)).to.deep.equal(['X1'])
    expect(passedOver.map(({ role, name }) => `${role} ${name}`)).to.deep.equal([
      'log log.example/new',
      'witness X2',
      'witness X3',
    ])
    expect(groups[0]?.members).to.deep.equal(['X1', 'X2', 'X3'])
    expect(refused(lines(`witness a ${ofType(0x06)}`, `witness b ${ofType(0x06)}`, 'quorum a'))).to.equal(
      'logPolicyNotRead keyTaken 2',
    )
    expect(refused(lines(`witness a ${ofType(0x01)}`, 'quorum a'))).to.equal('logPolicyNotRead key 1')
    expect(refused(lines(`witness a ${ofType(0x06)}=`, 'quorum a'))).to.equal('logPolicyNotRead key 1')
  })

  it('have 64 logs, witnesses and groups at most', () => {
    const of = (count: number) =>
      lines(...Array.from({ length: count }, (_, at) => `witness w${at} ${w(at + 1)}`), 'quorum w0')
    expect(readLogPolicy(of(64)).witnesses).to.have.length(64)
    expect(refused(of(65))).to.equal('logPolicyNotRead tooMany 65')
  })

  const two = [`witness a ${w(3)}`, `witness b ${w(4)}`]
  for (const [what, text, reason] of [
    ['nothing', '', 'quorumMissing 1'],
    ['no quorum', lines(...two), 'quorumMissing 3'],
    ['two quorums', lines(...two, 'quorum a', 'quorum a'), 'quorumTwice 4'],
    ['a quorum of an unknown name', lines('quorum a'), 'nameUnknown 1'],
    ['a quorum before its definition', lines('quorum a', ...two), 'nameUnknown 1'],
    ['a quorum of two names', lines(...two, 'quorum a b'), 'items 3'],
    ['a quorum of nothing', lines('quorum'), 'items 1'],
    ['an unknown keyword', lines('quorum none', 'logs'), 'keyword 2'],
    ['a keyword in other letters', lines('Quorum none'), 'keyword 1'],
    ['carriage returns', 'quorum none\r\n', 'character 1'],
    ['DEL', '#\u007f\nquorum none\n', 'character 1'],
    ['a log without a key', lines('log'), 'items 1'],
    ['a log with more than an address', lines(`log ${log} a b`), 'items 1'],
    ['a log with a wrong key', lines(`log ${log.slice(0, -1)}`), 'key 1'],
    ['a log with the key of a witness', lines(`log ${w(3)}`), 'key 1'],
    ['a key of two logs', lines(`log ${log}`, `log ${logKeyOf('log.example/two', 1)}`), 'keyTaken 2'],
    ['a witness without a key', lines('witness a'), 'items 1'],
    ['a witness with more than an address', lines(`witness a ${w(3)} b c`), 'items 1'],
    ['a witness with the key of a log', lines(`witness a ${log}`), 'key 1'],
    ['a key of two witnesses', lines(`witness a ${w(3)}`, `witness b ${w(3)}`), 'keyTaken 2'],
    ['a name of two witnesses', lines(`witness a ${w(3)}`, `witness a ${w(4)}`), 'nameTaken 2'],
    ['a witness called none', lines(`witness none ${w(3)}`), 'nameTaken 1'],
    ['a group called none', lines(...two, 'group none all a'), 'nameTaken 3'],
    ['a group that has the name of a witness', lines(...two, 'group a all b'), 'nameTaken 3'],
    ['a group without members', lines(...two, 'group g any'), 'items 3'],
    ['a group of itself', lines(...two, 'group g any a g'), 'nameUnknown 3'],
    ['a group of none', lines(...two, 'group g any none'), 'nameUnknown 3'],
    ['a group of later names', lines('group g any a', ...two), 'nameUnknown 1'],
    ['a member twice in a group', lines(...two, 'group g any a a'), 'memberTwice 3'],
    ['a member of two groups', lines(...two, 'group g any a', 'group h any a b'), 'memberTwice 4'],
    ['a threshold of 0', lines(...two, 'group g 0 a b'), 'threshold 3'],
    ['a threshold above the number of members', lines(...two, 'group g 3 a b'), 'threshold 3'],
    ['a threshold in other words', lines(...two, 'group g most a b'), 'threshold 3'],
    ['a threshold that is negative', lines(...two, 'group g -1 a b'), 'threshold 3'],
    ['more than a million characters', `#${'x'.repeat(1024 * 1024)}\nquorum none\n`, 'tooLong 1'],
  ])
    it(`are refused with ${what}`, () => {
      expect(refused(text ?? '')).to.equal(`logPolicyNotRead ${reason}`)
    })
})
