import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { reportJson, reportOf } from '#verifier/report.js'
import { reportHtml } from '#verifier/report-html.js'
import { reportXml } from '#verifier/report-xml.js'
import { type GivenFiles, verifyFiles } from '#verifier/verify-files.js'
import { Crl } from '#verifier/x509/crl.js'
import { canonicalize } from '#verifier/xml/canonicalize.js'
import { XmlElement, XmlText } from '#verifier/xml/node.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { NOW, testAuthorities } from '../support/pki/authorities.js'
import { trustOf } from '../support/pki/trust.js'

const TEXT = Buffer.from('a contract')
const evidence = { timeStamp: true, ocsp: true }
const NASTY = `<b>&"'\u0000\u001b\ufffe\ud800]]>\r\n.p7s`
const C14N = { uri: '', kind: 'inclusive-1.0', withComments: true, inclusivePrefixes: new Set<string>() } as const

describe('reports on several files', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const signer = authorities.person()
  const judged = (given: GivenFiles, more = {}) => verifyFiles(given, { trust, at: NOW, ...more })
  const contract = { name: 'contract', document: TEXT }
  const signed = { name: NASTY, signed: signer.signCms(TEXT, evidence) }
  const files = [
    {
      name: NASTY,
      size: 10,
      digests: new Map([['2.16.840.1.101.3.4.2.1', createHash('sha256').update('x').digest()]]),
    },
  ]
  const given = { signatures: [signed], documents: [contract, { name: 'unsigned.pdf', document: Buffer.from('x') }] }

  /** Elements of a name, anywhere. */
  const all = (xml: string, name: string) => {
    const found: XmlElement[] = []
    const visit = (element: XmlElement): void => {
      if (element.localName === name) found.push(element)
      for (const child of element.children) if (child instanceof XmlElement) visit(child)
    }
    visit(parseXml(xml).root)
    return found
  }
  const textOf = (element: XmlElement | undefined): string =>
    (element?.children ?? []).map((child) => (child instanceof XmlText ? child.value : '')).join('')

  describe('as XML of ETSI TS 119 102-2', () => {
    it('has for each signature its indication, times, signer, document, path and evidence', () => {
      const xml = reportXml(judged(given), { files })
      expect(parseXml(xml).root).to.include({
        localName: 'ValidationReport',
        namespace: 'http://uri.etsi.org/19102/v1.2.1#',
      })
      expect(all(xml, 'MainIndication').map(textOf)).to.deep.equal(['urn:etsi:019102:mainindication:total-passed'])
      expect(all(xml, 'SubIndication')).to.have.length(0)
      expect(textOf(all(xml, 'Signer')[0])).to.equal('ТЕСТОВ ТЕСТ ТЕСТОВИЧ')
      expect(textOf(all(xml, 'ValidationTime')[0])).to.equal('2026-06-01T12:00:00+00:00')
      expect(textOf(all(xml, 'SignatureValidationProcessID')[0])).to.equal('urn:etsi:019102:validationprocess:LTVM')
      const types = all(xml, 'ObjectType').map((one) => textOf(one).split(':').at(-1))
      expect(new Set(types)).to.deep.equal(new Set(['certificate', 'signedData', 'other', 'OCSPResponse', 'timestamp']))
    })

    it('refers to nothing that is not there, and to nothing twice', () => {
      const xml = reportXml(judged(given), { files })
      const ids = all(xml, 'ValidationObject').map((one) => one.attribute('id'))
      expect(new Set(ids).size).to.equal(ids.length)
      const references = [...xml.matchAll(/VOReference="([^"]*)"/g)].map(([, id]) => id)
      expect(references).to.have.length.above(5)
      for (const one of references) expect(ids).to.include(one)
    })

    it('is the same bytes for the same verdict, and already in canonical form', () => {
      const xml = reportXml(judged(given), { files })
      expect(reportXml(judged(given), { files })).to.equal(xml)
      expect(canonicalize(parseXml(xml), C14N).toString()).to.equal(xml)
    })

    it('is well-formed whatever characters are in names', () => {
      const xml = reportXml(judged(given), { files, language: 'kk' })
      const said = all(xml, 'Value').map(textOf)
      expect(said).to.include(`<b>&"'\ufffd\u001b\ufffd\ufffd]]>\r\n.p7s`.replace('\u001b', '\ufffd'))
    })

    it('gives the reason for refused and for unsupported signatures', () => {
      const forged = reportXml(
        judged({ signatures: [signed], documents: [{ name: 'other', document: Buffer.from('y') }] }),
      )
      expect(all(forged, 'MainIndication').map(textOf)).to.deep.equal(['urn:etsi:019102:mainindication:total-failed'])
      expect(all(forged, 'SubIndication').map(textOf)).to.deep.equal(['urn:etsi:019102:subindication:HASH_FAILURE'])
      const verdict = judged(given)
      const unsupported = { feature: 'asic', advice: 'Check the container' } as const
      const [one] = verdict.signatures
      if (one === undefined) throw new Error('There is a signature')
      const signatures = [{ ...one, indication: 'unsupported', conclusion: 'unsupported', unsupported } as const]
      const xml = reportXml({ ...verdict, signatures })
      expect(textOf(all(xml, 'MainIndication')[0])).to.equal('urn:etsi:019102:mainindication:indeterminate')
      expect(textOf(all(xml, 'SubIndication')[0])).to.equal('urn:etsi:019102:subindication:GENERIC')
      expect(xml).to.include('<vr:Value>Check the container')
      expect(reportXml({ ...verdict, signatures }, { language: 'ru' })).to.include('<vr:Value>Проверьте контейнер')
    })

    it('is of one signature that is not there where nothing is signed', () => {
      const xml = reportXml(judged({ signatures: [], documents: [contract] }))
      expect(all(xml, 'SignatureValidationReport')).to.have.length(1)
      expect(textOf(all(xml, 'MainIndication')[0])).to.equal('urn:etsi:019102:mainindication:indeterminate')
      expect(xml).to.include('<vr:Type>signed-registry/report/v2#nobodySigned</vr:Type><vr:Value>contract</vr:Value>')
    })

    it('names CRLs by their digests', () => {
      const crls = [Crl.parse(authorities.crl('ecdsa'))]
      const bare = { signatures: [{ name: 'a', signed: signer.signCms(TEXT) }], documents: [contract] }
      const xml = reportXml(judged(bare, { trust: { ...trust, crls } }))
      expect(xml).to.include('urn:etsi:019102:validationObject:CRL').and.include(`id="L-${crls[0]?.fingerprint}"`)
    })
  })

  describe('as HTML', () => {
    const html = (language: 'en' | 'ru' | 'kk', more: Partial<GivenFiles> = {}) =>
      reportHtml(reportOf(judged({ ...given, ...more }), { files, language }))

    it('runs no script and loads nothing, whatever characters are in names', () => {
      const page = html('en')
      expect(page).to.not.match(/<script|<img|<link|<b>|https?:|\ud800(?![\udc00-\udfff])/)
      expect(page).to.include(`content="default-src 'none'; style-src 'unsafe-inline'"`)
      expect(page).to.include('&lt;b&gt;&amp;')
    })

    it('names signer, authorities, serial numbers, hashes, rules, and whom nobody signed', () => {
      const page = html('en')
      const [one] = judged(given).signatures
      for (const text of [
        ...['ТЕСТОВ ТЕСТ ТЕСТОВИЧ', 'DEVELOPMENT TSA', 'DEVELOPMENT OCSP RESPONDER', 'DEVELOPMENT ROOT CA'],
        ...['2026-06-01T12:00:00+00:00 UTC', 'signed-registry/rules/1', 'minRsaBits: 2048', 'SHA-256'],
        ...[one?.signature?.signer.serialNumber ?? '?', one?.proof?.timeStamp?.info.serialNumber ?? '?'],
        ...['unsigned.pdf</dt><dd><strong>nobody signed this document', 'Not proved: something is missing.'],
      ])
        expect(page).to.include(text)
    })

    it('names nobody as the signer of a document by a signature that is not proved', () => {
      const verdict = judged(given, { trust: { anchors: [], intermediates: [] } })
      const page = reportHtml(reportOf(verdict, { files }))
      expect(page).to.include('Signature 1: Not proved: ').and.not.include('signed by')
    })

    it('speaks Russian and Kazakh', () => {
      expect(html('ru')).to.include('<html lang="ru">').and.include('Не доказано: чего-то не хватает.')
      expect(html('kk')).to.include('<html lang="kk">').and.include('Дәлелденбеді: бірдеңе жетіспейді.')
    })
  })

  it('has the same content as JSON, and is deterministic', () => {
    const json = reportJson(reportOf(judged(given), { files }))
    expect(reportJson(reportOf(judged(given), { files }))).to.equal(json)
    expect(JSON.parse(json)).to.deep.include({ outcome: 'unknown', indication: 'INDETERMINATE' })
    expect(JSON.parse(json).files[0].digests[0]).to.include({ algorithm: 'SHA-256' })
  })
})
