/** How to write a node-set as bytes. */
export interface Canonicalization {
  readonly uri: string
  readonly kind: 'inclusive-1.0' | 'inclusive-1.1' | 'exclusive'
  readonly withComments: boolean
  /** InclusiveNamespaces PrefixList of exclusive canonicalization; the default namespace is the empty string. */
  readonly inclusivePrefixes: ReadonlySet<string>
}
