import type { MatrixCaller, Right } from './callers.js'
import type { MatrixDocument, MatrixItem, MatrixPackage, Who } from './objects.js'

/*
 * An independent implementation of the access rules, without the registry. Each question is answered with the reasons for "yes",
 * in the words of the access table; without a reason the answer is "no".
 */

const isOf = (caller: MatrixCaller, bin: string | undefined): boolean => bin !== undefined && caller.bin === bin

/** The same person or the same employee: one IIN in two contexts is two callers. */
const is = (caller: MatrixCaller, { iin, bin }: Who): boolean =>
  (caller.kind === 'person' || caller.kind === 'employee') && caller.iin === iin && caller.bin === bin

/** A rule that names the organization, alone or with another employee. */
const namesOrganizationOf = (caller: MatrixCaller, rules: readonly Who[]): boolean =>
  rules.some((rule) => isOf(caller, rule.bin))

const reasons = (given: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(given).filter((reason) => given[reason])

const isReceived = (caller: MatrixCaller, receiver: string | undefined) => ({
  received: caller.kind === 'person' && caller.iin === receiver,
  'delivery routedDocumentsPackagesView':
    isOf(caller, receiver) && caller.rights.includes('routedDocumentsPackagesView'),
})
/** Ways that let somebody see what they received, and do no more with it. */
const ONLY_SEEING = ['received', 'delivery routedDocumentsPackagesView']

export function mayView(caller: MatrixCaller, document: MatrixDocument): string[] {
  const { rules = [], signatures, registrator } = document
  const has = (right: Right) => caller.rights.includes(right)
  const concernsOrganization = isOf(caller, registrator) || signatures.some(({ bin }) => isOf(caller, bin))
  return reasons({
    public: !document.private,
    openForNow: document.open ?? false,
    signed: signatures.some((signature) => is(caller, signature)),
    registered: registeredIt(caller, document),
    named: rules.some((rule) => is(caller, rule)),
    'signatureOrRegistration documentsAccess': concernsOrganization && has('documentsAccess'),
    'rule documentsAccess':
      has('documentsAccess') && namesOrganizationOf(caller, rules) && !rules.some((rule) => is(caller, rule)),
    ...isReceived(caller, document.receiver),
  })
}

export function mayChangeSettings(caller: MatrixCaller, { signatures, registrator }: MatrixDocument): string[] {
  const concernsOrganization = isOf(caller, registrator) || signatures.some(({ bin }) => isOf(caller, bin))
  return reasons({
    signed: signatures.some((signature) => is(caller, signature)),
    'signatureOrRegistration documentsSettings': concernsOrganization && caller.rights.includes('documentsSettings'),
  })
}

const registeredIt = (caller: MatrixCaller, { packageOf }: Pick<MatrixDocument, 'packageOf'>): boolean =>
  packageOf !== undefined && packageOf !== 'anonymous' && is(caller, packageOf)

/** Until somebody has signed, only who registered a document may say what its original is. */
export function mayFixDigests(caller: MatrixCaller, document: MatrixDocument): boolean {
  const { signatures, registrator } = document
  if (signatures.length > 0) return true
  if (registrator === undefined) return registeredIt(caller, document)
  return isOf(caller, registrator) && (caller.kind === 'system' || caller.rights.includes('documentsAccess'))
}

export function mayViewPackage(caller: MatrixCaller, found: MatrixPackage): string[] {
  const { access = [], registeredBy, registrator } = found
  const has = caller.rights.includes('packagesAccess')
  const self = access.some((rule) => is(caller, rule))
  return reasons({
    public: !found.private,
    registered: registeredBy !== undefined && is(caller, registeredBy),
    named: self,
    'registration packagesAccess': has && isOf(caller, registrator),
    'rule packagesAccess': has && !self && namesOrganizationOf(caller, access),
    ...isReceived(caller, found.receiver),
  })
}

export function mayChangePackageSettings(caller: MatrixCaller, found: MatrixPackage): string[] {
  const { settings = [], registeredBy, registrator } = found
  const has = caller.rights.includes('packagesSettings')
  const self = settings.some((rule) => is(caller, rule))
  return reasons({
    registered: registeredBy !== undefined && is(caller, registeredBy),
    namedForSettings: self,
    'registration packagesSettings': has && isOf(caller, registrator),
    'settingsRule packagesSettings': has && !self && namesOrganizationOf(caller, settings),
  })
}

/** Whether the document is in the caller's own list. */
export const listsDocument = (caller: MatrixCaller, { signatures }: MatrixDocument): boolean =>
  signatures.some((signature) => is(caller, signature))

/** Whether the document is in the list of the caller's organization. */
export const listsDocumentOfOrganization = (
  caller: MatrixCaller,
  { signatures, registrator }: MatrixDocument,
): boolean => isOf(caller, registrator) || signatures.some(({ bin }) => isOf(caller, bin))

export const listsPackage = (caller: MatrixCaller, { access = [] }: MatrixPackage): boolean =>
  access.some((rule) => is(caller, rule))

export const listsPackageOfOrganization = (
  caller: MatrixCaller,
  { access = [], registrator }: MatrixPackage,
): boolean => isOf(caller, registrator) || namesOrganizationOf(caller, access)

/** The refusal for a caller without the right, or `allowed`. */
export function outcome(caller: MatrixCaller, may: boolean): string {
  if (caller.kind === 'refused') return caller.bin === undefined ? 'tlsCertificateNotListed' : 'tlsCertificateDisabled'
  if (may) return 'allowed'
  return caller.kind === 'anonymous' ? 'authenticationRequired' : 'accessDenied'
}

/** The answer to a caller who asks for something of their organization; `right` is required, if given. */
export function outcomeForOrganization(caller: MatrixCaller, right?: Right): string {
  if (caller.kind === 'person') return 'notOrganization'
  const belongs = caller.kind === 'employee' || caller.kind === 'system'
  return outcome(caller, belongs && (right === undefined || caller.rights.includes(right)))
}

/** People send and receive for themselves; employees and systems for their organization, where it lets them. */
const partyOf = (caller: MatrixCaller, right: Right): string | undefined => {
  if (caller.kind === 'person') return caller.iin
  return caller.rights.includes(right) ? caller.bin : undefined
}

export const mayAct = (caller: MatrixCaller, document: MatrixDocument): string[] =>
  caller.kind === 'anonymous'
    ? []
    : mayView(caller, document).filter((reason) => ![...ONLY_SEEING, 'registered'].includes(reason))

export const mayReadData = (caller: MatrixCaller, document: MatrixDocument): boolean => {
  const reasons = mayView(caller, document)
  return caller.kind === 'anonymous' ? reasons.includes('openForNow') : reasons.length > 0
}

/** The app gets the document, so anonymous callers may not begin. */
export const maySignByPhone = (caller: MatrixCaller, document: MatrixDocument): boolean =>
  caller.kind !== 'anonymous' && mayReadData(caller, document)

export const seesPackageByName = (caller: MatrixCaller, found: MatrixPackage): boolean =>
  caller.kind !== 'anonymous' && mayViewPackage(caller, found).length > 0

/** Any of the documents of a package, which are alike. */
function documentIn({ documentsPrivate = false, registrator, registeredBy, receiver }: MatrixPackage): MatrixDocument {
  const facts = { ...(registrator && { registrator }), ...(registeredBy && { packageOf: registeredBy }) }
  return { name: '', private: documentsPrivate, signatures: [], ...(receiver && { receiver }), ...facts }
}

export function maySignPackageByPhone(caller: MatrixCaller, found: MatrixPackage): boolean {
  if (!seesPackageByName(caller, found)) return false
  return maySendDocumentsOf(caller, found).length > 0 || mayReadData(caller, documentIn(found))
}

/** The package itself opens none of its documents. */
export const mayProvePackage = (caller: MatrixCaller, found: MatrixPackage): boolean =>
  mayViewPackage(caller, found).length > 0 && mayView(caller, documentIn(found)).length > 0

export const maySend = (caller: MatrixCaller, document: MatrixDocument): boolean =>
  partyOf(caller, 'documentsPackagesRoute') !== undefined && mayAct(caller, document).length > 0

export const mayActOnPackage = (caller: MatrixCaller, found: MatrixPackage): string[] =>
  caller.kind === 'anonymous' ? [] : mayViewPackage(caller, found).filter((reason) => !ONLY_SEEING.includes(reason))

/** Without asking for the right to each document. */
export const maySendDocumentsOf = (caller: MatrixCaller, { registeredBy, registrator }: MatrixPackage): string[] =>
  reasons({
    registered: registeredBy !== undefined && is(caller, registeredBy),
    'registration packagesAccess': isOf(caller, registrator) && caller.rights.includes('packagesAccess'),
  })

export function maySendPackage(caller: MatrixCaller, found: MatrixPackage): boolean {
  if (partyOf(caller, 'documentsPackagesRoute') === undefined || mayActOnPackage(caller, found).length === 0)
    return false
  const { documentsPrivate = false, registrator } = found
  const documents = { name: '', private: documentsPrivate, signatures: [], ...(registrator && { registrator }) }
  return maySendDocumentsOf(caller, found).length > 0 || mayAct(caller, documents).length > 0
}

/** The answer to a caller who reads an item on the side of `party`. */
export function outcomeForItem(
  caller: MatrixCaller,
  right: Right,
  side: 'sender' | 'receiver',
  item?: MatrixItem,
): string {
  const party = partyOf(caller, right)
  if (party === undefined || caller.kind === 'refused') return outcome(caller, false)
  if (item === undefined || (side === 'receiver' && !item.delivered)) return 'itemNotFound'
  return outcome(caller, item[side] === party)
}

/** The answer to a caller who lists items received or sent. */
export const outcomeForItems = (caller: MatrixCaller): string =>
  outcome(caller, partyOf(caller, 'routedDocumentsPackagesView') !== undefined)

/** The answer to a caller who asks for what their party keeps to send by. */
export const outcomeForSending = (caller: MatrixCaller): string =>
  outcome(caller, partyOf(caller, 'documentsPackagesRoute') !== undefined)

export const listsItem = (caller: MatrixCaller, side: 'sender' | 'receiver', item: MatrixItem): boolean =>
  item[side] === partyOf(caller, 'routedDocumentsPackagesView') && (side === 'sender' || item.delivered)
