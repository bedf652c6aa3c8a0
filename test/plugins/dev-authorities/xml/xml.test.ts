import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { testAuthorities } from '../../../support/pki/authorities.js'
import { inFolder } from '../../../support/pki/openssl.js'

const DOCUMENTS = {
  'a plain document': '<?xml version="1.0"?><doc a="1"><x/>текст &amp; &lt;</doc>',
  'namespaces and xml: attributes on the root':
    '<b:doc xmlns:b="urn:b" xmlns="urn:a" xmlns:a="urn:c" xml:lang="kk" xml:id="z"><x b:y="2" y="1"/></b:doc>',
  'comments and instructions around the root': '<!-- a --><?p q?><doc><!-- b --></doc><?r?><!-- c -->',
}

describe('dev-authorities: XML signatures', () => {
  const authorities = testAuthorities()
  const xmlsec = spawnSync('xmlsec1', ['--version']).status === 0

  for (const algorithm of ['rsa2048', 'p256', 'p521'] as const) {
    for (const [title, document] of Object.entries(DOCUMENTS)) {
      it(`verify in xmlsec1: ${algorithm}, ${title}`, function () {
        if (!xmlsec) this.skip()
        const person = authorities.person({ algorithm })
        const signed = person.signXml(document)
        inFolder({ 'signed.xml': signed.document, 'certificate.pem': person.certificatePem }, (folder) => {
          const key = join(folder, 'certificate.pem')
          const options = ['--verify', '--pubkey-cert-pem', key, '--enabled-reference-uris', 'empty']
          const { status, stderr } = spawnSync('xmlsec1', [...options, join(folder, 'signed.xml')], {
            encoding: 'utf8',
          })
          expect(status, stderr).equal(0)
        })
        expect(signed.document).contain(signed.signature)
        expect(signed.document.replace(signed.signature, '')).equal(signed.data.toString('utf8'))
      })
    }
  }

  it('refuses what is not an XML document', () => {
    expect(() => authorities.person().signXml('<doc>')).throw('Not an XML document')
    expect(() => authorities.person().signXml('text')).throw('Not an XML document')
  })
})
