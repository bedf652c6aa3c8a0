import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgramSync } from '../run-program.js'
import { type Sign, signedPdf } from './sign-pdf.js'

/** What is made with a PDF in a file. */
export function withPdf<T>(pdf: Uint8Array, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'pdf-'))
  try {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, pdf)
    return use(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a program of others says of a PDF. */
export const said = (pdf: Uint8Array, program: string, ...words: readonly string[]) =>
  withPdf(pdf, (path) => {
    const { status, stdout, stderr } = runProgramSync(program, [...words, path])
    return { status, text: stdout.toString(), errors: stderr }
  })

/** The first signature in a PDF that some other program wrote: qpdf says which objects there are. */
export function signedForeign(pdf: Buffer, sign: Sign): Buffer {
  const shown = (object: string) => said(pdf, 'qpdf', `--show-object=${object}`).text
  const trailer = shown('trailer')
  const numberIn = (text: string, key: string) => Number(new RegExp(`/${key} (\\d+) `).exec(text)?.[1])
  const root = numberIn(trailer, 'Root')
  const page = Number(/page 1: (\d+) /.exec(said(pdf, 'qpdf', '--show-pages').text)?.[1])
  const number = numberIn(trailer, 'Size') + 10
  const more = (object: number, entries: string) => shown(`${object}`).trim().replace(/>>$/, `${entries} >>`)
  return signedPdf(pdf, {
    ...{ sign, number, root, form: /\/Type ?\/XRef/.test(pdf.toString('latin1')) ? 'stream' : 'table' },
    objects: {
      [root]: more(root, `/AcroForm << /Fields [ ${number + 1} 0 R ] /SigFlags 3 >>`),
      [page]: more(page, `/Annots [ ${number + 1} 0 R ]`),
    },
    field: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Foreign)/V ${number} 0 R/Rect[0 0 0 0]/P ${page} 0 R/F 132>>`,
  })
}
