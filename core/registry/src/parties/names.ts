import type { SignatureFacts } from '../signatures/index.js'

const COMMON_NAME = '2.5.4.3'
const GIVEN_NAME = '2.5.4.42'
const ORGANIZATION = '2.5.4.10'
/** A certificate may have a name of any length. */
const MAX_NAME = 200

type Subject = SignatureFacts['subjectStructure']

/** The full name of a person in a certificate: surname, name, patronymic. */
export const personName = (subject: Subject): string => limited([part(subject, COMMON_NAME), part(subject, GIVEN_NAME)])

/** The name of an organization in the certificate of its employee. */
export const organizationName = (subject: Subject): string => limited([part(subject, ORGANIZATION)])

const part = (subject: Subject, oid: string): string =>
  subject.flat().find((one) => one.oid === oid && !one.valueInB64)?.value ?? ''

const limited = (parts: readonly string[]): string => {
  const words = parts.join(' ').replace(/\s+/g, ' ').trim()
  return [...words].slice(0, MAX_NAME).join('')
}
