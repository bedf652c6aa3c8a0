import type { Bundle, DocumentInBundle, SignatureInBundle } from '@signed-registry/core'
import {
  type Command,
  logCommands,
  originalCommands,
  originalFile,
  recordCommands,
  signerCommands,
  statusCommands,
  timeCommands,
} from './commands.js'
import { engineOf } from './engine-of.js'
import { banner, command, oneLine, paragraph, quoted } from './layout.js'
import { type Example, explained, whyUnable } from './section.js'
import { en } from './words-en.js'
import { kk } from './words-kk.js'
import { ru } from './words-ru.js'

const LANGUAGES = [kk, ru, en]

/** Text of `README.txt`: what a bundle proves, and the commands that prove it, in each language. UTF-8, lines end with LF. */
export function readmeText(bundle: Bundle): string {
  const example = exampleOf(bundle)
  const lines = [
    LANGUAGES.map(({ language }) => language).join(' / '),
    '',
    ...LANGUAGES.flatMap((words) => [...banner(words.language), ...explained(words, bundle, example)]),
    ...others(bundle, example),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** The first signature that OpenSSL verifies, else the first. */
function exampleOf({ documents: [first, ...more] }: Bundle): Example {
  if (first === undefined) throw new TypeError('A bundle has a document')
  const all = [first, ...more].flatMap((document) => document.signatures.map((signature) => ({ document, signature })))
  return (
    all.find(({ signature }) => engineOf(signature) !== 'none') ?? all[0] ?? { document: first, signature: undefined }
  )
}

/** Commands of all signatures but the one that is explained, and of the documents that they are over. */
function others(bundle: Bundle, example: Example): string[] {
  const lines = bundle.documents.flatMap((document) => [
    ...(document === example.document ? [] : documentLines(bundle, document)),
    ...document.signatures
      .filter((one) => one !== example.signature)
      .flatMap((one) => signatureLines(bundle, one, originalFile(bundle, document))),
  ])
  return lines.length === 0 ? [] : [...banner(LANGUAGES.map(({ before }) => before.rest).join(' / ')), ...lines]
}

function documentLines(bundle: Bundle, document: DocumentInBundle): string[] {
  const { documentId, title } = document
  return [...quoted(oneLine(`${documentId} "${title}"`)), ...printed(originalCommands(bundle, document))]
}

function signatureLines(bundle: Bundle, signature: SignatureInBundle, file: string): string[] {
  const commands = [
    ...signerCommands(signature, file),
    ...timeCommands(signature),
    ...statusCommands(signature),
    ...logCommands(bundle, signature),
    ...recordCommands(signature),
  ]
  const { log, coverage } = signature
  const unable = LANGUAGES.flatMap((words) => [
    ...[whyUnable(words, signature) ?? (coverage === undefined ? [] : words.signer.covered[coverage.of])].flat(),
    ...(log === undefined || log.state === 'logged' ? [] : [words.log.unproved[log.state]]),
  ])
  return [`№ ${signature.signId}`, ...unable.flatMap((one) => paragraph(one)), ...printed(commands)]
}

const printed = (commands: readonly Command[]): string[] => [...commands.flatMap(command), '']
