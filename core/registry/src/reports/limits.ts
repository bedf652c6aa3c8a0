import { limits } from '../kernel/limits.js'

/** Limits of reports. */
export interface ReportLimits {
  /** Time-stamped reports per caller and hour; 0 for none. */
  readonly stampedReportsPerHour: number
}
export const ReportLimits = limits<ReportLimits>('ReportLimits', { stampedReportsPerHour: 20 })
