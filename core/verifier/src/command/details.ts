import { calledName, type FilesVerdict, utc } from '../index.js'
import { COLUMNS, plain, wrap } from './columns.js'

type Judged = FilesVerdict['signatures'][number]

const INDENT = '  '

/** Everything that was looked at for one signature, for whoever asks. */
export function detailLines({ signature, proof, checks, refusal, unasked, unused, ...verdict }: Judged): string[] {
  const { indication, subIndication, conclusion, document } = verdict
  const { checks: _, ...facts } = refusal?.details ?? {}
  return [
    `indication ${indication}${subIndication === undefined ? '' : ` (${subIndication})`}, ${conclusion}, ${document}`,
    ...(refusal === undefined ? [] : [`refused: ${refusal.message} (${refusal.code}) ${JSON.stringify(facts)}`]),
    ...(signature === undefined
      ? []
      : [
          `subject ${signature.signer.subject}`,
          `serial number ${signature.signer.serialNumber}, SHA-256 ${signature.signer.fingerprint}`,
          ...signature.digests.map(({ oid, value }) => `signed hash ${oid} ${Buffer.from(value).toString('hex')}`),
          ...(signature.ignoredAttributes ?? []).map((oid) => `ignored attribute ${oid}`),
        ]),
    ...(proof?.timeStamp
      ? [
          `time stamp ${utc(proof.timeStamp.genTime)}, serial number ${proof.timeStamp.info.serialNumber}, policy ${proof.timeStamp.policy}`,
        ]
      : []),
    ...(proof?.path.certificates ?? []).map(
      (one) => `path ${calledName(one.subject)}, serial number ${one.serialNumber}, SHA-256 ${one.fingerprint}`,
    ),
    ...unasked.map(
      ({ subject, serialNumber }) => `not checked for revocation: ${subject}, serial number ${serialNumber}`,
    ),
    ...unused.map(
      ({ kind, reason, time }) =>
        `not taken into account ${kind}: ${reason}${time === undefined ? '' : `, ${utc(time)}`}`,
    ),
    ...checks.map(
      ({ check, outcome, reason, at, subject }) =>
        `${outcome} ${check}${reason === undefined ? '' : ` (${reason})`} at ${utc(at)}: ${subject}`,
    ),
  ].flatMap((line) =>
    wrap(plain(line), COLUMNS - 2 * INDENT.length).map((one, index) => `${INDENT}${index > 0 ? INDENT : ''}${one}`),
  )
}
