import type { Bundle, DocumentInBundle, SignatureInBundle } from '@signed-registry/core'
import { recordFiles } from '@signed-registry/verifier/evidence'
import { isCms } from '../file-places.js'
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
import { command, heading, oneLine, paragraph, quoted } from './layout.js'
import type { Meaning, ReadmeWords } from './words.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** The signature whose commands are explained, and its document. */
export interface Example {
  readonly document: DocumentInBundle
  readonly signature: SignatureInBundle | undefined
}

/** What a bundle is and proves, in one language, with the commands of one signature. */
export function explained(words: ReadmeWords, bundle: Bundle, example: Example): string[] {
  const { documents, registry } = bundle
  const { before, programs } = words
  const { signature } = example
  const isSingle = documents.length === 1 && documents[0]?.signatures.length === 1
  return [
    ...heading(words.title),
    ...text(words.about),
    ...heading(words.signed.title),
    ...signedThings(words, bundle),
    ...heading(before.title),
    ...text(
      before.unpack,
      before.trust,
      ...(signature === undefined || isSingle ? [] : [before.others(signature.signId)]),
    ),
    ...originalStep(words, bundle, example.document),
    ...(signature === undefined ? [] : signatureSteps(words, signature, originalFile(bundle, example.document))),
    ...heading(`5. ${programs.title}`),
    ...text(programs.ours),
    ...command(['signed-registry verify FILE --trust ca.pem']),
    '',
    ...text(programs.page, ...foreign(words, documents), ...meant(words, programs)),
    ...heading(`6. ${words.registry.title}`),
    ...text(words.registry.says(registry.statementKey)),
    ...text(`${words.proves} ${words.registry.proves}`),
    ...text(`${words.provesNot} ${words.registry.provesNot(oneLine(registry.origin))}`),
    ...(signature?.log === undefined ? [] : logStep(words, bundle, signature)),
    ...(signature?.record === undefined ? [] : recordStep(words, signature)),
    ...heading(words.limits.title),
    ...text(...words.limits.all),
    '',
  ]
}

function signedThings({ signed }: ReadmeWords, { package: pack, documents }: Bundle): string[] {
  return [
    ...(pack === undefined ? [] : [...quoted(`${signed.package} "${oneLine(pack.title)}" (${pack.packageId})`), '']),
    ...documents.flatMap(({ documentId, title, digests, signatures }) => [
      ...quoted(`${signed.document} "${oneLine(title)}" (${documentId})`),
      `SHA-256: ${hex(digests.get(SHA_256))}`,
      ...(signatures.length === 0 ? [signed.nobody] : []),
      ...signatures.flatMap(({ signId, signer, stampedAt }) =>
        quoted(`№ ${signId}: ${oneLine(signer)}, ${utc(stampedAt)}`, '  '),
      ),
      '',
    ]),
  ]
}

function originalStep(words: ReadmeWords, bundle: Bundle, document: DocumentInBundle): string[] {
  const { original } = words
  const file = originalFile(bundle, document)
  return [
    ...heading(`1. ${original.title}`),
    ...text(document.original === undefined ? original.beside(file) : original.inside(file)),
    ...printed(originalCommands(bundle, document)),
    ...paragraph(original.expected),
    `  ${hex(document.digests.get(SHA_256))}`,
    '',
    ...text(...meant(words, original)),
  ]
}

function signatureSteps(words: ReadmeWords, signature: SignatureInBundle, file: string): string[] {
  const { signer, time, status } = words
  const engine = engineOf(signature)
  const unable = whyUnable(words, signature)
  const told = signature.ocsp === undefined ? status.crl : status.ocsp
  return [
    ...heading(`2. ${signer.title}`),
    ...(unable === undefined
      ? [
          ...(engine === 'gost' ? text(signer.engine) : []),
          ...(signature.coverage === undefined ? [] : text(signer.covered[signature.coverage.of])),
          ...printed(signerCommands(signature, file)),
          ...text(signer.expected, ...meant(words, signer)),
        ]
      : text(unable)),
    ...heading(`3. ${time.title}`),
    ...printed(timeCommands(signature)),
    ...text(
      isCms(signature) ? `${time.expected} ${time.same(`tst/${signature.signId}.bin`)}` : time.expected,
      ...meant(words, time),
    ),
    ...heading(`4. ${status.title}`),
    ...printed(statusCommands(signature)),
    ...text(told.expected, ...meant(words, told), ...(engine === 'none' ? [status.national] : [])),
  ]
}

/** What the transparency log proves of a signature, or why there is no proof. */
function logStep({ log, ...words }: ReadmeWords, bundle: Bundle, signature: SignatureInBundle): string[] {
  const found = signature.log
  if (found === undefined) return []
  const title = heading(`7. ${log.title}`)
  if (found.state !== 'logged') return [...title, ...text(log.unproved[found.state])]
  return [
    ...title,
    ...printed(logCommands(bundle, signature)),
    ...text(found.checkpoint.stamp === undefined ? log.unstamped : log.expected, log.whole),
    ...command(['signed-registry verify FILE --trust ca.pem --policy policy.txt']),
    '',
    ...text(...meant(words, log)),
  ]
}

/** What the evidence record about a signature proves. */
function recordStep({ record, ...words }: ReadmeWords, signature: SignatureInBundle): string[] {
  const files = recordFiles(signature.signId)
  return [
    ...heading(`${signature.log === undefined ? 7 : 8}. ${record.title}`),
    ...text(record.files(files.object, files.record)),
    ...printed(recordCommands(signature)),
    ...text(record.expected, ...meant(words, record)),
  ]
}

/** Why OpenSSL does not verify a signature, if it does not. */
export function whyUnable({ signer }: ReadmeWords, signature: SignatureInBundle): string | undefined {
  if (!isCms(signature)) return signer.xml(signature.signId)
  return engineOf(signature) === 'none' ? signer.national(signature.signId) : undefined
}

/** What programs of others read. */
function foreign({ programs }: ReadmeWords, documents: readonly DocumentInBundle[]): string[] {
  const withCms = documents.filter(({ signatures }) => signatures.some(isCms))
  if (withCms.length === 0) return []
  const containers = withCms.some(({ original }) => original !== undefined) ? [programs.containers] : []
  return [[...containers, programs.signatures, programs.readBy].join(' ')]
}

const meant = (
  { proves, provesNot }: Pick<ReadmeWords, 'proves' | 'provesNot'>,
  meaning: Pick<Meaning, 'proves' | 'provesNot'>,
): string[] => [`${proves} ${meaning.proves}`, `${provesNot} ${meaning.provesNot}`]

const text = (...paragraphs: readonly string[]): string[] => paragraphs.flatMap((one) => [...paragraph(one), ''])

const printed = (commands: readonly Command[]): string[] => commands.flatMap((one) => [...command(one), ''])

const hex = (hash: Uint8Array | undefined): string => Buffer.from(hash ?? []).toString('hex')

/** A moment to the second, as `genTime` of a time stamp is read. */
const utc = (moment: number): string => `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`
