import Type, { type Static } from 'typebox'
import { digestFrom } from '../kernel/digest-text.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { GivenDocument, JudgedInput } from '../signatures/index.js'

/** Files of one request. */
const MAX_FILES = 16
/** Characters of XML: each of up to 16 signatures canonicalizes all of it, in the one thread for large input. */
const MAX_XML = 512 * 1024

const Digests = Type.Record(Type.String(), Type.String(), {
  maxProperties: 16,
  description: 'hashes of a document: OID of the algorithm to base64',
})
const FileName = Type.String({ minLength: 1, maxLength: 1000 })
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Signed = Type.String({
  description: 'CMS: DER in base64, or PEM; XML: the signature element, or a signed document',
})

const GivenSigned = Type.Object({
  name: FileName,
  signature: Signed,
  over: Type.Optional(
    Type.Object(
      {
        name: FileName,
        digests: Digests,
        ranges: Type.Array(Type.Array(Bytes, { minItems: 2, maxItems: 2 }), { minItems: 1, maxItems: 16 }),
      },
      {
        description:
          'what it is over where its place says so, as in a PDF: bytes of the file of that name, from, and to but not including; digests are of those',
      },
    ),
  ),
})
type GivenSigned = Static<typeof GivenSigned>

/** Request of `POST /api/checkSignature`. */
export const CheckSignatureRequest = Type.Object(
  {
    signature: Type.Optional(Signed),
    digests: Type.Optional(Digests),
    signatures: Type.Optional(Type.Array(GivenSigned, { maxItems: MAX_FILES })),
    documents: Type.Optional(
      Type.Array(Type.Object({ name: FileName, digests: Digests, size: Type.Optional(Bytes) }), {
        maxItems: MAX_FILES,
        description: 'what signatures may be over, each under a name of its own',
      }),
    ),
  },
  {
    $id: 'CheckSignatureRequest',
    description: 'one signature, and the digests of its document; or several signatures and documents, in any order',
  },
)
export type CheckSignatureRequest = Static<typeof CheckSignatureRequest>

/** Signatures and documents of a request, ready to be judged. */
export interface FilesToCheck {
  readonly signatures: readonly (Omit<JudgedInput, 'documents' | 'evidence'> & { readonly signed: string })[]
  readonly documents: readonly (Omit<GivenDocument, 'document'> & { readonly document: ReadonlyMap<string, Buffer> })[]
}

/** The files of a request in either of its forms. Throws `invalidJsonStructure`, `bodyTooLarge`. */
export function filesToCheck(request: CheckSignatureRequest): FilesToCheck {
  const files = filesOf(request)
  const xml = files.signatures.filter(({ signed }) => signed.trimStart().startsWith('<'))
  if (xml.reduce((total, { signed }) => total + signed.length, 0) > MAX_XML)
    throw requestErrors.error('bodyTooLarge', { limit: MAX_XML })
  return files
}

function filesOf({ signature, digests, signatures = [], documents = [] }: CheckSignatureRequest): FilesToCheck {
  const names = new Set(documents.map(({ name }) => name))
  const isTwofold = signature !== undefined && signatures.length + documents.length > 0
  if (isTwofold || (digests !== undefined && signature === undefined)) throw invalid('/signature')
  if (names.size < documents.length) throw invalid('/documents')
  if (signature !== undefined)
    return {
      signatures: [{ name: 'signature', signed: signature }],
      documents: digests === undefined ? [] : [{ name: 'document', document: read(digests, '/digests') }],
    }
  if (signatures.length + documents.length === 0) throw invalid('/signatures')
  return {
    signatures: signatures.map(({ name, signature: signed, over }) => ({
      name,
      signed,
      ...(over && { over: partOf(over) }),
    })),
    documents: documents.map(({ name, digests: own, size }) => ({
      name,
      document: read(own, '/documents'),
      ...(size !== undefined && { size }),
    })),
  }
}

function partOf({ name, digests, ranges }: NonNullable<GivenSigned['over']>): NonNullable<JudgedInput['over']> {
  const pairs = ranges.map(([from = 0, to = 0]) => [from, to] as const)
  if (pairs.some(([from, to]) => from > to)) throw invalid('/signatures/over/ranges')
  return { name, document: read(digests, '/signatures/over/digests'), coverage: { of: 'ranges', ranges: pairs } }
}

function read(digests: Readonly<Record<string, string>>, path: string): ReadonlyMap<string, Buffer> {
  return new Map(
    Object.entries(digests).map(([oid, text]) => {
      const digest = digestFrom(text)
      if (digest === undefined) throw invalid(`${path}/${oid}`)
      return [oid, digest]
    }),
  )
}

const invalid = (path: string) => requestErrors.error('invalidJsonStructure', { path })
