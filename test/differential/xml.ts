import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { verifyXmlDocument } from '#verifier/xml/verify-xml-document.js'
import { testAuthorities } from '../support/pki/authorities.js'
import { inFolder } from '../support/pki/openssl.js'
import { randomDocument } from '../support/xml/random-document.js'
import { refusal } from '../support/xml/refusal.js'
import { C14N, ENVELOPED, EXC_C14N, signatureTemplate } from '../support/xml/sign-template.js'

const C14N11 = 'http://www.w3.org/2006/12/xml-c14n11'
const METHODS = [C14N, `${C14N}#WithComments`, C14N11, `${C14N11}#WithComments`, EXC_C14N, `${EXC_C14N}WithComments`]
const PREFIX_LIST = `<ds:Transform Algorithm="${EXC_C14N}"><ec:InclusiveNamespaces xmlns:ec="${EXC_C14N}" PrefixList="q #default longer"/></ds:Transform>`
const URIS = ['', '#xpointer(/)', '#part', "#xpointer(id('part'))"]

/**
 * Has xmlsec1 sign random documents and our verifier judge them, as signed and with one character changed; prints every
 * disagreement. Known and left out: libxml2 2.9 writes `&` in a namespace as `&#38;` instead of `&amp;`. `node dist-test/differential/xml.js [runs] [seed]`
 */
function main(runs: number, seed: number): void {
  const person = testAuthorities().person({ algorithm: 'p256' })
  const random = fc.sample(
    fc.record({
      xml: randomDocument,
      part: randomDocument,
      uri: fc.constantFrom(...URIS),
      method: fc.constantFrom(...METHODS),
      transform: fc.constantFrom(...METHODS, PREFIX_LIST),
      place: fc.nat({ max: 10_000 }),
    }),
    { numRuns: runs, seed },
  )
  const counts = { agreed: 0, refusedByBoth: 0, disagreed: 0 }
  inFolder({ 'key.pem': person.keyPem, 'certificate.pem': person.certificatePem }, (folder) => {
    const file = join(folder, 'document.xml')
    const xmlsec = (command: string, ...options: readonly string[]): { ok: boolean; said: string } => {
      const run = spawnSync('xmlsec1', [`--${command}`, ...options, file], { encoding: 'utf8' })
      return { ok: run.status === 0, said: run.stderr.slice(0, 400) }
    }
    const judge = (xml: string, what: string): void => {
      writeFileSync(file, xml)
      const theirs = xmlsec('verify', '--pubkey-cert-pem', join(folder, 'certificate.pem'))
      const ours = refusal(() => verifyXmlDocument(xml, { covers: 'element' }))
      if (theirs.ok === (ours === 'accepted')) counts[theirs.ok ? 'agreed' : 'refusedByBoth'] += 1
      else {
        counts.disagreed += 1
        console.log(`${what}: xmlsec1 ${theirs.ok ? 'accepts' : `refuses (${theirs.said})`}, ours ${ours}\n${xml}\n`)
      }
    }
    for (const { xml, part, uri, method, transform, place } of random) {
      const references = [
        { uri: ` URI="${uri}"`, transforms: [...(uri.includes('part') ? [] : [ENVELOPED]), transform] },
      ]
      const template = signatureTemplate(person, { canonicalization: method, references, keyInfo: '<ds:X509Data/>' })
      const inside =
        /^<!-- before --><\?p\?>(.*)<!-- after -->$/s.exec(part)?.[1]?.replace('<r ', '<r xml:id="part" ') ?? ''
      writeFileSync(file, xml.replace('</r><!-- after', `${inside}${template}</r><!-- after`))
      const signing = xmlsec(
        'sign',
        '--privkey-pem',
        `${join(folder, 'key.pem')},${join(folder, 'certificate.pem')}`,
        '--output',
        file,
      )
      if (!signing.ok) {
        console.log(`xmlsec1 does not sign: ${signing.said}`)
        continue
      }
      const signed = readFileSync(file, 'utf8')
      judge(signed, `${uri} ${method} ${transform}`)
      // Past the signature value stands the certificate, which xmlsec1 is told not to look at.
      const at = place % signed.indexOf('</ds:SignatureValue>')
      const other = signed[at] === 'A' ? 'B' : 'A'
      judge(signed.slice(0, at) + other + signed.slice(at + 1), `changed at ${at}: ${uri} ${method} ${transform}`)
    }
  })
  console.log(`seed ${seed}: ${JSON.stringify(counts)}`)
}

main(Number(process.argv[2] ?? 100), Number(process.argv[3] ?? Date.now() % 1_000_000))
