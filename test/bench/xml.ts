import { DOMParser } from '@xmldom/xmldom'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { verifyXmlDocument } from '#verifier/xml/verify-xml-document.js'
import { testAuthorities } from '../support/pki/authorities.js'
import { printRow } from './row.js'

const SIZES_KIB = [30, 60, 120, 240, 480, 960]
const RUNS = 15
const JUDGED_KIB = 120
const HELD_MOST_MS = 50

/** A register of payments: short elements, attributes, text, comments and two namespaces. */
function register(kib: number): string {
  let text = '<register xmlns="urn:example:register" xmlns:m="urn:example:money">'
  for (let i = 0; text.length < kib * 1024; i += 1) {
    text +=
      `<payment m:number="${i}" state="sent"><payer>Person ${i} &amp; Co</payer>` +
      `<m:sum currency="KZT">${i * 17}.00</m:sum><!-- row ${i} --></payment>\n`
  }
  return `${text}</register>`
}

/** Milliseconds of one call: the middle and the longest of several. */
function measure(run: () => unknown): { middle: number; longest: number } {
  run()
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now()
    run()
    return performance.now() - start
  }).sort((a, b) => a - b)
  return { middle: times[RUNS >> 1] ?? 0, longest: times[RUNS - 1] ?? 0 }
}

/** Prints how verification of an enveloped signature grows with the document; one call is one hold of the event loop. */
export function run(): void {
  const person = testAuthorities().person({ algorithm: 'rsa2048' })
  const documents = SIZES_KIB.map((kib) => ({ kib, document: person.signXml(register(kib)).document }))
  for (let i = 0; i < 20; i += 1) verifyXmlDocument(documents[0]?.document ?? '')
  console.log('XML: enveloped signature, RSA-2048; one verification holds the event loop once')
  console.log('   KiB   verify ms   longest ms   us/KiB   parse ms   xmldom parse / ours')
  let held = Number.NaN
  for (const { kib, document } of documents) {
    const verify = measure(() => verifyXmlDocument(document))
    const ours = measure(() => parseXml(document))
    const theirs = measure(() => new DOMParser().parseFromString(document, 'text/xml'))
    const columns = [
      String(kib).padStart(6),
      verify.middle.toFixed(1).padStart(12),
      verify.longest.toFixed(1).padStart(13),
      ((verify.middle * 1000) / kib).toFixed(0).padStart(9),
      ours.middle.toFixed(1).padStart(11),
      (theirs.middle / ours.middle).toFixed(1).padStart(22),
    ]
    console.log(columns.join(''))
    if (kib === JUDGED_KIB) held = verify.longest
  }
  printRow({
    what: `the longest hold of the event loop, ${JUDGED_KIB} KiB`,
    floor: `${HELD_MOST_MS} ms`,
    ratios: [held / HELD_MOST_MS],
    aim: '<= 1',
    figures: `${held.toFixed(1)} ms`,
  })
}
