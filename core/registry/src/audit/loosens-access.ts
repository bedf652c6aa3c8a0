import { stateText } from './settings-state.js'

type Settings = Readonly<Record<string, unknown>>
/** Whether one kind of change lets in more than before. */
type Rule = (before: Settings, after: Settings) => boolean

/**
 * Whether a change of settings may let somebody see or do what they could not before. `ownerKind` is that of an audit event;
 * settings of other owners than documents, packages and organizations give no access. An audit of the database asks it of every
 * recorded change: a rule that is added later makes those of before look as if they were not logged.
 */
export function loosensAccess(ownerKind: string, before: unknown, after: unknown): boolean {
  const rules = RULES[ownerKind] ?? []
  const [earlier, later] = [object(before), object(after)]
  return rules.some((rule) => rule(earlier, later))
}

const turnedOff =
  (name: string): Rule =>
  (before, after) =>
    before[name] === true && after[name] !== true

const turnedOn =
  (name: string): Rule =>
  (before, after) =>
    before[name] !== true && after[name] === true

const grown =
  (name: string): Rule =>
  (before, after) =>
    count(after[name]) > count(before[name])

/** Of a limit that counts from 1: absent and 0 are none. */
const limitRaised =
  (name: string): Rule =>
  (before, after) =>
    limit(after[name]) > limit(before[name])

/** An element that was not in the list before. */
const extended =
  (name: string): Rule =>
  (before, after) =>
    gains(before[name], after[name])

/** Of a list that restricts unless it is empty. */
const restrictionLoosened =
  (name: string): Rule =>
  (before, after) => {
    if (list(before[name]).length === 0) return false
    return list(after[name]).length === 0 || gains(before[name], after[name])
  }

/** Of what an organization grants by each right: to whom, and to which certificates, wherever they stand in its list. */
const rightsExtended: Rule = (before, after) =>
  Object.keys(after).some((right) => {
    const [had, has] = [object(before[right]), object(after[right])]
    return (
      gains(had.authorities, has.authorities) ||
      gains(had.iins, has.iins) ||
      gains(named(had.tlsCertificatesIndices, before), named(has.tlsCertificatesIndices, after))
    )
  })

const named = (indices: unknown, settings: Settings): unknown[] =>
  list(indices).map((index) => object(list(settings.tlsCertificatesList)[count(index)]).body)

/** A certificate of a system that may act now, or by its key alone now. */
const certificatesExtended: Rule = (before, after) => {
  const acting = (settings: Settings) =>
    list(settings.tlsCertificatesList)
      .map(object)
      .filter(({ disabled }) => disabled !== true)
  const known = acting(before)
  return acting(after).some(({ body, byKey }) => {
    const same = known.filter((one) => one.body === body)
    return same.length === 0 || (byKey === true && !same.some((one) => one.byKey === true))
  })
}

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  document: [
    turnedOff('private'),
    turnedOff('switchToPrivateAfterLimitReached'),
    turnedOn('publicProof'),
    turnedOn('publicDuringPreregistration'),
    grown('publicWhileLessThanSignatures'),
    extended('documentAccess'),
    // Who may sign a document may also read it.
    limitRaised('signaturesLimit'),
    limitRaised('signUntil'),
    restrictionLoosened('signersRequirements'),
    turnedOff('strictSignersRequirements'),
    turnedOff('sequentialSignersRequirements'),
  ],
  package: [turnedOff('private'), extended('packageAccess'), extended('packageSettings')],
  organization: [rightsExtended, certificatesExtended],
}

/** Owners whose settings give access. */
export const GIVING_ACCESS = Object.keys(RULES)

const gains = (before: unknown, after: unknown): boolean => {
  const known = new Set(list(before).map(stateText))
  return list(after).some((one) => !known.has(stateText(one)))
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const count = (value: unknown): number => (typeof value === 'number' ? value : 0)
const limit = (value: unknown): number => count(value) || Number.POSITIVE_INFINITY
const object = (value: unknown): Settings =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
