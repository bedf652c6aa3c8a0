import { checkLength } from '../kernel/field-length.js'
import type { Limits } from '../kernel/limits.js'

/** The text of a comment; a blank one is none. Refuses one that is too long. */
export function commentText(comment: string | undefined, limits: Limits): string | undefined {
  if (comment === undefined) return undefined
  checkLength('comment', comment, limits.comment)
  return comment.trim() === '' ? undefined : comment
}
