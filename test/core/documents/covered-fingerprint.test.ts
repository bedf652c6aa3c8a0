import { expect } from 'chai'
import { coveredFingerprint, fingerprintsOf } from '#core/documents/covered-fingerprint.js'
import { manifest } from '../../support/asic/containers.js'

describe('fingerprints of signatures over several files', () => {
  const fingerprint = Buffer.alloc(32, 1)
  const named = (count: number) =>
    manifest(
      'META-INF/signature.p7s',
      Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, content: Buffer.from(`${at}`) })),
    )

  it('are its own, and one for each file that its manifest names', () => {
    const all = fingerprintsOf({ fingerprint, content: named(3) })
    expect(new Set(all.map((one) => Buffer.from(one).toString('hex'))).size).to.equal(4)
    expect(fingerprintsOf({ fingerprint, content: Buffer.from('no manifest') })).to.deep.equal([fingerprint])
    expect(fingerprintsOf({ fingerprint, content: undefined })).to.deep.equal([fingerprint])
  })

  it('are no more than a package may have, whatever a manifest names', () => {
    expect(fingerprintsOf({ fingerprint, content: named(5000) })).to.have.length(257)
  })

  it('differ by the name, the algorithm and the hash of the file', () => {
    const file = { uri: 'a.txt', oid: '1.2', digest: Buffer.from('a') }
    const others = [file, { ...file, uri: 'b.txt' }, { ...file, oid: '1.3' }, { ...file, digest: Buffer.from('b') }]
    const all = others.map((one) => Buffer.from(coveredFingerprint(fingerprint, one)).toString('hex'))
    expect(new Set(all).size).to.equal(4)
  })
})
