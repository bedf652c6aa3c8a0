import Type, { type Static } from 'typebox'

const Strings = Type.Array(Type.String())
const Milliseconds = Type.Integer({ description: 'milliseconds since the UNIX epoch' })
const Oid = Type.String({ description: 'object identifier' })

/** One attribute of a name (specification, "Name attribute"). */
export const NameAttribute = Type.Object(
  {
    oid: Oid,
    name: Type.String({ description: 'textual type name' }),
    valueInB64: Type.Boolean({ description: 'true when value is base64 of binary data' }),
    value: Type.String(),
  },
  { $id: 'NameAttribute' },
)
export type NameAttribute = Static<typeof NameAttribute>

export const StructuredName = Type.Array(Type.Array(NameAttribute), {
  description: 'array of RDNs in the order of the certificate',
})
export const AlternativeName = Type.Object({ type: Type.String(), value: Type.String() })

const certificateFacts = {
  signAlgorithm: Oid,
  certSignAlgorithm: Oid,
  serialNumber: Type.String({ description: 'lower-case hexadecimal' }),
  from: Milliseconds,
  until: Milliseconds,
  subject: Type.String({ description: 'RFC 4514' }),
  subjectStructure: StructuredName,
  issuer: Type.String({ description: 'RFC 4514' }),
  issuerStructure: StructuredName,
  policyIds: Strings,
  keyUsages: Type.Array(Type.String(), { description: 'names of RFC 5280 section 4.2.1.3' }),
  extKeyUsages: Strings,
}

/** Facts of a time stamp and of the certificate that signed it (specification, "TSP structure"). */
export const TspFacts = Type.Object(
  { timeStamp: Milliseconds, timeStampPolicy: Oid, ...certificateFacts },
  { $id: 'Tsp' },
)
export type TspFacts = Static<typeof TspFacts>

/** Facts of a certificate status answer and of the certificate that signed it (specification, "OCSP structure"). */
export const OcspFacts = Type.Object(
  {
    producedAt: Milliseconds,
    thisUpdate: Milliseconds,
    nextUpdate: Type.Optional(Milliseconds),
    certStatus: Type.Literal('good'),
    ...certificateFacts,
  },
  { $id: 'Ocsp' },
)
export type OcspFacts = Static<typeof OcspFacts>

const holderFacts = {
  businessId: Type.Optional(Type.String({ description: 'BIN of the signer' })),
  ...certificateFacts,
  subjectAltName: Type.Optional(Type.String()),
  subjectAltNameStructure: Type.Optional(Type.Array(AlternativeName)),
  keyStorage: Type.Optional(Oid),
}

/** Facts from the certificate of a signer, who need not be a person. */
export const HolderFacts = Type.Object(
  { userId: Type.Optional(Type.String({ description: 'IIN of the signer' })), ...holderFacts },
  { $id: 'HolderFacts' },
)
export type HolderFacts = Static<typeof HolderFacts>

const signatureFacts = {
  userId: Type.String({ description: 'IIN of the signer' }),
  ...holderFacts,
  signType: Type.Enum(['cms', 'xml']),
  tsp: Type.Optional(TspFacts),
  ocsp: Type.Optional(OcspFacts),
}

const SignedItself = Type.Record(Type.String(), Type.String(), {
  description:
    'OID to base64 of what the signature itself is over: no hash of the document, but where references are of an XML signature',
})

/** What of its document a signature is over, where that is not the document itself; ours. */
export const SignatureCoverage = Type.Union(
  [
    Type.Object({
      of: Type.Literal('ranges', { description: 'bytes of one revision of the document, such as a PDF' }),
      ranges: Type.Array(
        Type.Unsafe<readonly [from: number, to: number]>(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 })),
        { description: 'from, and to but not including' },
      ),
      digests: SignedItself,
    }),
    Type.Object({
      of: Type.Literal('references', { description: 'a list of files by their hashes' }),
      uris: Type.Array(Type.String(), { minItems: 1, maxItems: 1, description: 'what it calls the document' }),
      digests: SignedItself,
    }),
  ],
  { $id: 'SignatureCoverage', description: 'absent where the signature is over all of the document as it stands' },
)
export type SignatureCoverage = Static<typeof SignatureCoverage>

/** Facts of a verified signature before it is stored. */
export const SignatureFacts = Type.Object(signatureFacts, { $id: 'SignatureFacts' })
export type SignatureFacts = Static<typeof SignatureFacts>

/** A stored signature (specification, "Signature object"). */
export const Signature = Type.Object(
  {
    ...signatureFacts,
    storedAt: Milliseconds,
    signId: Type.Integer(),
    coverage: Type.Optional(SignatureCoverage),
  },
  { $id: 'Signature' },
)
export type Signature = Static<typeof Signature>

/** Request fields for a signature (specification, "Rules for signatures"). */
export const signatureInput = {
  signType: Type.Optional(Type.Enum(['cms', 'xml'], { default: 'cms' })),
  signature: Type.String({ description: 'CMS: DER in base64, or PEM; XML: the signature element' }),
}
