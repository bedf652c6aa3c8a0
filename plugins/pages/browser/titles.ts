/** What no title may hold, since it serves as a file name: the registry refuses it. */
const RESERVED = /[\\/:*?"<>|]/g
const INVISIBLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** A title as near to what a file is called as titles may be: systems differ in the names that they allow. */
export const titleOf = (name: string): string => {
  const title = name.replace(RESERVED, '_').replace(INVISIBLE, '')
  return /^\.{1,2}$/.test(title) ? '' : title
}
