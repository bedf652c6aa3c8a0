import { expect } from 'chai'
import type { Canonicalization } from '#verifier/algorithms/canonicalization.js'
import { canonicalize } from '#verifier/xml/canonicalize.js'
import { joinBase } from '#verifier/xml/inherited-attributes.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { refusal } from '../../support/xml/refusal.js'
import { elementWithId } from '../../support/xml/sign-template.js'

const method = (
  kind: Canonicalization['kind'],
  withComments = false,
  inclusivePrefixes: readonly string[] = [],
): Canonicalization => ({ uri: '', kind, withComments, inclusivePrefixes: new Set(inclusivePrefixes) })

const canonical = (xml: string, how = method('inclusive-1.0')): string => canonicalize(parseXml(xml), how).toString()
const part = (xml: string, how: Canonicalization): string =>
  canonicalize(elementWithId(parseXml(xml), 'x'), how).toString()

describe('canonicalization', () => {
  describe('Canonical XML 1.0, examples of the recommendation', () => {
    const example31 =
      '<?xml version="1.0"?>\n\n<?xml-stylesheet   href="doc.xsl"\n   type="text/xsl"   ?>\n\n' +
      '<doc>Hello, world!<!-- Comment 1 --></doc>\n\n<?pi-without-data     ?>\n\n<!-- Comment 2 -->\n\n<!-- Comment 3 -->\n'

    it('3.1 PIs, comments and outside of document element', () => {
      const stylesheet = '<?xml-stylesheet href="doc.xsl"\n   type="text/xsl"   ?>\n'
      expect(canonical(example31)).to.equal(`${stylesheet}<doc>Hello, world!</doc>\n<?pi-without-data?>`)
      expect(canonical(example31, method('inclusive-1.0', true))).to.equal(
        `${stylesheet}<doc>Hello, world!<!-- Comment 1 --></doc>\n<?pi-without-data?>\n<!-- Comment 2 -->\n<!-- Comment 3 -->`,
      )
    })

    it('3.2 white space in document content', () => {
      const text =
        '<doc>\n   <clean>   </clean>\n   <dirty>   A   B   </dirty>\n   <mixed>\n      A\n      <clean>   </clean>\n' +
        '      B\n      <dirty>   A   B   </dirty>\n      C\n   </mixed>\n</doc>'
      expect(canonical(text)).to.equal(text)
    })

    it('3.3 start and end tags', () => {
      expect(
        canonical(
          '<doc>\n   <e1   />\n   <e2   ></e2>\n   <e3   name = "elem3"   id="elem3"   />\n   <e4   name="elem4"   id="elem4"   ></e4>\n' +
            '   <e5 a:attr="out" b:attr="sorted" attr2="all" attr="I\'m"\n      xmlns:b="http://www.ietf.org"\n      xmlns:a="http://www.w3.org"\n' +
            '      xmlns="http://example.org"/>\n   <e6 xmlns="" xmlns:a="http://www.w3.org">\n      <e7 xmlns="http://www.ietf.org">\n' +
            '         <e8 xmlns="" xmlns:a="http://www.w3.org">\n            <e9 xmlns="" xmlns:a="http://www.ietf.org"/>\n' +
            '         </e8>\n      </e7>\n   </e6>\n</doc>',
        ),
      ).to.equal(
        '<doc>\n   <e1></e1>\n   <e2></e2>\n   <e3 id="elem3" name="elem3"></e3>\n   <e4 id="elem4" name="elem4"></e4>\n' +
          '   <e5 xmlns="http://example.org" xmlns:a="http://www.w3.org" xmlns:b="http://www.ietf.org" attr="I\'m" attr2="all" b:attr="sorted" a:attr="out"></e5>\n' +
          '   <e6 xmlns:a="http://www.w3.org">\n      <e7 xmlns="http://www.ietf.org">\n         <e8 xmlns="">\n' +
          '            <e9 xmlns:a="http://www.ietf.org"></e9>\n         </e8>\n      </e7>\n   </e6>\n</doc>',
      )
    })

    it('3.4 character modifications and character references', () => {
      expect(
        canonical(
          '<doc>\n   <text>First line&#x0d;&#10;Second line</text>\n   <value>&#x32;</value>\n' +
            '   <compute><![CDATA[value>"0" && value<"10" ?"valid":"error"]]></compute>\n' +
            '   <compute expr=\'value>"0" &amp;&amp; value&lt;"10" ?"valid":"error"\'>valid</compute>\n' +
            "   <norm attr=' &apos;   &#x20;&#13;&#xa;&#9;   &apos; '/>\n</doc>",
        ),
      ).to.equal(
        '<doc>\n   <text>First line&#xD;\nSecond line</text>\n   <value>2</value>\n' +
          '   <compute>value&gt;"0" &amp;&amp; value&lt;"10" ?"valid":"error"</compute>\n' +
          '   <compute expr="value>&quot;0&quot; &amp;&amp; value&lt;&quot;10&quot; ?&quot;valid&quot;:&quot;error&quot;">valid</compute>\n' +
          '   <norm attr=" \'    &#xD;&#xA;&#x9;   \' "></norm>\n</doc>',
      )
    })

    it('3.6 UTF-8 encoding', () => {
      expect(canonicalize(parseXml('<doc>&#169;</doc>'), method('inclusive-1.0')).toString('latin1')).to.equal(
        '<doc>\u00c2\u00a9</doc>',
      )
    })
  })

  it('sorts attributes by code point, not by UTF-16 unit', () => {
    expect(canonical('<a xmlns:p="urn:\u{10000}" xmlns:q="urn:\uE000" p:x="1" q:x="2"/>')).to.match(/ q:x="2" p:x="1">/)
    expect(canonical('<a \u{10000}="1" \uF900="2"/>')).to.equal('<a \uF900="2" \u{10000}="1"></a>')
  })

  describe('of an element taken from its document', () => {
    const xml =
      '<r xmlns="urn:d" xmlns:p="urn:p" xmlns:q="urn:q" xml:lang="kk" xml:space="preserve" xml:id="r" xml:base="http://h/a/b">' +
      '<m xml:base="../c/" xml:lang="ru" xmlns:q="urn:q2"><p:e Id="x" xml:base="d" q:a="1"><f xmlns=""/><p:g/></p:e></m></r>'

    it('Canonical XML 1.0 renders all namespaces in scope and inherits every xml: attribute', () => {
      expect(part(xml, method('inclusive-1.0'))).to.equal(
        '<p:e xmlns="urn:d" xmlns:p="urn:p" xmlns:q="urn:q2" Id="x" xml:base="d" xml:id="r" xml:lang="ru" xml:space="preserve" q:a="1">' +
          '<f xmlns=""></f><p:g></p:g></p:e>',
      )
    })

    it('Canonical XML 1.1 inherits xml:lang and xml:space, joins xml:base and leaves xml:id', () => {
      expect(part(xml, method('inclusive-1.1'))).to.equal(
        '<p:e xmlns="urn:d" xmlns:p="urn:p" xmlns:q="urn:q2" Id="x" xml:base="http://h/c/d" xml:lang="ru" xml:space="preserve" q:a="1">' +
          '<f xmlns=""></f><p:g></p:g></p:e>',
      )
    })

    it('exclusive canonicalization renders what is visibly used and inherits nothing', () => {
      expect(part(xml, method('exclusive'))).to.equal(
        '<p:e xmlns:p="urn:p" xmlns:q="urn:q2" Id="x" xml:base="d" q:a="1"><f></f><p:g></p:g></p:e>',
      )
    })

    it('exclusive canonicalization treats the prefixes of its list as inclusive', () => {
      expect(part(xml, method('exclusive', false, ['', 'q', 'absent']))).to.equal(
        '<p:e xmlns="urn:d" xmlns:p="urn:p" xmlns:q="urn:q2" Id="x" xml:base="d" q:a="1"><f xmlns=""></f><p:g></p:g></p:e>',
      )
    })
  })

  it('exclusive canonicalization renders a namespace again where its parent did not use it', () => {
    expect(canonical('<a xmlns:n="urn:n"><n:b><n:c/></n:b><n:d/></a>', method('exclusive'))).to.equal(
      '<a><n:b xmlns:n="urn:n"><n:c></n:c></n:b><n:d xmlns:n="urn:n"></n:d></a>',
    )
  })

  it('refuses a relative namespace, as the recommendation demands, instead of writing nothing', () => {
    expect(refusal(() => canonical('<a xmlns="relative"/>'))).to.equal('signatureNotParsed relativeNamespace')
    const unused = '<a><b xmlns:p="relative"/></a>'
    expect(refusal(() => canonical(unused, method('exclusive')))).to.equal('signatureNotParsed relativeNamespace')
  })

  it('refuses when nothing would be left', () => {
    const document = parseXml('<a><b Id="x"/></a>')
    const omitRoot = () =>
      canonicalize(elementWithId(document, 'x'), method('exclusive'), ({ localName }) => localName === 'a')
    expect(refusal(omitRoot)).to.equal('signatureNotParsed nothingSigned')
    const omitAll = () => canonicalize(document, method('exclusive'), () => true)
    expect(refusal(omitAll)).to.equal('signatureNotParsed nothingSigned')
  })

  it('refuses a namespace bomb: a long name rendered again and again', () => {
    const bomb = `<a xmlns:n="urn:${'n'.repeat(100_000)}">${'<n:b/>'.repeat(10_000)}</a>`
    expect(refusal(() => canonical(bomb, method('exclusive')))).to.equal('signatureNotParsed canonicalFormTooLarge')
  })

  it('joins xml:base values', () => {
    const joined = [
      ['http://a/b/c', '../d'],
      ['http://a', 'b'],
      ['a/b', '../../c'],
      ['..', 'x'],
      ['a/b/', ''],
      ['http://a/b', '//c/d'],
      ['http://a/b?q', ''],
      ['a', 'http://b/./c/../d'],
    ].map(([outer = '', inner = '']) => joinBase(outer, inner))
    expect(joined).to.deep.equal([
      'http://a/d',
      'http://a/b',
      '../c',
      '../x',
      'a/b/',
      'http://c/d',
      'http://a/b?q',
      'http://b/d',
    ])
  })
})
