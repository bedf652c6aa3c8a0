import { expect } from 'chai'
import { decodeSignature } from '#verifier/cms/decode-signature.js'
import { cmsPem } from '#verifier/cms/export-cms.js'
import { expectRefusal } from '../../support/refusal.js'

const BYTES = Buffer.from(Array.from({ length: 100 }, (_, i) => i))
const BASE64 = BYTES.toString('base64')

describe('decoding the text of a CMS', () => {
  const accept = (title: string, text: string) =>
    it(`accepts ${title}`, () => void expect(Buffer.from(decodeSignature(text))).to.deep.equal(BYTES))
  accept('base64', BASE64)
  accept('base64 in lines', `${BASE64.slice(0, 64)}\r\n${BASE64.slice(64)}\r\n`)
  accept('PEM labelled CMS', cmsPem(BYTES))
  accept('PEM labelled PKCS7, with CR LF', cmsPem(BYTES).replaceAll('CMS', 'PKCS7').replaceAll('\n', '\r\n'))

  it('decodes every length', () => {
    for (let length = 1; length < 10; length += 1)
      expect(decodeSignature(BYTES.subarray(0, length).toString('base64'))).to.have.length(length)
  })

  const refuse = (title: string, reason: string, text: string) =>
    it(`refuses ${title}`, () => void expectRefusal('signatureNotParsed', reason, () => decodeSignature(text)))
  refuse('nothing', 'base64', '')
  refuse('base64 without its padding', 'base64', BASE64.replace('==', ''))
  refuse('base64 with characters of another alphabet', 'base64', BASE64.replace('A', '_'))
  refuse('base64 with blanks inside', 'base64', `${BASE64.slice(0, 8)}    ${BASE64.slice(8)}`)
  refuse('letters of another alphabet, in lines', 'base64', `${BASE64.replace('A', '\u0141')}\n`)
  refuse('padding in the middle', 'base64', `QQ==${BASE64}`)
  refuse('unused bits that are not zero', 'base64', 'QR==')
  refuse('PEM of a certificate', 'pemLabel', cmsPem(BYTES).replaceAll('CMS', 'CERTIFICATE'))
  refuse('PEM that ends in another label', 'pemEnd', cmsPem(BYTES).replace('END CMS', 'END PKCS7'))
  refuse('PEM that does not end', 'pemEnd', cmsPem(BYTES).split('-----END')[0] ?? '')
  refuse('two PEM blocks', 'base64', cmsPem(BYTES) + cmsPem(BYTES))
  refuse('text around PEM', 'base64', `signed:\n${cmsPem(BYTES)}`)
  refuse('PEM headers', 'base64', cmsPem(BYTES).replace('CMS-----\n', 'CMS-----\nProc-Type: 4,ENCRYPTED\n\n'))
})
