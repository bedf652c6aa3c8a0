import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { ConfiguredTrust } from '#online-authorities/configured-trust.js'
import { MINUTE, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'

describe('configured trust', () => {
  const authorities = testAuthorities()
  const [root, issuing, another] = [...authorities.anchors, ...authorities.intermediates] as [Buffer, Buffer, Buffer]
  let folder = ''
  const put = (name: string, content: Uint8Array | string) => writeFileSync(join(folder, name), content)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trust-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const counts = ({ anchors, intermediates }: ReturnType<ConfiguredTrust['trust']>) => [
    anchors.length,
    intermediates.length,
  ]

  it('reads a folder of PEM and DER files: self-signed certificates are anchors, the others issuing CAs', () => {
    put('root.cer', root)
    put('issuing.pem', `Bag Attributes\n\n${pem('CERTIFICATE', issuing)}\n${pem('CERTIFICATE', another)}`)
    put('README.txt', 'not a certificate')
    put('.hidden.pem', 'not a certificate')
    const trust = new ConfiguredTrust(folder, testClock())
    expect(counts(trust.trust())).to.deep.equal([1, 2])
    expect(trust.state()).to.deep.equal({ loadedAt: NOW, anchors: 1 })
  })

  it('reads a single file, and values given in code', () => {
    put('all.pem', pem('CERTIFICATE', root) + pem('CERTIFICATE', issuing))
    expect(counts(new ConfiguredTrust(join(folder, 'all.pem'), testClock()).trust())).to.deep.equal([1, 1])
    const given = [root, Buffer.from(pem('CERTIFICATE', issuing))]
    expect(counts(new ConfiguredTrust(given, testClock()).trust())).to.deep.equal([1, 1])
  })

  it('reads CRLs beside the certificates', () => {
    put('root.cer', root)
    put('issuing.crl', authorities.crl('rsa'))
    put('issuing.pem', pem('X509 CRL', authorities.crl('ecdsa')))
    expect(new ConfiguredTrust(folder, testClock()).trust().crls).to.have.length(2)
  })

  it('gives the same set until a file changes', () => {
    put('root.cer', root)
    const clock = testClock()
    const trust = new ConfiguredTrust(folder, clock)
    const first = trust.trust()
    clock.time += 2 * MINUTE
    expect(trust.trust()).to.equal(first)
  })

  it('is loaded again without a restart, within a minute of a change', () => {
    put('root.cer', root)
    const clock = testClock()
    const trust = new ConfiguredTrust(folder, clock)
    put('issuing.cer', issuing)
    expect(counts(trust.trust())).to.deep.equal([1, 0])
    clock.time += MINUTE
    expect(counts(trust.trust())).to.deep.equal([1, 1])
    expect(trust.state()).to.deep.equal({ loadedAt: NOW + MINUTE, anchors: 1 })
  })

  it('has the responders that are trusted beside it, and meets new ones', () => {
    put('root.cer', root)
    const own = join(folder, 'responder.bin')
    writeFileSync(own, issuing)
    const clock = testClock()
    const trust = new ConfiguredTrust(join(folder, 'root.cer'), clock, own)
    const numbers = () => trust.trust().responders?.map(({ fingerprint }) => fingerprint)
    const [first] = numbers() ?? []
    expect(numbers()).to.have.length(1)
    writeFileSync(own, root)
    clock.time += MINUTE
    expect(numbers()).to.have.length(1)
    expect(numbers()).not.to.include(first)
    expect(new ConfiguredTrust(join(folder, 'root.cer'), clock).trust().responders).to.equal(undefined)
  })

  it('is reloaded on demand', () => {
    put('root.cer', root)
    const trust = new ConfiguredTrust(folder, testClock())
    put('issuing.cer', issuing)
    trust.reload()
    expect(counts(trust.trust())).to.deep.equal([1, 1])
  })

  const failures = {
    'a file is broken': () => put('broken.pem', '-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----'),
    'a file is something else': () => put('other.der', Buffer.from('3003020101', 'hex')),
    'a file holds a private key': () => put('key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'),
    'the anchor is gone': () => rmSync(join(folder, 'root.cer')),
    'the folder is gone': () => rmSync(folder, { recursive: true }),
  }
  for (const [what, fail] of Object.entries(failures)) {
    it(`keeps the last good set, and says so, when ${what}`, () => {
      put('root.cer', root)
      const clock = testClock()
      const trust = new ConfiguredTrust(folder, clock)
      const good = trust.trust()
      fail()
      clock.time += MINUTE
      expect(trust.trust()).to.equal(good)
      const { error, ...state } = trust.state()
      expect(state).to.deep.equal({ loadedAt: NOW, anchors: 1 })
      expect(error).to.be.a('string').that.is.not.empty

      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
      put('root.cer', root)
      utimesSync(join(folder, 'root.cer'), 1, 1)
      clock.time += MINUTE
      expect(trust.state()).to.deep.equal({ loadedAt: clock.time, anchors: 1 })
      expect(trust.trust()).not.to.equal(good)
    })
  }

  it('must be there to begin with: the error names the file at fault', () => {
    expect(() => new ConfiguredTrust(join(folder, 'absent'), testClock())).to.throw(/absent/)
    expect(() => new ConfiguredTrust(folder, testClock())).to.throw(/no self-signed certificate/)
    put('issuing.cer', issuing)
    expect(() => new ConfiguredTrust(folder, testClock())).to.throw(/no self-signed certificate/)
    put('bad.pem', 'text')
    expect(() => new ConfiguredTrust(folder, testClock())).to.throw(/bad\.pem/)
  })

  it('takes no certificate for an anchor that only names itself as its issuer', () => {
    const forged = Buffer.from(root)
    forged[forged.length - 1] = (forged[forged.length - 1] as number) ^ 1
    expect(() => new ConfiguredTrust([forged], testClock())).to.throw(/no self-signed certificate/)
  })
})
