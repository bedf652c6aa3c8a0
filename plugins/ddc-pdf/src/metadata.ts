import { createHash } from 'node:crypto'
import { type PDFDocument, PDFHexString, PDFName } from 'pdf-lib'
import type { DrawnCard } from './job.js'
import { plain } from './said.js'
import { srgbProfile } from './srgb-profile.js'

const MAKER = 'Signed Document Registry'

/** Writes the document information, XMP metadata, and the colours of the card. */
export function describe(pdf: PDFDocument, card: DrawnCard, at: Date): void {
  const { context, catalog } = pdf
  const { title, heading } = card.information
  pdf.setTitle(title, { showInWindowTitleBar: true })
  pdf.setSubject(plain(heading))
  pdf.setProducer(MAKER)
  pdf.setCreator(MAKER)
  pdf.setCreationDate(at)
  pdf.setModificationDate(at)
  pdf.setLanguage(card.language)
  catalog.set(PDFName.of('PageMode'), PDFName.of('UseAttachments'))
  const moment = at.toISOString()
  // PDF dates have whole seconds, and the two have to agree.
  const metadata = context.stream(xmp(card, moment.replace(/\.\d+Z$/, 'Z')), { Type: 'Metadata', Subtype: 'XML' })
  catalog.set(PDFName.of('Metadata'), context.register(metadata))
  const profile = context.register(context.flateStream(srgbProfile(), { N: 3 }))
  const intent = { Type: 'OutputIntent', S: 'GTS_PDFA1', DestOutputProfile: profile }
  const named = { OutputConditionIdentifier: PDFHexString.fromText('sRGB'), Info: PDFHexString.fromText('sRGB') }
  catalog.set(PDFName.of('OutputIntents'), context.obj([{ ...intent, ...named }]))
  const hash = createHash('sha256').update(card.original.bytes).update(moment)
  for (const { file } of card.signatures) hash.update(file.bytes)
  const id = PDFHexString.of(hash.digest('hex').slice(0, 32))
  context.trailerInfo.ID = context.obj([id, id])
}

const xmp = (card: DrawnCard, moment: string) => {
  const { title, heading } = card.information
  const inDefault = (text: string) => `<rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt>`
  return Buffer.from(`<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:title>${inDefault(title)}</dc:title><dc:description>${inDefault(plain(heading))}</dc:description>
<dc:language><rdf:Bag><rdf:li>${card.language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>${MAKER}</xmp:CreatorTool><pdf:Producer>${MAKER}</pdf:Producer>
<xmp:CreateDate>${moment}</xmp:CreateDate><xmp:ModifyDate>${moment}</xmp:ModifyDate>
</rdf:Description>${card.pages === undefined ? STANDARDS : ''}</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`)
}

/**
 * PDF/A-3b and PDF/UA-1 (docs/cards.md, "Standards"): claimed only where all pages are ours. PDF/A wants the schema of PDF/UA's
 * property to be described.
 */
const STANDARDS = `
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance><pdfuaid:part>1</pdfuaid:part>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of PDF/UA</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`

/** Escaped text for XML 1.0, without the characters that XML forbids. */
const escaped = (text: string) =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)
