import { type FilesVerdict, type VerifyOptions, verifyFiles } from '../index.js'
import { filesText } from './files-text.js'
import type { GivenFile } from './given-file.js'
import { joinedVerdict, signedFileReports } from './signed-file-report.js'
import { lookInto } from './signed-files.js'
import { type Input, sortFiles } from './sort-files.js'

/** Files that were judged, and what may be told of them. */
export interface JudgedFiles {
  readonly verdict: FilesVerdict
  inputs(): readonly Input[]
  text(): string
  /** What stands in the report for programs beside what every report has. */
  more?(): object
}

/**
 * Judges signatures and documents, and PDFs and containers by the signatures inside. One that a given signature is over is a
 * document as any other: all of its octets are signed.
 */
export async function judgeFiles(
  given: readonly GivenFile[],
  options: VerifyOptions,
  details: boolean,
): Promise<JudgedFiles> {
  const files = await sortFiles(given, options.trust)
  const rules = { ...options, at: Date.now() }
  const first = verifyFiles(files, { ...rules, resolve: files.resolve })
  const free = new Set(first.documents.flatMap(({ name, signed }) => (signed === 'nothing' ? [name] : [])))
  const looked = await lookInto(
    given.filter(({ name, looks }) => looks === 'pdfOrZip' && free.has(name)),
    rules,
  )
  const own = new Set(looked.signed.map(({ name }) => name))
  const documents = files.documents.filter(({ name }) => !own.has(name))
  const others =
    own.size === 0
      ? first
      : verifyFiles({ signatures: files.signatures, documents }, { ...rules, resolve: files.resolve })
  const verdict = joinedVerdict(others, looked.signed)
  return {
    verdict,
    inputs: () => files.inputs,
    text: () => filesText({ others, looked, outcome: verdict.outcome }, details),
    ...(own.size > 0 && { more: () => ({ signedFiles: signedFileReports(looked.signed) }) }),
  }
}
