import { readBoolean } from '../der/boolean.js'
import { context, contextConstructed, type DerFields, fieldsOf } from '../der/fields.js'
import { type DerElement, DerError } from '../der/reader.js'
import {
  type DistributionPointName,
  type ReasonFlag,
  readDistributionPointName,
  readReasonFlags,
} from './distribution-points.js'

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
