import { createHash } from 'node:crypto'
import { type EvidenceOptions, type EvidenceVerdict, verifyEvidence } from '@signed-registry/verifier'
import type { UnprovedState } from '@signed-registry/verifier/evidence'
import { readLogPolicy } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { contentAt, type FileInside, mended, saying, unzipped, withContent, zipped } from '../../support/containers.js'
import { builtBytes, bundleOf, ownRegistry } from '../../support/evidence-bundle.js'
import { LOG_NAME, type LogOfBundle, loggedBundle, logKeyOfBundle } from '../../support/log/logged-bundle.js'
import { privateKeyOf, witnessOf } from '../../support/log/note-keys.js'
import { foreignAuthorities, MINUTE, NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

const PROOF = 'proofs/101.tlog-proof'
const NOTE = 'checkpoints/4.note'
const STAMP = 'checkpoints/4.tst'

describe('proofs of a transparency log in an evidence bundle', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const own = ownRegistry()
  const [one, other] = [authorities.person({ algorithm: 'rsa2048' }), authorities.person()]
  const plain = bundleOf(authorities, [{ content: 'A contract', signers: [one, { by: other, as: 'crl' }] }])
  const witness = witnessOf(9)
  let files: FileInside[]
  let whole: Buffer

  before(async () => {
    whole = await make()
    files = unzipped(whole)
  })

  const make = async (log: LogOfBundle = {}, bundle = plain) => builtBytes(await loggedBundle(bundle, authorities, log))
  const judged = (bytes: Uint8Array, options: Partial<EvidenceOptions> = {}): EvidenceVerdict =>
    verifyEvidence(bytes, { trust, at: NOW, ...options })
  const problems = ({ outcome, evidence }: EvidenceVerdict) => [
    outcome,
    ...evidence.problems.map(({ code, file }) => `${code} ${file}`),
  ]
  /** What is said of a signature or, without a number, of the hashes. */
  const logged = ({ evidence }: EvidenceVerdict, signId: number | undefined = 101) => {
    const found = evidence.log.find((entry) => entry.signId === signId)
    if (found?.state !== 'logged') throw new Error(`It is ${JSON.stringify(found)}`)
    return found
  }
  /** The bundle with another content of a file, signed by the registry again. */
  const changed = (place: string, content: Uint8Array) =>
    zipped(mended(withContent(files, place, Buffer.from(content)), own))
  const policyOf = (...lines: readonly string[]) => readLogPolicy(`${lines.join('\n')}\n`)
  const signaturesHold = ({ signatures }: EvidenceVerdict) =>
    expect(signatures.map(({ indication }) => indication)).to.deep.equal(['TOTAL-PASSED', 'TOTAL-PASSED'])

  it('lead to the checkpoint, say what is in the bundle, and are told with the times of both stamps', () => {
    const verdict = judged(whole)
    expect(problems(verdict)).to.deep.equal(['proved'])
    expect(verdict.evidence.log.map(({ signId, state }) => `${signId} ${state}`)).to.deep.equal([
      'undefined logged',
      '101 logged',
      '102 logged',
    ])
    expect(logged(verdict)).to.deep.include({
      ...{ documentId: 'D'.repeat(16), origin: LOG_NAME, index: 2, size: 4, isOutside: false },
      loggedBefore: { state: 'proved', time: NOW },
      loggedAfter: NOW,
      notLogged: [],
    })
  })

  it('are of XML signatures and of documents of packages too', async () => {
    const xml = { content: '<a></a>', documentId: 'E'.repeat(16), signers: [{ by: one, as: 'xml' as const }] }
    const bytes = await make({}, bundleOf(authorities, [{ content: 'A contract', signers: [one] }, xml]))
    const verdict = judged(bytes)
    expect(problems(verdict)).to.deep.equal(['proved'])
    expect(verdict.evidence.log.map(({ state }) => state)).to.deep.equal(['logged', 'logged', 'logged', 'logged'])
    const names = unzipped(bytes).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('proofs/'))).to.deep.equal([
      `proofs/${'D'.repeat(16)}/digests.tlog-proof`,
      'proofs/101.tlog-proof',
      'proofs/101.p7s',
      `proofs/${'E'.repeat(16)}/digests.tlog-proof`,
      'proofs/102.tlog-proof',
    ])
  })

  it('establish trust by a policy alone, with the witnesses that it asks for', async () => {
    expect(logged(judged(whole))).to.include({ trust: 'notEstablished', logKey: logKeyOfBundle() })
    expect(logged(judged(whole)).problems).to.deep.equal(['policyMissing'])
    const log = `log ${logKeyOfBundle()}`
    const asked = [log, `witness w ${witness.key}`, 'quorum w']
    const unseen = logged(judged(whole, { logPolicy: policyOf(...asked) }))
    expect([unseen.trust, unseen.problems]).to.deep.equal(['notEstablished', ['quorumMissing']])
    const seen = logged(judged(await make({ lines: witness.line }), { logPolicy: policyOf(...asked) }))
    expect([seen.trust, seen.problems]).to.deep.equal(['established', []])
    expect(seen.witnesses).to.have.lengthOf(1)
    const nobody = logged(judged(whole, { logPolicy: policyOf(log, 'quorum none') }))
    expect([nobody.trust, nobody.problems]).to.deep.equal(['established', ['noWitnesses']])
    const others = logged(
      judged(whole, { logPolicy: policyOf(`log ${logKeyOfBundle(privateKeyOf(2))}`, 'quorum none') }),
    )
    expect([others.trust, others.problems]).to.deep.equal(['notEstablished', ['logNotTrusted']])
  })

  it('are not tried with more than eight keys that the bundle names, nor with what is no key', () => {
    const naming = (...logKeys: readonly string[]) => {
      const named = saying(files, (said) => Object.assign(Object(said.hints), { logKeys }))
      return logged(judged(zipped(mended(named, own))))
    }
    const others = Array.from({ length: 8 }, (_, index) => logKeyOfBundle(privateKeyOf(index + 2)))
    expect(naming(...others.slice(0, 6), 'no key', logKeyOfBundle()).trust).to.equal('notEstablished')
    const unknown = naming(...others, logKeyOfBundle())
    expect([unknown.trust, unknown.problems]).to.deep.equal(['unknownLog', ['keyUnknown']])
  })

  it('are flagged where two sets of witnesses that have none in common satisfy the policy', async () => {
    const policy = policyOf(
      `log ${logKeyOfBundle()}`,
      `witness a ${witness.key}`,
      `witness b ${witnessOf(8).key}`,
      'group g any a b',
      'quorum g',
    )
    const found = logged(judged(await make({ lines: witness.line }), { logPolicy: policy }))
    expect([found.trust, found.problems]).to.deep.equal(['established', ['quorumsDisjoint']])
  })

  it('prove existence by the stamp over the checkpoint, and never by the word of the registry', async () => {
    const times = ({ evidence }: EvidenceVerdict) =>
      evidence.proofsOfExistence.map(({ kind, over, time }) => `${kind} ${over.signId ?? 'hashes'} ${time - NOW}`)
    expect(times(judged(whole))).to.have.members([
      'timeStamp 101 0',
      'timeStamp 102 0',
      'logCheckpoint hashes 0',
      'logCheckpoint 101 0',
      'logCheckpoint 102 0',
    ])
    const unstamped = judged(await make({ loggedBefore: undefined }))
    expect(problems(unstamped)).to.deep.equal(['proved'])
    expect(logged(unstamped).loggedBefore).to.deep.equal({ state: 'none' })
    expect(times(unstamped)).to.have.members(['timeStamp 101 0', 'timeStamp 102 0'])
    const foreign = foreignAuthorities()
    const stamp = foreign.tsa.stamp(contentAt(files, NOTE), () => ({ genTime: NOW }))
    const untrusted = judged(changed(STAMP, stamp))
    expect(problems(untrusted)).to.deep.equal(['proved'])
    expect(logged(untrusted).loggedBefore.state).to.equal('notProved')
    expect(times(untrusted)).to.have.members(['timeStamp 101 0', 'timeStamp 102 0'])
  })

  it('tell a time of registration that is more than five minutes outside of both stamps', async () => {
    const outside = async (log: LogOfBundle) => logged(judged(await make(log))).isOutside
    expect(await outside({ loggedBefore: NOW - 4 * MINUTE })).to.equal(false)
    expect(await outside({ loggedBefore: NOW - 6 * MINUTE })).to.equal(true)
    const verdict = judged(await make({}, dated(NOW - 6 * MINUTE)))
    expect(logged(verdict).isOutside).to.equal(true)
    expect(problems(verdict)).to.deep.equal(['unknown', `logContradiction ${PROOF}`])
    expect(verdict.signatures.map(({ indication }) => indication)).to.deep.equal(['TOTAL-PASSED'])
    expect(logged(judged(await make({}, dated(NOW - 4 * MINUTE)))).isOutside).to.equal(false)
  })

  it('tell a time of registration that is none: there is no 24 o’clock, and no sixtieth second', async () => {
    const none = [
      '2016-11-24T24:00:01.000Z',
      '2016-11-24T10:60:00.000Z',
      '2016-13-24T10:00:00.000Z',
      '2016-02-30T10:00:00.000Z',
    ]
    for (const time of [...none, '2016-11-24T10:30:60.000Z', '2016-11-24', '+012016-11-24T10:30:00.000Z', 'none']) {
      const bytes = await make({ change: (text) => text.replace(/^fixedAt .*$/m, `fixedAt ${time}`) })
      const [hashes] = judged(bytes).evidence.log
      expect(hashes, time).to.include({ state: 'logged', isOutside: true })
      const said = saying(unzipped(whole), ({ documents: [document] }) =>
        Object.assign(document ?? {}, { storedAt: time }),
      )
      expect(problems(judged(zipped(mended(said, own)))), time).to.deep.equal([
        'wrong',
        'statementMalformed evidence.json',
      ])
    }
  })

  /** A bundle whose registry says another time of registration, also in its log. */
  const dated = (storedAt: number) => bundleOf(authorities, [{ content: 'A contract', signers: [one], storedAt }])

  it('prove that a signature was logged after its stamp and answer, and nothing of the kind of hashes', () => {
    const verdict = judged(whole)
    expect([101, 102].map((signId) => logged(verdict, signId).loggedAfter)).to.deep.equal([NOW, NOW])
    const [hashes] = verdict.evidence.log
    expect(hashes).to.include({ state: 'logged', loggedAfter: undefined })
    const untrusted = judged(whole, { trust: trustOf(foreignAuthorities()) })
    expect(logged(untrusted).loggedAfter, 'without trust in their authorities').to.equal(undefined)
  })

  it('take the later of the stamp and the answer, where there is one', async () => {
    const signers = [one, { by: other, as: 'crl' as const }]
    const bytes = await make({}, bundleOf(authorities, [{ content: 'A contract', signers, stampedAt: NOW - MINUTE }]))
    const verdict = judged(bytes)
    expect(problems(verdict)).to.deep.equal(['proved'])
    expect([101, 102].map((signId) => logged(verdict, signId).loggedAfter)).to.deep.equal([NOW, NOW - MINUTE])
  })

  it('tell hashes of a document that the entry does not have', async () => {
    const more = plain.documents.map((document) => ({
      ...document,
      digests: new Map([...document.digests, ['1.2.398.3.10.1.3.3', Buffer.alloc(64, 1)] as const]),
    }))
    const change = (text: string) => text.replace(/ 1\.2\.398\.3\.10\.1\.3\.3:[0-9a-f]+/, '')
    const [hashes] = judged(await make({ change }, { ...plain, documents: more })).evidence.log
    expect(hashes).to.deep.include({ state: 'logged', notLogged: ['1.2.398.3.10.1.3.3'] })
  })

  it('are nobody’s trust where all of the log was made anew, by another key', async () => {
    const made = await make({ key: privateKeyOf(2) })
    const found = logged(judged(made, { logPolicy: policyOf(`log ${logKeyOfBundle()}`, 'quorum none') }))
    expect([found.trust, found.problems]).to.deep.equal(['notEstablished', ['logNotTrusted']])
    const open = logged(judged(made, { logPolicy: policyOf('quorum none'), logKeys: [logKeyOfBundle()] }))
    expect([open.trust, open.problems], 'the bundle names its key itself').to.deep.equal([
      'notEstablished',
      ['logNotTrusted'],
    ])
    const own = logged(judged(whole, { logPolicy: policyOf('quorum none'), logKeys: [logKeyOfBundle()] }))
    expect([own.trust, own.problems]).to.deep.equal(['established', ['noWitnesses']])
  })

  it('are wrong when they are edited, though the registry signed the bundle; signatures hold as before', () => {
    const text = contentAt(files, PROOF).toString()
    const edited = [
      text.replace(/^index 2$/m, 'index 1'),
      text.replace(/^extra (.)/m, (_, first: string) => `extra ${first === 'A' ? 'B' : 'A'}`),
      text.replace(/^extra .*\n/m, ''),
      text.replace('c2sp.org/tlog-proof@v1', 'c2sp.org/tlog-proof@v2'),
      text.replace(/\n4\n/, '\n5\n'),
      '',
    ]
    for (const proof of edited) {
      const verdict = judged(changed(PROOF, Buffer.from(proof)))
      expect(problems(verdict), proof).to.deep.equal(['wrong', `logProofWrong ${PROOF}`])
      signaturesHold(verdict)
    }
  })

  it('are wrong when they are of another signature, another document, or of hashes', async () => {
    const foreign = unzipped(
      await make(
        {},
        bundleOf(authorities, [{ content: 'A contract', signers: [one, other], documentId: 'F'.repeat(16) }]),
      ),
    )
    for (const proof of [contentAt(files, 'proofs/102.tlog-proof'), contentAt(files, 'proofs/digests.tlog-proof')])
      expect(problems(judged(changed(PROOF, proof)))).to.deep.equal(['wrong', `logProofWrong ${PROOF}`])
    const ofOther = [PROOF, NOTE, STAMP].reduce((all, name) => withContent(all, name, contentAt(foreign, name)), files)
    expect(problems(judged(zipped(mended(ofOther, own))))).to.include(`logProofWrong ${PROOF}`)
    const hashes = changed('proofs/digests.tlog-proof', contentAt(files, PROOF))
    expect(problems(judged(hashes))).to.deep.equal(['wrong', 'logProofWrong proofs/digests.tlog-proof'])
  })

  it('are wrong where the entry has other facts than the bundle', async () => {
    const changes: readonly [string, RegExp, string][] = [
      ['documentId', /^documentId .*$/m, 'documentId X'],
      ['documentStoredAt', /^documentStoredAt .*$/m, 'documentStoredAt 2020-01-01T00:00:00.000Z'],
      ['signId', /^signId 101$/m, 'signId 7'],
      ['storedAt', /^storedAt .*$/m, 'storedAt 2020-01-01T00:00:00.000Z'],
      ['signature', /^signature [0-9a-f]{4}/m, 'signature 0000'],
      ['timeStamp', /^timeStamp [0-9a-f]{4}/m, 'timeStamp 0000'],
      ['ocsp', /^ocsp .*$/m, 'ocsp none'],
      ['crls', /^crls .*$/m, `crls ${'0'.repeat(64)}`],
      ['digests', /^digests .*$/m, 'digests none'],
    ]
    for (const [field, from, to] of changes) {
      const bytes = await make({ change: (text) => (text.includes('\nsignId 101\n') ? text.replace(from, to) : text) })
      const verdict = judged(bytes)
      expect(problems(verdict), field).to.deep.equal(['wrong', `logProofWrong ${PROOF}`])
      expect(verdict.evidence.log.find(({ signId }) => signId === 101)).to.include({ reason: 'otherEntry', field })
    }
    for (const [from, to] of [
      [/^size .*$/m, 'size 7'],
      [/^documentId .*$/m, 'documentId X'],
      [/^documentStoredAt .*$/m, 'documentStoredAt 2020-01-01T00:00:00.000Z'],
      [/:[0-9a-f]{4}/, ':0000'],
    ] as const) {
      const bytes = await make({ change: (text) => (text.startsWith('digests\n') ? text.replace(from, to) : text) })
      expect(problems(judged(bytes))).to.deep.equal(['wrong', 'logProofWrong proofs/digests.tlog-proof'])
    }
  })

  it('are wrong where the file that was logged is another signature', () => {
    const received = contentAt(files, 'proofs/102.p7s')
    expect(problems(judged(changed('proofs/101.p7s', received)))).to.deep.equal(['wrong', `logProofWrong ${PROOF}`])
    const hash = createHash('sha256').update(received).digest('hex')
    expect(contentAt(files, 'proofs/102.tlog-proof').toString()).to.not.include(hash)
  })

  it('are wrong where the checkpoint is of another tree, or signed wrongly by the log', async () => {
    const another = unzipped(await make({ change: (text) => text.replace('\nsignId 101\n', '\nsignId 7\n') }))
    expect(problems(judged(changed(NOTE, contentAt(another, NOTE))))).to.deep.equal([
      'wrong',
      'logProofWrong proofs/digests.tlog-proof',
      `logProofWrong ${PROOF}`,
      'logProofWrong proofs/102.tlog-proof',
    ])
    const forged = await make({ key: privateKeyOf(2) })
    const asked = judged(forged, { logKeys: [logKeyOfBundle()] })
    expect(logged(asked).logKey).to.equal(logKeyOfBundle(privateKeyOf(2)))
    const note = contentAt(files, NOTE).toString()
    const broken = note.replace(
      /(— \S+ .{20})(.)/,
      (_, start: string, next: string) => `${start}${next === 'A' ? 'B' : 'A'}`,
    )
    const text = contentAt(files, PROOF).toString().replace(note, broken)
    const wrong = withContent(withContent(files, NOTE, Buffer.from(broken)), PROOF, Buffer.from(text))
    expect(problems(judged(zipped(mended(wrong, own))))).to.include(`logProofWrong ${PROOF}`)
  })

  it('are wrong where a stamp is over another note, or is none', () => {
    const before = contentAt(files, 'tst/101.tst')
    const forged = Buffer.from(contentAt(files, STAMP))
    const last = forged.length - 1
    forged.writeUInt8(forged.readUInt8(last) ^ 1, last)
    for (const stamp of [before, forged, Buffer.from('no stamp')])
      expect(problems(judged(changed(STAMP, stamp)))).to.deep.equal(['wrong', `logProofWrong ${STAMP}`])
  })

  /** A bundle whose registry says why it has no proof. */
  const unproved = (state: UnprovedState) => {
    const documents = plain.documents.map((document) => ({
      ...document,
      log: { state },
      signatures: document.signatures.map((signature) => ({ ...signature, log: { state } })),
    }))
    return builtBytes({ ...plain, documents })
  }

  it('are not there where the registry says so, which takes nothing from what the signatures prove', async () => {
    for (const state of ['absent', 'pending', 'broken'] as const) {
      const verdict = judged(await unproved(state))
      expect(problems(verdict)).to.deep.equal(['proved'])
      expect(verdict.evidence.log.map((found) => found.state)).to.deep.equal([state, state, state])
    }
    expect(judged(await builtBytes(plain)).evidence.log).to.deep.equal([])
  })

  it('leave nothing proved where the registry says that it has something else than it logged', async () => {
    const verdict = judged(await unproved('changed'))
    expect(problems(verdict)).to.deep.equal([
      'unknown',
      'logChanged undefined',
      'logChanged cms/101.p7s',
      'logChanged cms/102.p7s',
    ])
    signaturesHold(verdict)
  })

  it('are needed of every signature, and trusted, where a policy for logs is given', async () => {
    const [log, none] = [`log ${logKeyOfBundle()}`, 'quorum none']
    const by = (bytes: Uint8Array, ...lines: readonly string[]) =>
      problems(judged(bytes, { logPolicy: policyOf(...lines) }))
    const missing = ['logNotEstablished cms/101.p7s', 'logNotEstablished cms/102.p7s']
    expect(by(whole, log, none)).to.deep.equal(['proved'])
    expect(by(whole, log, `witness w ${witness.key}`, 'quorum w')).to.deep.equal(['unknown', ...missing])
    expect(by(whole, `log ${logKeyOfBundle(privateKeyOf(2))}`, none)).to.deep.equal(['unknown', ...missing])
    for (const state of ['absent', 'pending', 'broken'] as const)
      expect(by(await unproved(state), log, none), state).to.deep.equal(['unknown', ...missing])
    expect(by(await builtBytes(plain), log, none), 'without a word of the log').to.deep.equal(['unknown', ...missing])
    const { documents } = await loggedBundle(plain, authorities)
    const half = documents.map((document) => ({
      ...document,
      signatures: document.signatures.map((one) => (one.signId === 102 ? { ...one, log: undefined } : one)),
    }))
    expect(by(await builtBytes({ ...plain, documents: half }), log, none)).to.deep.equal(['unknown', missing[1]])
    const proof = contentAt(files, 'proofs/102.tlog-proof')
    expect(by(changed(PROOF, proof), log, none)).to.deep.equal(['wrong', `logProofWrong ${PROOF}`])
  })

  it('stand in folders of their own, which have nothing else', () => {
    const file: FileInside = { name: 'proofs/999.p7s', content: Buffer.from('A forgery'), streamed: false }
    const more = saying([...files.slice(0, -1), file, ...files.slice(-1)], (said) =>
      said.files.splice(-1, 0, { name: file.name }),
    )
    expect(problems(judged(zipped(mended(more, own))))).to.deep.equal(['wrong', 'otherFiles proofs/999.p7s'])
    const elsewhere = saying(files, (said) => {
      const log = said.documents[0]?.signatures[0]?.log
      Object.assign(Object(log), { received: 'cms/102.p7s' })
    })
    expect(problems(judged(zipped(mended(elsewhere, own))))).to.deep.equal([
      'wrong',
      'statementMalformed evidence.json',
    ])
  })
})
