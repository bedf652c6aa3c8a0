import { createHash } from 'node:crypto'
import {
  type Card,
  CardBuilder,
  CardComparer,
  CardError,
  type CardLanguage,
  CardParser,
  createRegistry,
  type Registry,
} from '@signed-registry/core'

import type { Signature } from '@signed-registry/core/signatures'
import { type DdcPdfOptions, ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { openSqlite } from '../../support/databases.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'

/** A builder and a parser, with the options of a test. */
export async function openCards(options: DdcPdfOptions = {}): Promise<{
  builder: CardBuilder
  parser: CardParser
  comparer: CardComparer
  close(): Promise<void>
}> {
  const plugins = [devAuthorities({ authorities: testAuthorities() }), ddcPdf(options)]
  const registry: Registry = await createRegistry({ database: await openSqlite(), plugins })
  return {
    builder: registry.get(CardBuilder),
    parser: registry.get(CardParser),
    comparer: registry.get(CardComparer),
    close: () => registry.close(),
  }
}

/** Why it failed; `none` when it did not. */
export const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof CardError ? error.fault : String(error)),
  )

/** A PDF of so many pages, each with its number. */
export async function numberedPdf(pages: number, size: [number, number] = [595, 842]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let n = 1; n <= pages; n++) pdf.addPage(size).drawText(`page-${n}`, { x: 50, y: 50, font, size: 24 })
  return pdf.save()
}

const certificate = {
  signAlgorithm: '1.2.398.3.10.1.1.2.3.2',
  certSignAlgorithm: '1.2.840.113549.1.1.11',
  serialNumber: '1a9d886d5f27977d06ec7d8b44aa50bdeb436634',
  from: NOW - 1e10,
  until: NOW + 1e10,
  subject: 'CN=ҚЫДЫРБАЕВА ӘЛИЯ,SERIALNUMBER=IIN123456789011',
  subjectStructure: [[{ oid: '2.5.4.3', name: 'CN', valueInB64: false, value: 'ҚЫДЫРБАЕВА ӘЛИЯ' }]],
  issuer: 'CN=ҰЛТТЫҚ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ',
  issuerStructure: [],
  policyIds: ['1.2.398.3.3.2.3'],
  keyUsages: ['digitalSignature', 'nonRepudiation'],
  extKeyUsages: ['1.3.6.1.5.5.7.3.4', '1.2.398.3.3.4.1.1'],
}

const signatureFacts = (signId: number, changes: Partial<Signature>): Signature => ({
  ...certificate,
  userId: 'IIN123456789011',
  signId,
  signType: 'cms',
  storedAt: NOW,
  tsp: { ...certificate, timeStamp: NOW + signId, timeStampPolicy: '1.2.398.3.3.2.6.4' },
  ocsp: { ...certificate, producedAt: NOW, thisUpdate: NOW, certStatus: 'good' },
  ...changes,
})

/** A CMS for a card: octets that do not compress, the same for the same number. */
export const fakeCms = (n: number, size = 3000): Buffer => {
  const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, at) =>
    createHash('sha256').update(`${n} ${at}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, size)
}

/** A card with everything on it. */
export const cardOf = (
  original: Uint8Array,
  signatures: number,
  changes: Partial<Card> = {},
  facts: Partial<Signature> = {},
): Card => ({
  documentId: 'lQsqLBaS4nQAIIMm',
  title: 'Шарт № 5.pdf',
  description: 'Жеткізу шарты',
  fileName: 'Шарт № 5.pdf',
  original,
  digests: new Map([['2.16.840.1.101.3.4.2.1', createHash('sha256').update(original).digest()]]),
  signatures: Array.from({ length: signatures }, (_, n) => ({
    signature: signatureFacts(n + 1, facts),
    cms: fakeCms(n + 1),
  })),
  languages: ['ru'] satisfies CardLanguage[],
  builtAt: NOW,
  link: 'https://registry.example.kz/d/lQsqLBaS4nQAIIMm',
  maker: { service: 'registry.example.kz' },
  showsOriginal: true,
  showsSignatures: true,
  showsCodes: true,
  showsId: true,
  linksId: false,
  saysVerified: false,
  ...changes,
})
