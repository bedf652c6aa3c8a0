import { readNamedBits } from '../der/bit-string.js'
import { readBoolean } from '../der/boolean.js'
import { context, contextConstructed, type DerFields, fieldsOf } from '../der/fields.js'
import { children, type DerElement, DerError } from '../der/reader.js'
import { type GeneralName, readGeneralNames } from './general-name.js'
import { rdnKey } from './name.js'

/** Names of the revocation reason flags (RFC 5280 section 4.2.1.13), in their order. */
export const reasonFlags = [
  'unused',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  'privilegeWithdrawn',
  'aACompromise',
] as const

export type ReasonFlag = (typeof reasonFlags)[number]

/** Where a CRL is published: full names, or one RDN (its comparison key) to append to the CRL issuer's name. */
export type DistributionPointName = { readonly fullName: readonly GeneralName[] } | { readonly relativeKey: string }

export interface DistributionPoint {
  readonly name: DistributionPointName | undefined
  readonly reasons: ReadonlySet<ReasonFlag> | undefined
  readonly crlIssuer: readonly GeneralName[] | undefined
}

const MAX_POINTS = 200

/** Reads CRLDistributionPoints (RFC 5280 section 4.2.1.13). */
export function readDistributionPoints(element: DerElement): DistributionPoint[] {
  const points = children(element, MAX_POINTS).map(readDistributionPoint)
  if (points.length === 0) throw new DerError('distribution points are empty')
  return points
}

function readDistributionPoint(element: DerElement): DistributionPoint {
  const fields = fieldsOf(element)
  const name = fields.explicit(contextConstructed(0))
  const reasons = fields.takeIf(context(1))
  const issuer = fields.takeIf(contextConstructed(2))
  fields.finish()
  return {
    name: name && readDistributionPointName(name),
    reasons: reasons && readReasonFlags(reasons, context(1)),
    crlIssuer: issuer && readGeneralNames(issuer, contextConstructed(2)),
  }
}

/** Reads DistributionPointName, the element inside its explicit tag. */
export function readDistributionPointName(element: DerElement): DistributionPointName {
  return element.tag === contextConstructed(0)
    ? { fullName: readGeneralNames(element, contextConstructed(0)) }
    : { relativeKey: rdnKey(element, contextConstructed(1)) }
}

/** Reads ReasonFlags. */
export function readReasonFlags(element: DerElement, tag: number): ReadonlySet<ReasonFlag> {
  return new Set(
    readNamedBits(element, tag).map((bit) => {
      const flag = reasonFlags[bit]
      if (flag === undefined) throw new DerError('revocation reason is unknown')
      return flag
    }),
  )
}

/** What a CRL is about (RFC 5280 section 5.2.5). */
export interface IssuingDistributionPoint {
  readonly name: DistributionPointName | undefined
  readonly onlyContainsUserCerts: boolean
  readonly onlyContainsCaCerts: boolean
  readonly onlySomeReasons: ReadonlySet<ReasonFlag> | undefined
  readonly indirectCrl: boolean
  readonly onlyContainsAttributeCerts: boolean
}

/** Reads IssuingDistributionPoint; at most one kind of certificates is singled out. */
export function readIssuingDistributionPoint(element: DerElement): IssuingDistributionPoint {
  const fields = fieldsOf(element)
  const name = fields.explicit(contextConstructed(0))
  const onlyContainsUserCerts = flag(fields, 1)
  const onlyContainsCaCerts = flag(fields, 2)
  const reasons = fields.takeIf(context(3))
  const indirectCrl = flag(fields, 4)
  const onlyContainsAttributeCerts = flag(fields, 5)
  fields.finish()
  const kinds = [onlyContainsUserCerts, onlyContainsCaCerts, onlyContainsAttributeCerts].filter(Boolean)
  if (kinds.length > 1) throw new DerError('issuing distribution point contradicts itself')
  return {
    name: name && readDistributionPointName(name),
    onlyContainsUserCerts,
    onlyContainsCaCerts,
    onlySomeReasons: reasons && readReasonFlags(reasons, context(3)),
    indirectCrl,
    onlyContainsAttributeCerts,
  }
}

function flag(fields: DerFields, number: number): boolean {
  const element = fields.takeIf(context(number))
  return element !== undefined && readBoolean(element, context(number))
}
