import { Port } from './port.js'
import { type Binding, provideValue } from './service.js'

/** A defaulted port of numbers that bound sizes, counts and times; each area has one of its own. */
export class LimitsPort<L extends object> extends Port<L, 'defaulted'> {
  constructor(
    name: string,
    readonly defaults: L,
  ) {
    super(name, 'defaulted')
  }
}

/** Limits by name, as an operator sets them. */
export type GivenLimits = Readonly<Record<string, number | undefined>>

/** Declares limits: `export const AuditLimits = limits<AuditLimits>('AuditLimits', { … })`. Each name belongs to one area. */
export const limits = <L extends object>(name: string, defaults: L): LimitsPort<L> => new LimitsPort(name, defaults)

/** Binds limits to their port: the defaults, overridden by those of the same names in `given`. */
export function provideLimits<L extends object>(port: LimitsPort<L>, given: GivenLimits = {}): Binding {
  const chosen = Object.entries(given).filter(([name, limit]) => limit !== undefined && name in port.defaults)
  return provideValue(port, { ...port.defaults, ...Object.fromEntries(chosen) })
}

/** Limits that several areas share (specification, "Limits"). */
export interface Limits {
  /** Characters of a document title. */
  readonly title: number
  /** Characters of a description. */
  readonly description: number
  /** E-mail addresses in one request. */
  readonly emails: number
  /** Items in one page of a list. */
  readonly itemsPerPage: number
  /** Bytes, as JSON, after which a page of a list ends even when it has fewer items. */
  readonly pageBytes: number
}
export const Limits = limits<Limits>('Limits', {
  title: 255,
  description: 2000,
  emails: 20,
  itemsPerPage: 100,
  pageBytes: 1024 * 1024,
})
