import { PDFDocument } from 'pdf-lib'
import { attach } from '#ddc-pdf/attachments.js'

/** A card of one empty page that holds these files, in their order. */
export async function attachedTo(files: readonly { name: string; bytes: Uint8Array }[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  const attached = files.map(({ name, bytes }) => ({ name, bytes, note: '', mime: 'application/octet-stream' }))
  attach(pdf, attached, new Date(0))
  return pdf.save()
}
