import { A, B, C, NAMED, SIGNER, WORKER } from './callers.js'

/** A rule of `documentAccess`, `packageAccess` or `packageSettings`; also who signed, or registered. */
export interface Who {
  readonly iin?: string
  readonly bin?: string
}

/** A document as plain facts. */
export interface MatrixDocument {
  readonly name: string
  readonly private: boolean
  readonly signatures: readonly (Who & { readonly iin: string })[]
  /** BIN of the organization whose system registered it. */
  readonly registrator?: string
  readonly rules?: readonly Who[]
  /** Further settings; `open` says whether they open it now. */
  readonly more?: object
  readonly open?: boolean
  /** Who registered it as part of a package. */
  readonly packageOf?: Who | 'anonymous'
  /** IIN or BIN that it was sent to, alone or with its package. */
  readonly receiver?: string
}

const signer = { iin: SIGNER }
const worker = { iin: WORKER, bin: A }
/** Somebody of C, who is none of the callers. */
const outsider = { iin: 'IIN300000000001', bin: C }
/** A person who sends and is none of the callers. */
const sender = { iin: 'IIN300000000002' }
const hidden = { private: true, signatures: [outsider] }

export const DOCUMENTS: readonly MatrixDocument[] = [
  { name: 'public', private: false, signatures: [outsider] },
  { name: 'public, with rules', private: false, signatures: [outsider], rules: [{ iin: NAMED }] },
  { name: 'public, signed by the signer', private: false, signatures: [signer] },
  { name: 'public, preregistered by A', private: false, signatures: [], registrator: A },
  { name: 'private', ...hidden },
  { name: 'signed by a person', private: true, signatures: [signer] },
  { name: 'signed by an employee of A', private: true, signatures: [worker] },
  { name: 'signed by the signer for B', private: true, signatures: [{ iin: SIGNER, bin: B }] },
  { name: 'signed second by an employee of A', private: true, signatures: [outsider, worker] },
  { name: 'signed second by a person', private: true, signatures: [outsider, signer] },
  { name: 'registered by a system of A', ...hidden, registrator: A },
  { name: 'registered by a system of B, signed in A', private: true, signatures: [worker], registrator: B },
  { name: 'preregistered by A', private: true, signatures: [], registrator: A },
  {
    name: 'preregistered by A, public during preregistration',
    private: true,
    signatures: [],
    registrator: A,
    more: { publicDuringPreregistration: true },
    open: true,
  },
  {
    name: 'preregistered by A, public during preregistration, signed since',
    ...hidden,
    registrator: A,
    more: { publicDuringPreregistration: true },
  },
  { name: 'public while it has one signature', ...hidden, more: { publicWhileLessThanSignatures: 2 }, open: true },
  {
    name: 'public while it had one signature',
    private: true,
    signatures: [outsider, sender],
    more: { publicWhileLessThanSignatures: 2 },
  },
  {
    name: 'private since its limit was reached',
    ...hidden,
    more: { private: false, signaturesLimit: 1, switchToPrivateAfterLimitReached: true },
  },
  { name: 'names a person', ...hidden, rules: [{ iin: NAMED }] },
  { name: 'names an employee of A', ...hidden, rules: [{ iin: NAMED, bin: A }] },
  { name: 'names A', ...hidden, rules: [{ bin: A }] },
  { name: 'names somebody of B', ...hidden, rules: [{ iin: 'IIN300000000003', bin: B }] },
  { name: 'names several', ...hidden, rules: [{ iin: 'IIN300000000003' }, { bin: B }, { iin: NAMED, bin: A }] },
  { name: 'sent to a person', private: true, signatures: [sender], receiver: NAMED },
  { name: 'sent to A', private: true, signatures: [sender], receiver: A },
  { name: 'of a package sent to a person', private: true, signatures: [], packageOf: sender, receiver: NAMED },
  { name: 'of a package sent to A', private: true, signatures: [], packageOf: sender, receiver: A },
  { name: 'of a package of the signer', private: true, signatures: [], packageOf: signer },
  { name: 'of a package of an employee of A', private: true, signatures: [], packageOf: worker },
  { name: 'of a package of nobody', private: true, signatures: [], packageOf: 'anonymous' },
]

/** A package as plain facts. */
export interface MatrixPackage {
  readonly name: string
  readonly private: boolean
  readonly registrator?: string
  readonly registeredBy?: Who & { readonly iin: string }
  readonly access?: readonly Who[]
  readonly settings?: readonly Who[]
  /** IIN or BIN that it was sent to. */
  readonly receiver?: string
  readonly documentsPrivate?: boolean
}

/** Registers packages whose rules name others, which nobody may do without a name; none of the callers. */
const registrar = { iin: 'IIN300000000008' }

export const PACKAGES: readonly MatrixPackage[] = [
  { name: 'public, of nobody', private: false },
  { name: 'public, of a system of A', private: false, registrator: A },
  { name: 'private, of nobody', private: true },
  { name: 'private, of a person', private: true, registeredBy: signer },
  { name: 'private, of an employee of A', private: true, registeredBy: worker },
  { name: 'private, of a system of A', private: true, registrator: A },
  { name: 'names a person', private: true, registeredBy: registrar, access: [{ iin: NAMED }] },
  { name: 'names an employee of A', private: true, registeredBy: registrar, access: [{ iin: NAMED, bin: A }] },
  { name: 'names A', private: true, registeredBy: registrar, access: [{ bin: A }] },
  { name: 'names B, registered by A', private: true, registrator: A, access: [{ bin: B }] },
  { name: 'lets a person change settings', private: true, registeredBy: registrar, settings: [{ iin: NAMED }] },
  {
    name: 'lets an employee of A change settings',
    private: true,
    registeredBy: registrar,
    settings: [{ iin: NAMED, bin: A }],
  },
  { name: 'lets A change settings', private: true, registeredBy: registrar, settings: [{ bin: A }] },
  { name: 'sent to a person', private: true, registeredBy: sender, receiver: NAMED },
  { name: 'sent to A', private: true, registeredBy: sender, receiver: A },
  { name: 'public, of private documents', private: false, documentsPrivate: true },
  { name: 'of a person and private documents', private: true, registeredBy: signer, documentsPrivate: true },
  { name: 'of a system of A and private documents', private: true, registrator: A, documentsPrivate: true },
]

/** A sent item as plain facts; parties are IINs and BINs. */
export interface MatrixItem {
  readonly name: string
  readonly sender: string
  readonly receiver: string
  readonly delivered: boolean
}

export const ITEMS: readonly MatrixItem[] = [
  { name: 'from a person to a person', sender: SIGNER, receiver: NAMED, delivered: true },
  { name: 'from a person to A', sender: SIGNER, receiver: A, delivered: true },
  { name: 'from A to a person', sender: A, receiver: WORKER, delivered: true },
  { name: 'from A to B', sender: A, receiver: B, delivered: true },
  { name: 'from B to A', sender: B, receiver: A, delivered: true },
  { name: 'from A to B, not delivered', sender: A, receiver: B, delivered: false },
]
