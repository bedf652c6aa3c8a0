import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { timeStampGrant, timeStampRefusal } from '#dev-authorities/authority/time-stamping.js'
import { element, integer, namedBits, sequence, utf8String } from '#dev-authorities/der/writer.js'
import { digest } from '#verifier/algorithms/digest.js'
import { DerError } from '#verifier/der/reader.js'
import { buildTimeStampRequest, readTimeStampResponse } from '#verifier/timestamp/time-stamp-exchange.js'
import { verifyTimeStamp } from '#verifier/timestamp/verify-time-stamp.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { openssl } from '../../support/pki/openssl.js'
import { timeStamper } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const DATA = Buffer.from('a signature value')
const nonce = Buffer.from('40000000000000ff', 'hex')
const request = { digestOid: SHA_256, imprint: digest(SHA_256, DATA), nonce }

const TSA_CONFIGURATION = `[tsa]
default_tsa = authority
[authority]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.398.3.3.2.6.4
other_policies = 1.2.3.4
digests = sha256, sha384, sha512
accuracy = secs:1, millisecs:500, microsecs:100
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
`

describe('time-stamp request', () => {
  it('is read by OpenSSL as it was meant', () => {
    openssl('ts -query -in query.der -text', { 'query.der': buildTimeStampRequest(request) }, ({ ok, output }) => {
      expect(ok, output).to.equal(true)
      expect(output).to.match(/Version: 1\nHash Algorithm: sha256/)
      expect(output).to.contain('Policy OID: unspecified')
      expect(output).to.contain('Nonce: 0x40000000000000FF')
      expect(output).to.contain('Certificate required: yes')
    })
    const asking = buildTimeStampRequest({ ...request, policy: '1.2.398.3.3.2.6.4' })
    openssl('ts -query -in query.der -text', { 'query.der': asking }, ({ output }) => {
      expect(output).to.contain('Policy OID: 1.2.398.3.3.2.6.4')
    })
  })

  it('is answered by a TSA of OpenSSL so that we accept the token', () => {
    const authorities = testAuthorities()
    const tsa = timeStamper(authorities, {
      kind: 'rsa2048',
      notBefore: Date.UTC(2020, 0, 1),
      notAfter: Date.UTC(2044, 0, 1),
    })
    const files = {
      'query.der': buildTimeStampRequest(request),
      'tsa.pem': pem('CERTIFICATE', tsa.certificate),
      'tsa.key': tsa.key.toPem(),
      'tsa.cnf': TSA_CONFIGURATION,
      serial: '1001\n',
    }
    openssl('ts -reply -config tsa.cnf -queryfile query.der -out reply.der', files, ({ ok, output, file }) => {
      expect(ok, output).to.equal(true)
      const { token } = readTimeStampResponse(file('reply.der'))
      const context = { trust: trustOf(authorities), now: Date.now(), request }
      const stamp = verifyTimeStamp(token ?? Buffer.alloc(0), DATA, context)
      expect(stamp.info).to.include({ accuracy: 1500.1, ordering: true })
      expect(stamp.info.tsa?.value).to.contain('TSA')
    })
  })
})

describe('time-stamp response', () => {
  const token = sequence(integer(1))
  const status = (value: number, ...more: Buffer[]) => sequence(integer(value), ...more)

  it('gives its token when granted, with modifications or not', () => {
    expect(readTimeStampResponse(timeStampGrant(token)).token).to.deep.equal(token)
    expect(readTimeStampResponse(sequence(status(1), token)).token).to.deep.equal(token)
    expect(readTimeStampResponse(sequence(status(0, sequence(utf8String('fine'))), token)).token).to.deep.equal(token)
  })

  it('says why it was not granted', () => {
    expect(readTimeStampResponse(timeStampRefusal('badAlg'))).to.deep.equal({
      token: undefined,
      status: 'rejection',
      failures: ['badAlg'],
    })
    const busy = sequence(status(3, sequence(utf8String('in'), utf8String('an hour')), namedBits([14, 25])))
    expect(readTimeStampResponse(busy)).to.deep.equal({
      token: undefined,
      status: 'waiting',
      failures: ['timeNotAvailable', 'systemFailure'],
      text: 'in an hour',
    })
  })

  const malformed = {
    'an unknown status': sequence(status(6)),
    'granted without a token': sequence(status(0)),
    'rejected with a token': sequence(status(2), token),
    'trailing fields': sequence(status(0), token, token),
    'trailing bytes': Buffer.concat([timeStampGrant(token), Buffer.of(0)]),
    'failure bits that are not DER': sequence(status(2, element(0x03, Buffer.from('0080ff00', 'hex')))),
    nothing: Buffer.alloc(0),
  }
  for (const [what, response] of Object.entries(malformed)) {
    it(`is malformed with ${what}`, () => expect(() => readTimeStampResponse(response)).to.throw(DerError))
  }

  it('does not repeat a text at length', () => {
    const response = readTimeStampResponse(sequence(status(2, sequence(utf8String('x'.repeat(10_000))))))
    expect(response).to.have.property('text').with.length(200)
  })
})
