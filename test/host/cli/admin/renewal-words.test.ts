import type { RenewalReport } from '@signed-registry/core'
import { expect } from 'chai'
import { renewalWords } from '#host/cli/admin/renewal-words.js'
import { DAY, NOW } from '../../../support/pki/authorities.js'

const report: RenewalReport = {
  ...{ isOn: true, leadMs: 90 * DAY, waiting: 0, due: 0, ended: 0, gathered: 0, renewed: 0, batches: 0, proofs: [] },
  ...{ hashing: undefined, requestedAt: undefined, doneAt: undefined, problem: undefined, restarted: [] },
}
const words = (more: Partial<RenewalReport>) => renewalWords({ ...report, ...more }, NOW)
const proof = (endsAt: number, more: Partial<RenewalReport['proofs'][number]> = {}) =>
  ({ authority: 'CN=TSA', by: 'timeStamp', endsAt, because: 'certificate', signatures: 1, ...more }) as const

describe('the words about renewal', () => {
  it('say that nothing is known before the first run', () => {
    expect(words({})).to.equal(
      [
        'Renewal is on: proofs are renewed 90 days before they end.',
        '  waiting     0 signatures in no batch yet',
        '  gathered    0 signatures in 0 batches',
        '  renewed     0 signatures under evidence records',
        '  due         0 signatures with a proof that ends within 90 days',
        '  next end    nothing is known yet',
        '  last run    none yet\n',
      ].join('\n'),
    )
  })

  it('have at most ten ends, the next first, and how many more there are', () => {
    const said = words({ proofs: Array.from({ length: 13 }, (_, year) => proof(NOW + (year + 1) * 365 * DAY)) })
    expect(said).to.include(
      '  next end    2027-06-01: 1 signature by its own time stamp of CN=TSA (a certificate ends)\n',
    )
    expect(said.match(/: 1 signature by/g)).to.have.length(10)
    expect(said).to.include('\n              and 3 more dates and authorities\n')
  })

  it('cannot be missed where proofs have ended', () => {
    const proofs = [
      proof(0, { authority: '', by: 'evidenceRecord', because: 'revoked', signatures: 5 }),
      proof(0, { because: 'pathNotFound', signatures: 2 }),
      proof(NOW - DAY),
      proof(NOW + DAY),
    ]
    const said = words({ ended: 8, proofs })
    expect(said).to.include(
      [
        '  !!! PROOFS HAVE ENDED: of 8 signatures nothing shows any more that they were made in time !!!',
        '              5 signatures by the time stamp of a batch (the authority was revoked)',
        '              2 signatures by their own time stamps of CN=TSA (not provable: pathNotFound)',
        '              2026-05-31: 1 signature by its own time stamp of CN=TSA (a certificate ends)\n',
      ].join('\n'),
    )
    expect(said).to.include('  next end    2026-06-02: ')
    expect(words({ proofs: [proof(NOW + DAY)] })).to.not.include('ENDED')
  })

  it('tell which tree is being hashed, and how far it is', () => {
    expect(words({ hashing: { batch: 2, hashed: 39_999, of: 100_000 } })).to.include(
      '  hashing     batch 2: 39 %, 39999 of 100000 signatures\n',
    )
  })

  for (const [reason, advice] of [
    ['authority', 'doctor'],
    ['endsSooner', 'RENEWAL_TSP_URL until then'],
    ['time', 'clock'],
    ['record', 'policy of algorithms'],
    ['digest', 'RENEWAL_DIGESTS'],
  ] as const)
    it(`tell what to do about a problem: ${reason}`, () => {
      const said = words({ problem: { reason, text: 'It did not work', since: NOW } })
      expect(said).to.match(
        new RegExp(
          `  problem     ${reason}, for the first time .* ago \\(.*\\): It did not work\n  to do       .*${advice}`,
        ),
      )
    })

  it('tell which records began anew, and why', () => {
    const restarted = [
      { batch: 1, at: NOW, because: 'authorityKeyCompromised', signatures: 7 },
      { batch: 4, at: NOW, because: 'authorityEnded', signatures: 1 },
      { batch: 5, at: NOW, because: 'digestNotTrusted', signatures: 1 },
    ]
    const said = words({ restarted })
    expect(said).to.match(
      /^ {2}began anew {2}batch 1 of 7 signatures, .* ago .*: the key of the authority is in other hands$/m,
    )
    expect(said).to.match(
      /^ {2}began anew {2}batch 4 of 1 signature, .*: the authority had ended before it was renewed$/m,
    )
    expect(said).to.match(/^ {2}began anew {2}batch 5 of 1 signature, .*: the digest had ended before it was renewed$/m)
  })
})
