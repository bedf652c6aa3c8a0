import type { SignerVerdict } from '../verdict.js'
import { RULES_VERSION } from '../version.js'
import { base64, digestAlgAndValue, type EtsiObjects, reference } from './etsi-objects.js'
import { element, type Markup } from './markup.js'
import { calledName } from './names.js'
import type { SignatureReport } from './signature-report.js'
import { utc } from './utc.js'

const INDICATIONS: Readonly<Record<SignerVerdict['indication'], string>> = {
  'TOTAL-PASSED': 'total-passed',
  'TOTAL-FAILED': 'total-failed',
  INDETERMINATE: 'indeterminate',
  // The standard has no word for what a validator does not judge.
  unsupported: 'indeterminate',
}

/** Data under names of our own, each as often as there is something to say. */
export type NamedData = readonly (readonly [name: string, value: string | undefined])[]

/** A signature as it is to be reported. */
export interface EtsiSignature {
  readonly id: string
  readonly verdict: SignerVerdict
  readonly report: SignatureReport
  /** The moment of judging, milliseconds since the epoch. */
  readonly at: number
  /** What is said of all signatures together. */
  readonly common: NamedData
  readonly objects: EtsiObjects
}

/** One signature, as TS 119 102-2 clause 4.3 has it, in the order of its schema. */
export const etsiSignature = ({ id, verdict, report, at, common, objects }: EtsiSignature): Markup =>
  element(
    'vr:SignatureValidationReport',
    {},
    identifier(id, verdict),
    timeInfo(verdict, at, objects),
    signersDocument(verdict, objects),
    attributes(verdict, objects),
    signerInformation(verdict, objects),
    process(verdict),
    status(verdict, [...ownData(report), ...common], objects),
  )

const identifier = (id: string, { signature, document }: SignerVerdict): Markup =>
  element(
    'vr:SignatureIdentifier',
    { id },
    signature && element('ds:SignatureValue', {}, base64(signature.signatureValue)),
    element('vr:HashOnly', {}, 'false'),
    element('vr:DocHashOnly', {}, String(document !== 'carried')),
  )

function timeInfo({ proof, existedAt }: SignerVerdict, at: number, objects: EtsiObjects): Markup {
  const stamp = proof?.timeStamp
  return element(
    'vr:ValidationTimeInfo',
    {},
    element('vr:ValidationTime', {}, utc(at)),
    element(
      'vr:BestSignatureTime',
      {},
      element('vr:POETime', {}, utc(stamp?.genTime ?? existedAt?.time ?? at)),
      element('vr:TypeOfProof', {}, 'urn:etsi:019102:poetype:validation'),
      stamp && reference('vr:POEObject', objects.timeStamp(stamp.token, stamp.genTime)),
    ),
  )
}

/** The standard names one document; references of an XML signature to several are in the JSON report. */
function signersDocument({ signature }: SignerVerdict, objects: EtsiObjects): Markup | undefined {
  const [digest] = signature?.digests ?? []
  return (
    digest &&
    element(
      'vr:SignersDocument',
      {},
      digestAlgAndValue(digest.oid, digest.value),
      reference('vr:SignersDocumentRepresentation', objects.signedData(digest.oid, digest.value)),
    )
  )
}

function attributes({ proof }: SignerVerdict, objects: EtsiObjects): Markup | undefined {
  const stamp = proof?.timeStamp
  return (
    stamp &&
    element(
      'vr:SignatureAttributes',
      {},
      element(
        'vr:SignatureTimeStamp',
        { Signed: 'false' },
        reference('vr:AttributeObject', objects.timeStamp(stamp.token, stamp.genTime)),
        element('vr:TimeStampValue', {}, utc(stamp.genTime)),
      ),
    )
  )
}

const signerInformation = ({ signature }: SignerVerdict, objects: EtsiObjects): Markup | undefined =>
  signature &&
  element(
    'vr:SignerInformation',
    {},
    reference('vr:SignerCertificate', objects.certificate(signature.signer)),
    element('vr:Signer', {}, calledName(signature.signer.subject)),
  )

const process = ({ proof }: SignerVerdict): Markup =>
  element(
    'vr:SignatureValidationProcess',
    {},
    element(
      'vr:SignatureValidationProcessID',
      {},
      `urn:etsi:019102:validationprocess:${proof?.timeStamp === undefined ? 'Basic' : 'LTVM'}`,
    ),
    element('vr:SignatureValidationServicePolicy', {}, RULES_VERSION),
  )

function status(verdict: SignerVerdict, data: NamedData, objects: EtsiObjects): Markup {
  const { indication, subIndication } = verdict
  const sub = subIndication ?? (indication === 'unsupported' ? 'GENERIC' : undefined)
  return element(
    'vr:SignatureValidationStatus',
    {},
    element('vr:MainIndication', {}, `urn:etsi:019102:mainindication:${INDICATIONS[indication]}`),
    sub && element('vr:SubIndication', {}, `urn:etsi:019102:subindication:${sub}`),
    element(
      'vr:AssociatedValidationReportData',
      {},
      certificateChain(verdict, objects),
      evidence(verdict, objects).map((id) => reference('vr:RelatedValidationObject', id)),
      reportData(data),
    ),
  )
}

function certificateChain({ proof }: SignerVerdict, objects: EtsiObjects): Markup[] {
  if (proof === undefined) return []
  const ids = proof.path.certificates.map((one) => objects.certificate(one))
  const [signer = '', ...above] = ids
  const anchor = above.at(-1)
  return [
    ...(anchor === undefined ? [] : [reference('vr:TrustAnchor', anchor)]),
    element(
      'vr:CertificateChain',
      {},
      reference('vr:SigningCertificate', signer),
      above.slice(0, -1).map((id) => reference('vr:IntermediateCertificate', id)),
      anchor && reference('vr:TrustAnchor', anchor),
    ),
  ]
}

/** Everything else that the verdict rests on: time stamp and its path, what says that the certificate was good. */
function evidence({ proof }: SignerVerdict, objects: EtsiObjects): string[] {
  if (proof === undefined) return []
  const { timeStamp, status: answer, crlProof } = proof
  return [
    ...(timeStamp ? [objects.timeStamp(timeStamp.token, timeStamp.genTime)] : []),
    ...(timeStamp?.path.certificates ?? []).map((one) => objects.certificate(one)),
    ...(answer ? [objects.ocspAnswer(answer.response), objects.certificate(answer.responder)] : []),
    ...(crlProof?.crls ?? []).map((one) => objects.crl(one)),
    ...(crlProof?.signers ?? []).map((one) => objects.certificate(one)),
  ]
}

/** What the standard has no element for, under names of our own, in words. */
function ownData(report: SignatureReport): NamedData {
  const { file, over, says, next, coverage, unsupported, missing, unasked, unused, refusal } = report
  return [
    ['file', file],
    ['over', over],
    ['says', says],
    ['next', next],
    ['unsupported', unsupported?.feature],
    ['refusal', refusal && `${refusal.code} ${String(refusal.details.reason ?? '')}`.trim()],
    ...(coverage?.of === 'references' ? coverage.uris : []).map((uri) => ['signedURI', uri] as const),
    ...(coverage?.of === 'ranges' ? coverage.ranges : []).map((range) => ['signedBytes', range.join('-')] as const),
    ...missing.map((one) => ['missing', one] as const),
    ...unasked.map(({ subject, serialNumber }) => ['unasked', `${subject}; ${serialNumber}`] as const),
    ...unused.map(({ kind, reason, time = '' }) => ['unused', `${kind} ${reason} ${time}`.trim()] as const),
    ...report.ignoredAttributes.map((oid) => ['ignoredAttribute', oid] as const),
    ...report.checks.map(
      ({ check, outcome, reason, at, subject }) =>
        ['check', [check, outcome, ...(reason === undefined ? [] : [reason]), at, subject].join(' ')] as const,
    ),
  ]
}

/** Named data of our own (clause 4.3.12.8). */
export const reportData = (data: NamedData): Markup =>
  element(
    'vr:AdditionalValidationReportData',
    {},
    data.flatMap(([name, value]) =>
      value === undefined
        ? []
        : [
            element(
              'vr:ReportData',
              {},
              element('vr:Type', {}, `signed-registry/report/v2#${name}`),
              element('vr:Value', {}, value),
            ),
          ],
    ),
  )
