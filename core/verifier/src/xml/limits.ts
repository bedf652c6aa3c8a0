/** Limits for parsing XML, enforced with `signatureNotParsed`. */
export interface XmlLimits {
  /** UTF-16 code units of the source. */
  readonly length: number
  /** Elements open at a time. */
  readonly depth: number
  /** Attributes and namespace declarations of one element. */
  readonly attributes: number
  /** Total of elements, texts, comments and processing instructions. */
  readonly nodes: number
}

export const XML_LIMITS: XmlLimits = { length: 2 * 1024 * 1024, depth: 128, attributes: 128, nodes: 400_000 }
