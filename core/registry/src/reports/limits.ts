import { limits } from '../kernel/limits.js'

/** Limits of reports. */
export interface ReportLimits {
  /** Reports in an hour that one caller may have time-stamped; 0 for none. */
  readonly stampedReportsPerHour: number
}
export const ReportLimits = limits<ReportLimits>('ReportLimits', { stampedReportsPerHour: 20 })
