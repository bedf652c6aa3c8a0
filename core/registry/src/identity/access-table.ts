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
 * One reason for which a caller may have access. A way through an organization needs one of its rights: the caller must be
 * its first head, or be listed in that access control object.
 */
export type Way =
  /** The object is not private. */
  | 'public'
  /** The settings open the object to everyone for now: during preregistration, or below a number of signatures. */
  | 'openForNow'
  /** The caller signed it, as this person or as this employee. */
  | 'signed'
  /** The caller registered it, or the package that it is in, as this person or as this employee. */
  | 'registered'
  /** It was sent to the caller and delivered. */
  | 'received'
  /** An access rule names the caller, as this person or as this employee. */
  | 'named'
  /** An access rule with the right to change settings names the caller. */
  | 'namedForSettings'
  /** An employee of the caller's organization signed it, or a system of the organization registered it. */
  | { readonly through: 'signatureOrRegistration'; readonly right: OrganizationRight }
  /** A system of the caller's organization registered it. */
  | { readonly through: 'registration'; readonly right: OrganizationRight }
  /** It was sent to the caller's organization and delivered. */
  | { readonly through: 'delivery'; readonly right: OrganizationRight }
  /** An access rule names the caller's organization. */
  | { readonly through: 'rule'; readonly right: OrganizationRight }
  /** An access rule with the right to change settings names the caller's organization. */
  | { readonly through: 'settingsRule'; readonly right: OrganizationRight }

/** Who may do one thing with an object: one way is enough. */
export interface Access {
  /** False where anonymous callers may use the ways that are open to everyone. */
  readonly authenticated: boolean
  readonly ways: readonly Way[]
  /** The ways that anonymous callers may use although `authenticated` is true. */
  readonly anonymousWays?: readonly Way[]
}

/** The ways of those to whom an object was sent: they may view it and nothing else. */
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
  /** The bytes themselves: open to everyone only while the settings say so. */
  readData: {
    authenticated: true,
    ways: [...viewDocument, 'registered', ...received],
    anonymousWays: ['openForNow'],
  },
  /** Notifying, sending and signing procedures affect others, so the caller must be authenticated. */
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
