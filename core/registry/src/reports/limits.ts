import { limits } from '../kernel/limits.js'

/** Limits of reports. */
export interface ReportLimits {
  /** Signatures in one report. */
  readonly reportSignatures: number
  /** Documents in one report. */
  readonly reportDocuments: number
  /** Reports in an hour that one caller may have time-stamped; 0 for none. */
  readonly stampedReportsPerHour: number
}
export const ReportLimits = limits<ReportLimits>('ReportLimits', {
  reportSignatures: 32,
  reportDocuments: 100,
  stampedReportsPerHour: 20,
})
