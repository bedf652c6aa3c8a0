/** Bounds on one XML text; each is refused with `signatureNotParsed` before it can cost. */
export interface XmlLimits {
  /** UTF-16 code units of the source. */
  readonly length: number
  /** Elements open at a time. */
  readonly depth: number
  /** Attributes and namespace declarations of one element. */
  readonly attributes: number
  /** Elements, texts, comments and processing instructions together. */
  readonly nodes: number
}

export const XML_LIMITS: XmlLimits = { length: 2 * 1024 * 1024, depth: 128, attributes: 128, nodes: 400_000 }
