import { expectTag, SEQUENCE } from '../der/fields.js'
import { children, type DerElement, encoded } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { readAnswer } from '../status/ocsp-answer.js'
import { Certificate } from '../x509/certificate.js'
import { Crl } from '../x509/crl.js'
import type { Attribute } from './attributes.js'
import { cmsOids } from './oids.js'
import { writeOcspInfo } from './revocation-info.js'
import { readRevocationValues } from './revocation-values.js'

/** Validation data as elements of SignedData, DER. */
export interface ValidationData {
  readonly certificates: readonly Uint8Array[]
  /** RevocationInfoChoice: CRLs, and OCSP answers as `other`. */
  readonly revocations: readonly Uint8Array[]
}

/** The types of attributes whose values have their place in SignedData (EN 319 122-1, 6.3). */
const PLACED: ReadonlySet<string> = new Set([cmsOids.certificateValues, cmsOids.revocationValues])

/** Whether an attribute has a type whose values SignedData has a place for. */
export const isPlaced = ({ oid }: Attribute): boolean => PLACED.has(oid)

/** What certificate-values and revocation-values have, as far as it can be read. */
export function embeddedValues(attributes: readonly Attribute[]): ValidationData {
  const valuesOf = (type: string) => attributes.flatMap(({ oid, values }) => (oid === type ? values : []))
  return {
    certificates: valuesOf(cmsOids.certificateValues).flatMap(certificatesIn),
    revocations: valuesOf(cmsOids.revocationValues).flatMap(revocationsIn),
  }
}

const certificatesIn = (value: DerElement): Uint8Array[] =>
  readable(() => children(expectTag(value, SEQUENCE))).flatMap((element) =>
    readable(() => [Certificate.read(element).der]),
  )

const revocationsIn = (value: DerElement): Uint8Array[] =>
  readable(() => [readRevocationValues(value)]).flatMap(({ crls, answers }) => [
    ...answers.flatMap((answer) => readable(() => [writeOcspInfo(readAnswer(encoded(answer)).response)])),
    ...crls.flatMap((crl) => readable(() => [Crl.parse(encoded(crl)).der])),
  ])

/** Nobody signed these attributes: what cannot be read proves nothing. */
function readable<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof RegistryError) return []
    throw error
  }
}
