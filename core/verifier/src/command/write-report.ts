import { writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type FilesVerdict, type ReportOptions, reportHtml, reportJson, reportOf, reportXml } from '../index.js'
import { UsageError } from './console.js'

type Write = (verdict: FilesVerdict, about: ReportOptions, more: object | undefined) => string

const WRITERS: Readonly<Record<string, Write>> = {
  '.html': (verdict, about) => reportHtml(reportOf(verdict, about)),
  '.json': (verdict, about, more) => reportJson({ ...reportOf(verdict, about), ...more }),
  '.xml': reportXml,
}

/** Refuses a file name that does not say which kind of report is meant. */
export function refuseReport(path: string): void {
  if (writerFor(path) === undefined)
    throw new UsageError(`--report takes a file that ends in .html, .json or .xml, not ${path}`)
}

/** Writes a report, of the kind that its name says, over what is there; JSON has `more` besides. */
export function writeReport(path: string, verdict: FilesVerdict, about: ReportOptions, more?: object): void {
  const write = writerFor(path)
  if (write === undefined) return
  try {
    writeFileSync(path, write(verdict, about, more))
  } catch (cause) {
    throw new Error(`${path} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

const writerFor = (path: string): Write | undefined => WRITERS[extname(path).toLowerCase()]
