/** What an organization grants to its employees and systems (specification, "Organization settings"). */
export type OrganizationRight =
  | 'documentsAccess'
  | 'documentsList'
  | 'documentsSettings'
  | 'packagesAccess'
  | 'packagesList'
  | 'packagesSettings'
  | 'organizationSettings'
  | 'documentsPackagesRoute'
  | 'routedDocumentsPackagesView'

/**
 * One way that leads to an object. A way through an organization asks for one of its rights: the caller must be its
 * first head, or be listed in that access control object.
 */
export type Way =
  /** The object is not private. */
  | 'public'
  /** Settings open the object to everyone for a while: during preregistration, or below a count of signatures. */
  | 'openForNow'
  /** The caller signed it, as this person or as this employee. */
  | 'signed'
  /** The caller registered it, or the package that it is in, as this person or as this employee. */
  | 'registered'
  /** It was sent to the caller and delivered. */
  | 'received'
  /** An access rule names the caller, as this person or as this employee. */
  | 'named'
  /** The rule that gives the right to change settings names the caller. */
  | 'namedForSettings'
  /** An employee of the caller's organization signed it, or a system of the organization registered it. */
  | { readonly through: 'signatureOrRegistration'; readonly right: OrganizationRight }
  /** A system of the caller's organization registered it. */
  | { readonly through: 'registration'; readonly right: OrganizationRight }
  /** It was sent to the caller's organization and delivered. */
  | { readonly through: 'delivery'; readonly right: OrganizationRight }
  /** An access rule names the caller's organization. */
  | { readonly through: 'rule'; readonly right: OrganizationRight }
  /** The rule that gives the right to change settings names the caller's organization. */
  | { readonly through: 'settingsRule'; readonly right: OrganizationRight }

/** Who may do one thing with an object: any way suffices. */
export interface Access {
  /** False where an anonymous caller may take the ways that are open to everyone. */
  readonly authenticated: boolean
  readonly ways: readonly Way[]
  /** Ways that even an anonymous caller may take where all others ask who is calling. */
  readonly anonymousWays?: readonly Way[]
}

/** Ways of those to whom an object was sent: they see it, and no more. */
const received: readonly Way[] = ['received', { through: 'delivery', right: 'routedDocumentsPackagesView' }]

const viewDocument: readonly Way[] = [
  'public',
  'openForNow',
  'signed',
  'named',
  { through: 'signatureOrRegistration', right: 'documentsAccess' },
  { through: 'rule', right: 'documentsAccess' },
]

/** Who may do what with a document (specification, "Access control summary"; docs/access.md). */
export const documentAccess = {
  view: { authenticated: false, ways: [...viewDocument, 'registered', ...received] },
  /** The bytes themselves: open to everyone only where settings say so for a while. */
  readData: {
    authenticated: true,
    ways: [...viewDocument, 'registered', ...received],
    anonymousWays: ['openForNow'],
  },
  /** Notifying, sending and signing procedures reach out to others, so they ask who is calling. */
  act: { authenticated: true, ways: viewDocument },
  changeSettings: {
    authenticated: true,
    ways: ['signed', { through: 'signatureOrRegistration', right: 'documentsSettings' }],
  },
} as const satisfies Record<string, Access>
export type DocumentAction = keyof typeof documentAccess

const viewPackage: readonly Way[] = [
  'public',
  'registered',
  'named',
  { through: 'registration', right: 'packagesAccess' },
  { through: 'rule', right: 'packagesAccess' },
]

/** Who may do what with a package; seeing it does not open its documents, having received it does. */
export const packageAccess = {
  view: { authenticated: false, ways: [...viewPackage, ...received] },
  act: { authenticated: true, ways: viewPackage },
  /** A package that is sent opens its documents to the receiver; its registrator may do so without asking each document. */
  sendDocuments: { authenticated: true, ways: ['registered', { through: 'registration', right: 'packagesAccess' }] },
  changeSettings: {
    authenticated: true,
    ways: [
      'registered',
      'namedForSettings',
      { through: 'registration', right: 'packagesSettings' },
      { through: 'settingsRule', right: 'packagesSettings' },
    ],
  },
} as const satisfies Record<string, Access>
export type PackageAction = keyof typeof packageAccess
