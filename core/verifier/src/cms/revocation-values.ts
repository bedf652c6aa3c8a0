import { contextConstructed, expectTag, fieldsOf, SEQUENCE } from '../der/fields.js'
import { children, type DerElement } from '../der/reader.js'

/** What a revocation-values attribute has. */
export interface RevocationValues {
  readonly crls: readonly DerElement[]
  readonly answers: readonly DerElement[]
  /** Whether otherRevVals is present. */
  readonly others: boolean
}

/** RevocationValues (RFC 5126, 6.3.4); throws DerError. */
export function readRevocationValues(element: DerElement): RevocationValues {
  const fields = fieldsOf(element)
  const crls = fields.explicit(contextConstructed(0))
  const answers = fields.explicit(contextConstructed(1))
  const others = fields.takeIf(contextConstructed(2))
  fields.finish()
  return { crls: listOf(crls), answers: listOf(answers), others: others !== undefined }
}

const listOf = (element: DerElement | undefined): readonly DerElement[] =>
  element === undefined ? [] : children(expectTag(element, SEQUENCE))
