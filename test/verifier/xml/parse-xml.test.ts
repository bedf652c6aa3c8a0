import { expect } from 'chai'
import { XmlComment, XmlElement, XmlInstruction, XmlText } from '#verifier/xml/node.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { refusal } from '../../support/xml/refusal.js'
import { descendants } from '../../support/xml/sign-template.js'

const reasonOf = (xml: string): string => refusal(() => parseXml(xml)).replace('signatureNotParsed ', '')

describe('XML parser', () => {
  it('resolves namespaces, references, CDATA sections and line ends', () => {
    const { root, children } = parseXml(
      '\uFEFF<?xml version="1.0" encoding="windows-1251" standalone=\'no\' ?>\r\n<!-- a --><?p  q ?>\r\n' +
        '<a xmlns="urn:a" xmlns:b="urn:b"\tb:x=" 1\t2\r\n3&#10;&#x9; " y=\'"\'>&lt;&amp;&gt;&quot;&apos;\r\n<![CDATA[<&]]>\r&#13;&#x10FFFF;<b:c/></a >',
    )
    expect(children.map((node) => node.constructor)).to.deep.equal([XmlComment, XmlInstruction, XmlElement])
    expect(children[1]).to.deep.equal(new XmlInstruction('p', 'q '))
    expect(root.is('urn:a', 'a')).to.equal(true)
    expect(root.attributes).to.deep.equal([
      { prefix: 'b', localName: 'x', namespace: 'urn:b', value: ' 1 2 3\n\t ' },
      { prefix: '', localName: 'y', namespace: '', value: '"' },
    ])
    const [text, element] = root.children
    expect(text).to.deep.equal(new XmlText('<&>"\'\n<&\n\r\u{10FFFF}'))
    expect(element instanceof XmlElement && element.is('urn:b', 'c')).to.equal(true)
  })

  it('undoes a default namespace and shadows prefixes', () => {
    const { root } = parseXml('<a xmlns="urn:a" xmlns:p="urn:1"><b xmlns="" xmlns:p="urn:2"><p:c/></b><p:d/></a>')
    const namespaces = descendants(root).map(({ localName, namespace }) => `${localName} ${namespace}`)
    expect(namespaces).to.deep.equal(['a urn:a', 'b ', 'c urn:2', 'd urn:1'])
  })

  it('takes names beyond ASCII', () => {
    expect(parseXml('<құжат тақырып="х"/>').root.localName).to.equal('құжат')
  })

  describe('refuses entity and document type attacks', () => {
    const cases: Record<string, string> = {
      '<!DOCTYPE a><a/>': 'doctype',
      '<!doctype a><a/>': 'doctype',
      '<?xml version="1.0"?> <!-- x --><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>': 'doctype',
      '<!ENTITY x "y"><a/>': 'doctype',
      '<a><!DOCTYPE a></a>': 'notWellFormed',
      '<a/><!DOCTYPE a>': 'doctype',
      '<a>&x;</a>': 'entity',
      '<a b="&x;"/>': 'entity',
      '<a>&amp</a>': 'entity',
      '<a>& </a>': 'entity',
      '<a>&#x;</a>': 'entity',
      '<a>&#0;</a>': 'character',
      '<a>&#xD800;</a>': 'character',
      '<a>&#x110000;</a>': 'character',
      '<a>&#xFFFE;</a>': 'character',
    }
    for (const [xml, reason] of Object.entries(cases)) {
      it(xml, () => expect(reasonOf(xml)).to.equal(reason))
    }
  })

  describe('refuses what is not well-formed', () => {
    const cases: Record<string, string> = {
      '': 'notWellFormed',
      ' ': 'notWellFormed',
      a: 'notWellFormed',
      '<a>': 'notWellFormed',
      '<a></b>': 'notWellFormed',
      '<a></ab>': 'notWellFormed',
      '<p:a xmlns:p="urn:p"></a>': 'notWellFormed',
      '<a/><b/>': 'notWellFormed',
      '<a/>text': 'notWellFormed',
      'text<a/>': 'notWellFormed',
      '<a b></a>': 'notWellFormed',
      '<a b=c/>': 'notWellFormed',
      '<a b="1"c="2"/>': 'notWellFormed',
      '<a b="<"/>': 'notWellFormed',
      '<a b="1" b="2"/>': 'duplicateAttribute',
      '<a xmlns:p="urn:x" xmlns:q="urn:x" p:b="1" q:b="2"/>': 'duplicateAttribute',
      '<a xmlns:p="urn:x" xmlns:p="urn:y"/>': 'duplicateAttribute',
      '<p:a/>': 'undeclaredPrefix',
      '<a p:b=""/>': 'undeclaredPrefix',
      '<a xmlns:p="urn:p"/><p:b/>': 'notWellFormed',
      '<a><b xmlns:p="urn:p"/><p:c/></a>': 'undeclaredPrefix',
      '<a xmlns:p=""/>': 'reservedNamespace',
      '<a xmlns:xml="urn:x"/>': 'reservedNamespace',
      '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>': 'reservedNamespace',
      '<a xmlns:xmlns="urn:x"/>': 'reservedNamespace',
      '<a xmlns="http://www.w3.org/2000/xmlns/"/>': 'reservedNamespace',
      '<a:b:c xmlns:a="urn:a"/>': 'notWellFormed',
      '<:a/>': 'notWellFormed',
      '<1a/>': 'notWellFormed',
      '< a/>': 'notWellFormed',
      '<a>]]></a>': 'notWellFormed',
      '<a><![CDATA[</a>': 'notWellFormed',
      '<a><!-- -- --></a>': 'notWellFormed',
      '<a><!-- ---></a>': 'notWellFormed',
      '<a><?p</a>': 'notWellFormed',
      '<a><?p:q r?></a>': 'notWellFormed',
      '<a><?p?q?></a>': 'notWellFormed',
      '<a>\u0001</a>': 'character',
      '<a>\uD800</a>': 'character',
      '<a>\uFFFE</a>': 'character',
    }
    for (const [xml, reason] of Object.entries(cases)) {
      it(JSON.stringify(xml), () => expect(reasonOf(xml)).to.equal(reason))
    }
  })

  describe('refuses processing-instruction tricks', () => {
    const cases: Record<string, string> = {
      ' <?xml version="1.0"?><a/>': 'xmlDeclaration',
      '<a><?xml version="1.0"?></a>': 'xmlDeclaration',
      '<a/><?XML x?>': 'xmlDeclaration',
      '<?xml version="1.1"?><a/>': 'xmlDeclaration',
      '<?xml version="1.0" encoding=""?><a/>': 'xmlDeclaration',
      '<?xml encoding="UTF-8"?><a/>': 'xmlDeclaration',
    }
    for (const [xml, reason] of Object.entries(cases)) {
      it(xml, () => expect(reasonOf(xml)).to.equal(reason))
    }
  })

  describe('refuses what is over a limit', () => {
    it('a text that is too long', () => expect(reasonOf(`<a>${'x'.repeat(3_000_000)}</a>`)).to.equal('tooLarge'))
    it('elements that are nested too deep', () => {
      expect(reasonOf('<a>'.repeat(128) + '</a>'.repeat(128))).to.equal('accepted')
      expect(reasonOf('<a>'.repeat(129) + '</a>'.repeat(129))).to.equal('tooDeep')
      expect(reasonOf('<a>'.repeat(500_000))).to.equal('tooDeep')
    })
    it('too many attributes', () => {
      const attributes = Array.from({ length: 129 }, (_, i) => ` a${i}=""`).join('')
      expect(reasonOf(`<a${attributes}/>`)).to.equal('tooManyAttributes')
    })
    it('too many nodes', () => expect(reasonOf(`<a>${'<b/>'.repeat(400_001)}</a>`)).to.equal('tooManyNodes'))
  })
})
