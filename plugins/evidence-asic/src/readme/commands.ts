import type { Bundle, DocumentInBundle, SignatureInBundle } from '@signed-registry/core'
import { CERTIFICATES_FILE, recordFiles, SIGNATURES_FILE } from '@signed-registry/verifier/evidence'
import { evidenceFiles, isCms, placeOf } from '../file-places.js'
import { logFilesOf } from '../log-files.js'
import { engineOf } from './engine-of.js'

/** A command of a shell: what follows the first line continues it. No text of others is ever part of one. */
export type Command = readonly string[]

/** The file that commands take the original from. */
export const originalFile = ({ package: pack }: Pick<Bundle, 'package'>, { documentId }: DocumentInBundle): string =>
  pack === undefined ? 'original.bin' : `${documentId}.bin`

/** Writes the original to its file, where it is in the bundle, whatever it is called; and hashes it. */
export function originalCommands(bundle: Bundle, document: DocumentInBundle): Command[] {
  const place = placeOf(bundle, document)
  const file = originalFile(bundle, document)
  const folder = place?.file.slice(0, place.file.lastIndexOf('/'))
  const extract =
    place === undefined
      ? []
      : place.container === undefined
        ? [[`cat ${folder}/* > ${file}`]]
        : [[`unzip -p ${place.container}`, `-x mimetype ${SIGNATURES_FILE} > ${file}`]]
  return [...extract, [`sha256sum ${file}`]]
}

/** Verifies a CMS signature over the file with the original; none where OpenSSL cannot. */
export function signerCommands(signature: SignatureInBundle, file: string): Command[] {
  const engine = engineOf(signature)
  if (engine === 'none') return []
  const { signId, coverage } = signature
  const signer = `signer-${signId}.pem`
  const part = coverage?.of === 'ranges' ? `ranges-${signId}.bin` : file
  const out = coverage?.of === 'references' ? `manifest-${signId}.xml` : 'checked.bin'
  return [
    ...(coverage?.of === 'ranges' ? [rangesCommand(coverage.ranges, file, part)] : []),
    [
      `openssl cms -verify -binary -inform DER -in ${evidenceFiles(signature).signature}`,
      `${coverage?.of === 'references' ? '' : `-content ${part} `}-certfile ${CERTIFICATES_FILE} -CAfile ca.pem`,
      `-purpose any -attime ${secondsOf(signature)} -signer ${signer}${engine === 'gost' ? ' -engine gost' : ''}`,
      `-out ${out}`,
    ],
    ...(coverage?.of === 'references' ? [[`cat ${out}`], [`openssl dgst -sha256 -binary ${file} | base64`]] : []),
    [`openssl x509 -in ${signer} -noout -subject -serial`],
  ]
}

/** Cuts what a signature is over out of the file with the original. */
const rangesCommand = (ranges: readonly (readonly [number, number])[], file: string, part: string): Command => [
  '{',
  ...ranges.map(([from, to]) => `tail -c +${from + 1} ${file} | head -c ${to - from};`),
  `} > ${part}`,
]

/** Verifies the time stamp, prints its time, and looks for what it is over in the signature. */
export function timeCommands(signature: SignatureInBundle): Command[] {
  const { signature: signed, timeStamp, stamped } = evidenceFiles(signature)
  const hex = (file: string) => `od -An -v -tx1 ${file} | tr -d ' \\n'`
  return [
    [
      `openssl ts -verify -token_in -in ${timeStamp} -data ${stamped}`,
      `-CAfile ca.pem -untrusted ${CERTIFICATES_FILE} -attime ${secondsOf(signature)}`,
    ],
    [`openssl ts -reply -token_in -in ${timeStamp} -text`],
    ...(isCms(signature) ? [[`${hex(signed)} |`, `grep -c "$(${hex(stamped)})"`]] : []),
  ]
}

/** Verifies and prints what the authority said of the certificate. */
export function statusCommands(signature: SignatureInBundle): Command[] {
  const { ocsp, crls } = evidenceFiles(signature)
  return [
    ...(ocsp === undefined
      ? []
      : [
          [
            `openssl ocsp -respin ${ocsp} -resp_text`,
            `-CAfile ca.pem -verify_other ${CERTIFICATES_FILE} -attime ${secondsOf(signature)}`,
          ],
        ]),
    ...crls.map((crl) => [`openssl crl -inform DER -in ${crl} -CAfile ca.pem -noout -text`]),
  ]
}

/** Verifies the time stamp over the checkpoint that has a signature, prints its time, what was logged, and the hash that is in it. */
export function logCommands(bundle: Bundle, signature: SignatureInBundle): Command[] {
  const files = logFilesOf(bundle)
  const log = files.signature(signature)
  if (signature.log?.state !== 'logged' || log?.state !== 'logged') return []
  const { note, stamp } = log.checkpoint
  const { stampedAt } = signature.log.checkpoint
  return [
    ...(stamp === undefined || stampedAt === undefined
      ? []
      : [
          [
            `openssl ts -verify -token_in -in ${stamp}`,
            `-data ${note}`,
            `-CAfile ca.pem -untrusted ${CERTIFICATES_FILE} -attime ${Math.floor(stampedAt / 1000)}`,
          ],
          [`openssl ts -reply -token_in -in ${stamp} -text`],
        ]),
    [`sed -n 's/^extra //p' ${log.proof} |`, 'base64 -d | tail -c +33'],
    [`sha256sum ${log.received ?? evidenceFiles(signature).signature}`],
  ]
}

/** Judges the evidence record about a signature, by our own program: none of those that the others need reads records. */
export function recordCommands({ signId, record }: SignatureInBundle): Command[] {
  if (record === undefined) return []
  const files = recordFiles(signId)
  return [[`signed-registry verify ${files.object} ${files.record} --trust ca.pem`]]
}

const secondsOf = ({ stampedAt }: SignatureInBundle): number => Math.floor(stampedAt / 1000)
