import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { textNodes } from '#verifier/xml/text-nodes.js'
import { verifyXmlDocument, verifyXmlSignatures } from '#verifier/xml/verify-xml-document.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { refusal } from '../../support/xml/refusal.js'
import {
  C14N,
  DSIG,
  ENVELOPED,
  EXC_C14N,
  signatureTemplate,
  signTemplate,
  signValue,
  type TemplateOptions,
  x509Data,
} from '../../support/xml/sign-template.js'

const XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const notSignature = (prefix: string): string =>
  `<ds:Transform Algorithm="${XPATH}"><ds:XPath xmlns:${prefix}="${DSIG}"> not(ancestor-or-self::${prefix}:Signature)\n</ds:XPath></ds:Transform>`

describe('XML document with a signature', () => {
  const authorities = testAuthorities()
  const person = authorities.person({ algorithm: 'p256' })
  const other = authorities.person({ algorithm: 'p256' })
  const template = (options?: TemplateOptions): string => signatureTemplate(person, options)
  const enveloped = (options?: TemplateOptions, content = '<b>text</b>'): string =>
    signTemplate(`<a>${content}${template(options)}</a>`, person)
  const ofPart = (xml: string) => verifyXmlDocument(xml, { covers: 'element' })
  const verdict = (xml: string): string => refusal(() => ofPart(xml))
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

  it('verifies one that the development authorities made, whatever the key', () => {
    for (const algorithm of ['rsa2048', 'p256', 'p384', 'p521'] as const) {
      const subject = authorities.person({ algorithm })
      const { document, data } = subject.signXml('<!-- c --><?p i?><r xmlns="urn:r" xml:lang="kk"><x a="1"/></r>')
      const { signature, covers, signedBytes } = verifyXmlDocument(document)
      expect(covers).to.equal('document')
      expect(text(signedBytes)).to.equal(text(data))
      expect(Buffer.compare(signature.signer.der, subject.certificate)).to.equal(0)
      expect(text(signature.kept)).to.equal(document)
    }
  })

  it('says that an enveloped signature covers the document, and gives the bytes that were digested', () => {
    const { covers, signedBytes, signature } = verifyXmlDocument(enveloped())
    expect(covers).to.equal('document')
    expect(text(signedBytes)).to.equal('<a><b>text</b></a>')
    expect(signature.digests).to.have.length(1)
    expect(signature.signAlgorithm).to.equal('1.2.840.10045.4.3.2')
  })

  for (const canonicalization of [C14N, `${C14N}#WithComments`, EXC_C14N, `${EXC_C14N}WithComments`]) {
    it(`takes ${canonicalization} for SignedInfo and for the reference`, () => {
      const references = [{ transforms: [ENVELOPED, canonicalization] }]
      const { signedBytes } = verifyXmlDocument(enveloped({ canonicalization, references }, '<b>t</b><!-- c -->'))
      expect(text(signedBytes)).to.equal('<a><b>t</b></a>')
    })
  }

  it('keeps comments for an XPointer only', () => {
    const references = [{ uri: ' URI="#xpointer(/)"', transforms: [ENVELOPED, `${C14N}#WithComments`] }]
    expect(text(verifyXmlDocument(enveloped({ references }, '<!-- c -->')).signedBytes)).to.equal('<a><!-- c --></a>')
  })

  it('takes the XPath idiom for enveloped-signature, whatever the prefix', () => {
    for (const prefix of ['ds', 'dsig']) {
      const references = [{ transforms: [notSignature(prefix), C14N] }]
      expect(text(verifyXmlDocument(enveloped({ references })).signedBytes)).to.equal('<a><b>text</b></a>')
    }
  })

  it('says that a signature over one element covers that element', () => {
    const signed = signTemplate(
      `<a><b Id="b">one</b><c>two</c>${template({ references: [{ uri: ' URI="#b"' }] })}</a>`,
      person,
    )
    expect(refusal(() => verifyXmlDocument(signed))).to.equal('invalidSignature coversElement')
    const { covers, signedBytes } = ofPart(signed)
    expect(covers).to.equal('element')
    expect(text(signedBytes)).to.equal('<b Id="b">one</b>')
    expect(verdict(signed.replace('two', 'three'))).to.equal('accepted')
    expect(verdict(signed.replace('one', 'three'))).to.equal('invalidSignature digest')
  })

  it('covers the document by the identifier of its root', () => {
    const references = [{ uri: ' URI="#root"', transforms: [ENVELOPED, EXC_C14N] }]
    const { covers } = verifyXmlDocument(signTemplate(`<a ID="root"><b/>${template({ references })}</a>`, person))
    expect(covers).to.equal('document')
  })

  it('verifies an enveloping signature, which covers its object', () => {
    const objects = '<ds:Object Id="o"><b>text</b></ds:Object>'
    const signed = signTemplate(template({ references: [{ uri: ' URI="#xpointer(id(\'o\'))"' }], objects }), person)
    const { covers, signedBytes } = ofPart(signed)
    expect(covers).to.equal('element')
    expect(textNodes(signedBytes)).to.deep.equal(['text'])
  })

  it('verifies an enveloping signature over what its object has in base64', () => {
    const content = Buffer.from('a file of octets \0\xff')
    const object = (text: string) => `<ds:Object Id="o">${text}</ds:Object>`
    const digestValue = createHash('sha256').update(content).digest('base64')
    const signed = (text: string, transforms = [`${DSIG}base64`]) =>
      signTemplate(
        template({ references: [{ uri: ' URI="#o"', transforms, digestValue }], objects: object(text) }),
        person,
      )
    const base64 = content.toString('base64')
    for (const written of [base64, `\n${base64.slice(0, 8)}\n${base64.slice(8)} `])
      expect(Buffer.from(ofPart(signed(written)).signedBytes).equals(content)).to.equal(true)
    expect(verdict(signed(Buffer.from('other').toString('base64')))).to.equal('invalidSignature digest')
    expect(verdict(signed(`${base64}!`))).to.equal('signatureNotParsed badBase64')
    expect(verdict(signed(`<b>${base64}</b>`))).to.equal('signatureNotParsed valueNotText')
    expect(verdict(signed(base64, [`${DSIG}base64`, C14N]))).to.equal('signatureNotParsed transformNotAllowed')
    const ofDocument = signTemplate(
      `<a><b>${base64}</b>${template({ references: [{ transforms: [`${DSIG}base64`], digestValue }] })}</a>`,
      person,
    )
    expect(verdict(ofDocument)).to.equal('signatureNotParsed transformNotAllowed')
  })

  describe('takes XPath Filter 2.0 as DSS writes it', () => {
    const FILTER = 'http://www.w3.org/2002/06/xmldsig-filter2'
    const filter = (expression: string, kind = 'subtract', prefix = 'ds') =>
      `<ds:Transform Algorithm="${FILTER}"><f:XPath xmlns:f="${FILTER}" xmlns:${prefix}="${DSIG}" Filter="${kind}">` +
      `${expression}</f:XPath></ds:Transform>`
    const filtered = (...transform: Parameters<typeof filter>) =>
      enveloped({ references: [{ transforms: [filter(...transform), C14N], digestValue: '' }] })

    it('when every signature is subtracted', () => {
      for (const prefix of ['ds', 'dsig'])
        expect(
          text(verifyXmlDocument(filtered(`/descendant::${prefix}:Signature`, 'subtract', prefix)).signedBytes),
        ).to.equal('<a><b>text</b></a>')
    })

    it('and in no other form', () => {
      const right = filtered('/descendant::ds:Signature')
      const refused = 'signatureNotParsed transformNotAllowed'
      for (const [from, to] of [
        ['"subtract"', '"intersect"'],
        ['"subtract"', '"union"'],
        ['/descendant::ds:Signature', '/descendant::ds:Object'],
        ['/descendant::ds:Signature', '/descendant::*'],
        ['/descendant::ds:Signature', '//ds:Signature'],
        ['/descendant::ds:Signature', '/descendant::f:Signature'],
        ['</ds:Transform>', `<f:XPath xmlns:f="${FILTER}" Filter="union">/</f:XPath></ds:Transform>`],
      ] as const)
        expect(verdict(right.replace(from, to)), to).to.equal(refused)
    })
  })

  describe('may be over what is outside of it (ASiC)', () => {
    const file = Buffer.from('a file in a container')
    const digestValue = createHash('sha256').update(file).digest('base64')
    const signed = signTemplate(`<c>${template({ references: [{ uri: ' URI="file.txt"', digestValue }] })}</c>`, person)
    const asked: string[] = []
    const resolve = (uri: string) => {
      asked.push(uri)
      return uri === 'file.txt' ? file : undefined
    }

    it('which is asked for by its URI, and never fetched', () => {
      expect(verdict(signed)).to.equal('signatureNotParsed externalReference')
      const { covers, contents, uris } = verifyXmlDocument(signed, { resolve })
      expect([covers, uris]).to.deep.equal(['detached', ['file.txt']])
      expect(contents.map(text)).to.deep.equal([text(file)])
      expect(asked).to.deep.equal(['file.txt'])
    })

    it('and must be what was signed, and there', () => {
      const other = (bytes: Uint8Array | undefined) => () => bytes
      const refused = (bytes: Uint8Array | undefined) =>
        refusal(() => verifyXmlDocument(signed, { resolve: other(bytes) }))
      expect(refused(Buffer.from('another'))).to.equal('invalidSignature digest')
      expect(refused(undefined)).to.equal('signatureNotParsed externalReference')
      const url = signed.replace('file.txt', 'http://example.invalid/file.txt')
      expect(refusal(() => verifyXmlDocument(url, { resolve }))).to.equal('invalidSignature signatureValue')
    })
  })

  it('verifies signatures in whatever order they stand, such as of SAML, where the outer one is first', () => {
    const over = (id: string) => [{ uri: ` URI="#${id}"`, transforms: [ENVELOPED, EXC_C14N] }]
    const one = (id: string, by: typeof person) =>
      signatureTemplate(by, { references: over(id), canonicalization: EXC_C14N })
    const assertion = signTemplate(
      `<s:Assertion xmlns:s="urn:s" ID="a"><s:Subject/>${one('a', other)}</s:Assertion>`,
      other,
    )
    const response = signTemplate(
      `<r:Response xmlns:r="urn:r" ID="r">${one('r', person)}${assertion}</r:Response>`,
      person,
    )
    const read = (xml: string) => verifyXmlSignatures(xml, { covers: 'element' }).map(({ covers }) => covers)
    expect(read(response)).to.deep.equal(['document', 'element'])
    expect(refusal(() => read(response.replace('<s:Subject/>', '<s:Subject>x</s:Subject>')))).to.equal(
      'invalidSignature digest',
    )
    expect(refusal(() => read(response.replace('ID="r"', 'ID="r" x="1"')))).to.equal('invalidSignature digest')
    // Newer ones before older ones, each over all that was there.
    const first = enveloped()
    const second = signTemplate(first.replace('<a>', `<a>${signatureTemplate(other)}`), other)
    const third = signTemplate(second.replace('<a>', `<a>${signatureTemplate(person)}`), person)
    expect(verifyXmlSignatures(third).map(({ covers }) => covers)).to.deep.equal(['document', 'document', 'document'])
    expect(refusal(() => verifyXmlSignatures(third.replace('text', 'test')))).to.equal('invalidSignature digest')
  })

  it('verifies several signatures last in, first out', () => {
    const first = enveloped()
    const second = signTemplate(first.replace('</a>', `${signatureTemplate(other)}</a>`), other)
    expect(verdict(second)).to.equal('signatureNotParsed severalSignatures')
    const verified = verifyXmlSignatures(second)
    expect(verified.map(({ signature }) => Buffer.from(signature.signer.der))).to.deep.equal([
      person.certificate,
      other.certificate,
    ])
    expect(text(verified[0]?.signedBytes ?? Buffer.alloc(0))).to.equal('<a><b>text</b></a>')
    expect(text(verified[1]?.signedBytes ?? Buffer.alloc(0))).to.contain('SignatureValue')
    const broken = second.replace('<b>text</b>', '<b>test</b>')
    expect(refusal(() => verifyXmlSignatures(broken))).to.equal('invalidSignature digest')
  })

  it('gives text nodes of the signed bytes for a login by nonce', () => {
    const nonceIn = (content: string) => textNodes(verifyXmlDocument(enveloped({}, content)).signedBytes)
    expect(nonceIn('<n>bm9uY2U=</n>')).to.deep.equal(['bm9uY2U='])
    expect(nonceIn('<n>bm9u<?p?>Y2U=</n>')).to.deep.equal(['bm9u', 'Y2U='])
    const objects = '<ds:Object>bm9uY2U=</ds:Object>'
    expect(textNodes(verifyXmlDocument(enveloped({ objects }, '<n/>')).signedBytes)).to.deep.equal([])
  })

  describe('refuses attacks on the binding of signature and content', () => {
    it('signature wrapping: fake content in place, the signed element moved aside', () => {
      const signed = signTemplate(
        `<a><b Id="b">pay 1</b>${template({ references: [{ uri: ' URI="#b"' }] })}</a>`,
        person,
      )
      const moved = signed.replace('<b Id="b">pay 1</b>', '<b>pay 1000</b><w><b Id="b">pay 1</b></w>')
      const { covers, signedBytes } = ofPart(moved)
      expect([covers, text(signedBytes)]).to.deep.equal(['element', '<b Id="b">pay 1</b>'])
    })

    it('signature wrapping by two elements with the same identifier', () => {
      const signed = signTemplate(
        `<a><b Id="b">pay 1</b>${template({ references: [{ uri: ' URI="#b"' }] })}</a>`,
        person,
      )
      for (const attribute of ['Id', 'ID', 'id', 'xml:id']) {
        const doubled = signed.replace('<b Id', `<b ${attribute}="b">pay 1000</b><b Id`)
        expect(verdict(doubled)).to.equal('signatureNotParsed duplicateId')
      }
    })

    it('duplicate identifiers of signature elements, though no reference needs them', () => {
      const signed = enveloped({ objects: '<ds:Object Id="o"/><ds:Object Id="o"/>' })
      expect(verdict(signed)).to.equal('signatureNotParsed duplicateId')
    })

    it('fake content in an unsigned Object of the signature', () => {
      const signed = enveloped({ objects: '<ds:Object><b>fake</b></ds:Object>' })
      expect(text(verifyXmlDocument(signed).signedBytes)).to.equal('<a><b>text</b></a>')
    })

    it('fake content wrapped in another Signature element', () => {
      const references = [{ transforms: [notSignature('ds'), C14N] }]
      const fake = enveloped({ references }).replace(
        '<b>',
        `<ds:Signature xmlns:ds="${DSIG}"><b>fake</b></ds:Signature><b>`,
      )
      expect(verdict(fake)).to.equal('signatureNotParsed severalSignatures')
    })

    it('a manifest, whose own digests nobody would check', () => {
      const objects = '<ds:Object><ds:Manifest Id="m"/></ds:Object>'
      const signed = signTemplate(template({ references: [{ uri: ' URI="#m"' }], objects }), person)
      expect(verdict(signed)).to.equal('signatureNotParsed manifest')
    })

    it('a reference that nothing is signed by: only to the key', () => {
      const signed = template({ references: [{ uri: ' URI="#k"' }] }).replace('<ds:KeyInfo>', '<ds:KeyInfo Id="k">')
      expect(verdict(signTemplate(signed, person))).to.equal('signatureNotParsed documentReferenceMissing')
    })

    it('a forged digest', () => {
      const references = [{ transforms: [ENVELOPED], digestValue: Buffer.alloc(32).toString('base64') }]
      expect(verdict(enveloped({ references }))).to.equal('invalidSignature digest')
    })

    it('a digest changed after signing', () => {
      const signed = enveloped().replace(
        /<ds:DigestValue>[^<]*/,
        `<ds:DigestValue>${Buffer.alloc(32).toString('base64')}`,
      )
      expect(verdict(signed)).to.equal('invalidSignature signatureValue')
    })

    it('content or SignedInfo changed', () => {
      expect(verdict(enveloped().replace('text', 'test'))).to.equal('invalidSignature digest')
      expect(verdict(enveloped().replace('URI=""', 'URI="" Id="x"'))).to.equal('invalidSignature signatureValue')
    })
  })

  describe('refuses attacks on the structure of the signature', () => {
    const twice = (pattern: RegExp): string => enveloped().replace(pattern, '$&$&')

    it('no Signature', () => expect(verdict('<a/>')).to.equal('signatureNotParsed signatureMissing'))

    it('several Signature elements', () => {
      expect(verdict(twice(/<ds:Signature .*<\/ds:Signature>/))).to.equal('signatureNotParsed severalSignatures')
      expect(refusal(() => verifyXmlSignatures(twice(/<ds:Signature .*<\/ds:Signature>/)))).to.not.equal('accepted')
    })

    it('several SignedInfo elements, in either order', () => {
      const forged = '<ds:SignedInfo><ds:x/></ds:SignedInfo>'
      expect(verdict(twice(/<ds:SignedInfo>.*<\/ds:SignedInfo>/))).to.equal('signatureNotParsed severalSignedInfo')
      expect(verdict(enveloped().replace('<ds:SignedInfo>', `${forged}$&`))).to.equal(
        'signatureNotParsed severalSignedInfo',
      )
      expect(verdict(enveloped().replace('</ds:SignedInfo>', `$&${forged}`))).to.equal(
        'signatureNotParsed severalSignedInfo',
      )
    })

    it('SignedInfo that is not a direct child', () => {
      const wrapped = enveloped().replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/, '<ds:Object>$&</ds:Object>')
      expect(verdict(wrapped)).to.equal('signatureNotParsed signedInfoMissing')
    })

    it('several SignatureValue elements', () => {
      expect(verdict(twice(/<ds:SignatureValue>.*<\/ds:SignatureValue>/))).to.equal(
        'signatureNotParsed unexpectedElement',
      )
    })

    it('a comment inside DigestValue or SignatureValue', () => {
      for (const name of ['DigestValue', 'SignatureValue', 'X509Certificate']) {
        const split = enveloped().replace(new RegExp(`<ds:${name}>..`), '$&<!-- x -->')
        expect(verdict(split)).to.equal('signatureNotParsed valueNotText')
        const element = enveloped().replace(new RegExp(`<ds:${name}>..`), '$&<x/>')
        expect(verdict(element)).to.equal('signatureNotParsed valueNotText')
      }
    })

    it('base64 that is not strict', () => {
      for (const change of ['!', '====', 'A']) {
        const loose = enveloped().replace('</ds:SignatureValue>', `${change}</ds:SignatureValue>`)
        expect(verdict(loose)).to.equal('signatureNotParsed badBase64')
      }
    })

    it('text between elements', () => {
      expect(verdict(enveloped().replace('<ds:KeyInfo>', 'x$&'))).to.equal('signatureNotParsed unexpectedText')
    })

    it('references by the hundred', () => {
      const references = Array.from({ length: 500 }, () => ({ transforms: [ENVELOPED] }))
      const digestValue = Buffer.alloc(32).toString('base64')
      const signed = signValue(
        `<a>${template({ references: references.map((one) => ({ ...one, digestValue })) })}</a>`,
        person,
      )
      expect(verdict(signed)).to.equal('signatureNotParsed tooManyElements')
    })

    it('references that multiply a large document', () => {
      const references = Array.from({ length: 32 }, () => ({ transforms: [ENVELOPED] }))
      const content = `<b>${'x'.repeat(1_000_000)}</b>`
      const [one] = references
      const value = /<ds:DigestValue>([^<]+)/.exec(
        enveloped({ references: one === undefined ? [] : [one] }, content),
      )?.[1]
      const filled = references.map((reference) => ({ ...reference, digestValue: value ?? '' }))
      const signed = signValue(`<a>${content}${template({ references: filled })}</a>`, person)
      expect(verdict(signed)).to.equal('signatureNotParsed canonicalFormTooLarge')
    })

    it('certificates by the dozen', () => {
      const keyInfo = x509Data(...Array.from({ length: 11 }, () => authorities.person({ algorithm: 'p256' })))
      expect(verdict(enveloped({ keyInfo }))).to.equal('signatureNotParsed tooManyCertificates')
    })

    it('transforms by the dozen', () => {
      const references = [{ transforms: Array.from({ length: 12 }, () => ENVELOPED) }]
      const digestValue = Buffer.alloc(32).toString('base64')
      const bomb = template({ references: references.map((one) => ({ ...one, digestValue })) })
      expect(verdict(signValue(`<a>${bomb}</a>`, person))).to.equal('signatureNotParsed tooManyElements')
    })
  })

  describe('refuses what would reach outside or compute anything', () => {
    const withTransform = (transform: string): string => {
      const digestValue = Buffer.alloc(32).toString('base64')
      return signValue(`<a>${template({ references: [{ transforms: [transform], digestValue }] })}</a>`, person)
    }

    for (const transform of [
      '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"><x/></ds:Transform>',
      `<ds:Transform Algorithm="${XPATH}"><ds:XPath>count(//.)</ds:XPath></ds:Transform>`,
      `<ds:Transform Algorithm="${XPATH}"><ds:XPath xmlns:x="urn:x">not(ancestor-or-self::x:Signature)</ds:XPath></ds:Transform>`,
      `<ds:Transform Algorithm="${XPATH}"><ds:XPath>not(ancestor-or-self::ds:Signature) or true()</ds:XPath></ds:Transform>`,
      '<ds:Transform Algorithm="http://www.w3.org/2002/06/xmldsig-filter2"/>',
      '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#base64"/>',
      '<ds:Transform/>',
    ]) {
      it(`the transform ${transform}`, () => {
        expect(verdict(withTransform(transform))).to.equal('signatureNotParsed transformNotAllowed')
      })
    }

    for (const [uri, reason] of [
      ['http://localhost/', 'externalReference'],
      ['file:///etc/passwd', 'externalReference'],
      ['a.xml', 'externalReference'],
      ['#xpointer(//b)', 'xpointer'],
      ['#xpointer(id("a b")/c)', 'xpointer'],
      ['#', 'xpointer'],
    ] as const) {
      it(`a reference to ${uri}`, () => {
        const digestValue = Buffer.alloc(32).toString('base64')
        const escaped = uri.replaceAll('"', '&quot;')
        const signed = signValue(
          `<a>${template({ references: [{ uri: ` URI="${escaped}"`, digestValue }] })}</a>`,
          person,
        )
        expect(verdict(signed)).to.equal(`signatureNotParsed ${reason}`)
      })
    }

    it('a reference without URI, to an absent element, and to the signature itself', () => {
      const digestValue = Buffer.alloc(32).toString('base64')
      const verdictOf = (uri: string) =>
        verdict(signValue(`<a>${template({ id: 's', references: [{ uri, digestValue }] })}</a>`, person))
      expect(verdictOf('')).to.equal('signatureNotParsed referenceWithoutUri')
      expect(verdictOf(' URI="#absent"')).to.equal('invalidSignature referenceTargetMissing')
      expect(verdictOf(' URI="#s"')).to.equal('invalidSignature digest')
    })

    it('a document type, before anything else is looked at', () => {
      expect(verdict(`<!DOCTYPE a [<!ENTITY x "${'y'.repeat(100)}">]>${enveloped()}`)).to.equal(
        'signatureNotParsed doctype',
      )
    })
  })

  describe('refuses algorithms', () => {
    const methodVerdict = (method: string): string => verdict(enveloped({ method }))

    it('HMAC, truncated or not', () => {
      expect(methodVerdict(`${DSIG}hmac-sha1`)).to.equal('signatureAlgorithmNotSupported hmac')
      const truncated = enveloped({ method: 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256' }).replace(
        /(<ds:SignatureMethod [^>]*)\/>/,
        '$1><ds:HMACOutputLength>8</ds:HMACOutputLength></ds:SignatureMethod>',
      )
      expect(verdict(truncated)).to.equal('signatureAlgorithmNotSupported hmac')
    })

    it('SHA-1 and MD5, in the signature and in a digest', () => {
      expect(methodVerdict(`${DSIG}rsa-sha1`)).to.equal('algorithmNotTrusted digest')
      expect(methodVerdict('http://www.w3.org/2001/04/xmldsig-more#rsa-md5')).to.equal('algorithmNotTrusted digest')
      const weak = enveloped().replace('http://www.w3.org/2001/04/xmlenc#sha256', `${DSIG}sha1`)
      expect(verdict(weak)).to.equal('algorithmNotTrusted digest')
    })

    it('an RSA key under 2048 bits', () => {
      const weak = authorities.person({ algorithm: 'rsa1024' })
      expect(verdict(signTemplate(`<a>${signatureTemplate(weak)}</a>`, weak))).to.equal('algorithmNotTrusted keySize')
    })

    it('an unknown canonicalization, and parameters that one does not have', () => {
      const unknown = enveloped().replace(`Method Algorithm="${C14N}"`, 'Method Algorithm="urn:none"')
      expect(verdict(unknown)).to.equal('signatureAlgorithmNotSupported canonicalizationMethod')
      const parameters = enveloped().replace(
        /(<ds:CanonicalizationMethod [^>]*)\/>/,
        '$1><x/></ds:CanonicalizationMethod>',
      )
      expect(verdict(parameters)).to.equal('signatureNotParsed canonicalizationParameters')
    })

    it('parameters of RSA-PSS that nobody has, by another reason than those that are no numbers', () => {
      const pss = 'http://www.w3.org/2007/05/xmldsig-more#'
      const withParameters = (parameters: string): string =>
        verdict(
          enveloped().replace(
            /<ds:SignatureMethod [^>]*>/,
            `<ds:SignatureMethod Algorithm="${pss}rsa-pss"><p:RSAPSSParams xmlns:p="${pss}">${parameters}</p:RSAPSSParams></ds:SignatureMethod>`,
          ),
        )
      const unknown = 'signatureAlgorithmNotSupported parameters'
      expect(withParameters('<p:TrailerField>2</p:TrailerField>')).to.equal(unknown)
      expect(withParameters('<p:SaltLength>2000</p:SaltLength>')).to.equal(unknown)
      expect(withParameters('<p:SaltLength>x</p:SaltLength>')).to.equal('signatureNotParsed pssParameters')
    })

    it('a method for another kind of key', () => {
      const rsa = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
      expect(methodVerdict(rsa)).to.equal('signatureAlgorithmNotSupported keyOfAnotherKind')
    })
  })

  describe('takes the signer from certificates alone', () => {
    const certificateOf = (subject: typeof person): string => subject.certificate.toString('base64')

    it('refuses a bare key', () => {
      const keyInfo = `<ds:KeyValue><ds:ECKeyValue xmlns="http://www.w3.org/2009/xmldsig11#"/></ds:KeyValue>`
      expect(verdict(enveloped({ keyInfo }))).to.equal('badSignerCertificate certificateMissing')
    })

    it('finds the one that fits among several', () => {
      const keyInfo = `<ds:KeyName>x</ds:KeyName><ds:X509Data><ds:X509Certificate>${certificateOf(other)}</ds:X509Certificate><ds:X509Certificate>${certificateOf(person)}</ds:X509Certificate></ds:X509Data>`
      const { signature } = verifyXmlDocument(enveloped({ keyInfo }))
      expect(Buffer.from(signature.signer.der).equals(person.certificate)).to.equal(true)
      expect(signature.certificates).to.have.length(2)
    })

    it('refuses a certificate of another key, of no key, and two certificates of the same key', () => {
      const withCertificates = (...certificates: readonly string[]): string =>
        verdict(
          enveloped({
            keyInfo: `<ds:X509Data>${certificates.map((one) => `<ds:X509Certificate>${one}</ds:X509Certificate>`).join('')}</ds:X509Data>`,
          }),
        )
      expect(withCertificates(certificateOf(other))).to.equal('invalidSignature signatureValue')
      expect(withCertificates('AAAA')).to.equal('badSignerCertificate certificateNotParsed')
      const twin = authorities.person({ key: person.key })
      expect(withCertificates(certificateOf(person), certificateOf(twin))).to.equal(
        'badSignerCertificate signerAmbiguous',
      )
      expect(withCertificates(certificateOf(person), certificateOf(person))).to.equal('accepted')
    })
  })
})
