import type { Certificate } from '../x509/certificate.js'
import type { NameConstraints } from '../x509/constraints.js'
import type { GeneralName, GeneralNameType } from '../x509/general-name.js'
import type { Budget } from './budget.js'
import { type NameForm, nameForms } from './name-forms.js'

const SMTP_UTF8_MAILBOX = '1.3.6.1.5.5.7.8.9'
const EMAIL_ADDRESS = '1.2.840.113549.1.9.1'

/** A name that violates a constraint, and why. */
export interface NameViolation {
  readonly reason: 'nameExcluded' | 'nameNotPermitted' | 'nameNotComparable' | 'nameFormNotSupported'
  readonly type: GeneralNameType
  readonly name: string
}

/** A name in a certificate; one that is `notText` cannot be compared. */
type ConstrainedName = GeneralName & { readonly notText?: boolean }

type SubtreesByType = ReadonlyMap<GeneralNameType, readonly GeneralName[]>

/**
 * The name constraints collected on a path (RFC 5280 section 6.1.1 (b), (c)): a name must be within the permitted subtrees of
 * every CA that constrains its form, and outside all excluded ones. A name that cannot be compared is refused.
 */
export class ConstraintState {
  private readonly permitted: SubtreesByType[] = []
  private readonly excluded: SubtreesByType[] = []

  add(constraints: NameConstraints): void {
    this.permitted.push(byType(constraints.permitted))
    this.excluded.push(byType(constraints.excluded))
  }

  /** The first name of the certificate that violates a constraint. */
  violation(certificate: Certificate, budget: Budget): NameViolation | undefined {
    if (this.permitted.length === 0) return undefined
    for (const name of constrainedNames(certificate)) {
      const reason = this.judge(name, budget)
      if (reason !== undefined) return { reason, type: name.type, name: name.value.slice(0, 300) }
    }
    return undefined
  }

  private judge(name: ConstrainedName, budget: Budget): NameViolation['reason'] | undefined {
    const form = nameForms.get(name.type)
    const types = typesOf(name)
    for (const type of types) {
      for (const excluded of this.excluded) {
        const subtrees = excluded.get(type)
        if (subtrees === undefined) continue
        if (form === undefined) return 'nameFormNotSupported'
        if (name.notText === true) return 'nameNotComparable'
        if (some(name, subtrees, (subtree) => form.touches(name, subtree), budget)) return 'nameExcluded'
        if (isUnclear(name, subtrees, form, budget)) return 'nameNotComparable'
      }
      for (const permitted of this.permitted) {
        const subtrees = permitted.get(type)
        if (subtrees === undefined) continue
        if (form === undefined) return 'nameFormNotSupported'
        if (name.notText === true) return 'nameNotComparable'
        if (some(name, subtrees, (subtree) => form.covers(name, subtree), budget)) continue
        return isUnclear(name, subtrees, form, budget) ? 'nameNotComparable' : 'nameNotPermitted'
      }
    }
    return undefined
  }
}

// An internationalised mailbox (RFC 8398) is not compared, so constraints on rfc822Name refuse it.
const typesOf = ({ type, otherType }: GeneralName): GeneralNameType[] =>
  otherType === SMTP_UTF8_MAILBOX ? [type, 'rfc822Name'] : [type]

const isUnclear = (name: GeneralName, subtrees: readonly GeneralName[], form: NameForm, budget: Budget): boolean =>
  form.isUnclear !== undefined && some(name, subtrees, (subtree) => form.isUnclear?.(name, subtree) === true, budget)

function some(
  name: GeneralName,
  subtrees: readonly GeneralName[],
  matches: (subtree: GeneralName) => ReturnType<NameForm['covers']>,
  budget: Budget,
): boolean {
  return subtrees.some((subtree) => {
    budget.spend(1 + ((name.value.length + subtree.value.length) >>> 6))
    return matches(subtree)
  })
}

/** Subject, alternative names, and emailAddress attributes in the subject (legacy). */
function* constrainedNames({ subject, extensions }: Certificate): Generator<ConstrainedName> {
  if (!subject.isEmpty) yield { type: 'directoryName', value: subject.toString(), name: subject }
  yield* extensions.subjectAltName ?? []
  for (const { oid, value, valueInB64 } of subject.rdns.flat())
    if (oid === EMAIL_ADDRESS) yield { type: 'rfc822Name', value, notText: valueInB64 }
}

function byType(names: readonly GeneralName[]): SubtreesByType {
  const found = new Map<GeneralNameType, GeneralName[]>()
  for (const name of names) {
    const same = found.get(name.type)
    if (same === undefined) found.set(name.type, [name])
    else same.push(name)
  }
  return found
}
