import { createHash } from 'node:crypto'
import { joinVerdicts, verifyFiles } from '@signed-registry/verifier'
import { expect } from 'chai'
import { testAuthorities, testClock } from '../support/pki/authorities.js'
import { trustOf } from '../support/pki/trust.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'

describe('a set of files', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const signer = authorities.person()
  const options = { trust: trustOf(authorities), at: clock.now() }
  const [one, two] = [Buffer.from('the first'), Buffer.from('the second')]
  const signed = (content: Buffer, evidence = true) => signer.signCms(content, { timeStamp: evidence, ocsp: evidence })
  const documents = [
    { name: 'one', document: one },
    { name: 'two', document: two },
  ]

  it('are matched by their digests, in any order; the worst verdict is the outcome', () => {
    const signatures = [two, one].map((content, at) => ({ name: `${at}`, signed: signed(content) }))
    const found = verifyFiles({ signatures, documents }, options)
    expect(found.outcome).to.equal('proved')
    expect(found.signatures.map(({ file, over }) => [file, over])).to.deep.equal([
      ['0', 'two'],
      ['1', 'one'],
    ])
    expect(found.documents).to.deep.equal([
      { name: 'one', signatures: [1], signed: 'whole' },
      { name: 'two', signatures: [0], signed: 'whole' },
    ])
    const half = verifyFiles({ signatures: signatures.slice(0, 1), documents }, options)
    expect(half.outcome).to.equal('unknown')
    expect(half.documents[0]).to.deep.equal({ name: 'one', signatures: [], signed: 'nothing' })
    const other = { name: 'x', signed: signed(Buffer.from('a third')) }
    expect(verifyFiles({ signatures: [...signatures, other], documents }, options).outcome).to.equal('wrong')
    const bare = { name: 'x', signed: signed(one, false) }
    expect(verifyFiles({ signatures: [...signatures, bare], documents }, options).outcome).to.equal('unknown')
    expect(verifyFiles({ signatures: [], documents: [] }, options).outcome).to.equal('unknown')
  })

  it('may be an XML signature by itself, which is of a document that nobody has shown', () => {
    const xml = '<contract><price>100</price></contract>'
    const signatures = [{ name: 'a.xml', signed: signer.signXml(xml).signature }]
    const alone = verifyFiles({ signatures, documents: [] }, options)
    expect(alone.outcome).to.equal('unknown')
    expect(alone.signatures[0]).to.deep.include({ document: 'notCompared', indication: 'INDETERMINATE' })
    expect(alone.signatures[0]?.missing).to.include('document')
    expect(alone.signatures[0]?.signature?.digests.map(({ oid }) => oid)).to.deep.equal([SHA256])
    const shown = [{ name: 'contract.xml', document: Buffer.from(xml) }]
    expect(verifyFiles({ signatures, documents: shown }, options).signatures[0]).to.include({ document: 'matches' })
    const nothing = [{ name: 'a.xml', signed: '<a/>' }]
    expect(verifyFiles({ signatures: nothing, documents: [] }, options).outcome).to.equal('wrong')
  })

  it('are added to where no signature of ranges reaches their end', () => {
    const ranges = [[0, 4] as const, [9, 20] as const]
    const digests = new Map([[SHA256, createHash('sha256').update(one).digest()]])
    const over = { name: 'a.pdf', document: digests, coverage: { of: 'ranges', ranges } } as const
    const signatures = [{ name: 'a.pdf', signed: signed(one), over }]
    const judged = (size: number) =>
      verifyFiles({ signatures, documents: [{ name: 'a.pdf', document: digests, size }] }, options)
    expect(judged(20)).to.include({ outcome: 'proved' })
    expect(judged(20).signatures[0]?.coverage).to.deep.equal({ of: 'ranges', ranges })
    expect(judged(21)).to.include({ outcome: 'unknown' })
    expect(judged(21).documents).to.deep.equal([{ name: 'a.pdf', signatures: [0], signed: 'part' }])
    const later = { indication: 'TOTAL-PASSED', over: 'a.pdf', coverage: { of: 'content' } } as const
    expect(joinVerdicts([...judged(21).signatures, later], [{ name: 'a.pdf', size: 21 }]).outcome).to.equal('proved')
  })
})
