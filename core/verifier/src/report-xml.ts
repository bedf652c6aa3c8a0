import type { EvidenceVerdict } from './evidence/verify-evidence.js'
import { EtsiObjects } from './report/etsi-objects.js'
import { etsiSignature, type NamedData, reportData } from './report/etsi-signature.js'
import { bundleData, logData } from './report/evidence/named-data.js'
import { element, type Markup } from './report/markup.js'
import { type ReportOptions, reportOf, type VerificationReport } from './report.js'
import type { Verdict } from './verdict.js'
import type { FilesVerdict } from './verify-files.js'

/**
 * A verdict as a validation report of ETSI TS 119 102-2 (namespace of version 1.2.1), in canonical form: the same verdict
 * gives the same bytes. `docs/verifier.md` says what of the standard is left out.
 */
export function reportXml(verdict: Verdict | FilesVerdict | EvidenceVerdict, options: ReportOptions = {}): string {
  const report = reportOf(verdict, options)
  const objects = new EtsiObjects()
  const common = (place: number) => commonData(report, place)
  for (const file of options.files ?? []) objects.file(file)
  const signatures = verdict.signatures.flatMap((one, index) => {
    const reported = report.signatures[index]
    if (reported === undefined) return []
    const about = { verdict: one, report: reported, at: verdict.at, common: common(index) }
    return etsiSignature({ id: `S-${index + 1}`, ...about, objects })
  })
  const root = element(
    'vr:ValidationReport',
    { 'xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#', 'xmlns:vr': 'http://uri.etsi.org/19102/v1.2.1#' },
    signatures.length > 0 ? signatures : nothingSigned(common(0)),
    objects.all.length === 0 ? undefined : element('vr:SignatureValidationObjects', {}, objects.all),
  )
  return root.markup
}

/** What is said of all files together, or of the bundle, beside each signature: the standard has no place of its own for it. */
const commonData = (report: VerificationReport, place: number): NamedData => {
  const { outcome, says, rules, documents, evidence, log = [] } = report
  const file = report.signatures[place]?.file
  const unsigned = documents.filter(({ signatures }) => signatures.length === 0)
  return [
    ['outcome', outcome],
    ['outcomeSays', says],
    ['verifier', `${rules.verifier} ${rules.version}`],
    ['rules', rules.rules],
    ...Object.entries(rules.algorithms).map(([name, value]) => ['algorithmPolicy', `${name}: ${value}`] as const),
    ...(evidence === undefined
      ? [...unsigned.map(({ name }) => ['nobodySigned', name] as const), ...logData(log, file)]
      : bundleData(evidence, place, file)),
  ]
}

/** A report is of one signature at least: where there is none, of one that is not there. */
const nothingSigned = (common: NamedData): Markup =>
  element(
    'vr:SignatureValidationReport',
    {},
    element(
      'vr:SignatureValidationStatus',
      {},
      element('vr:MainIndication', {}, 'urn:etsi:019102:mainindication:indeterminate'),
      element('vr:SubIndication', {}, 'urn:etsi:019102:subindication:GENERIC'),
      element('vr:AssociatedValidationReportData', {}, reportData(common)),
    ),
  )
