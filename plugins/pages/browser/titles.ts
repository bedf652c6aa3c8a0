/** Characters that the registry refuses in titles, since they serve as file names. */
const RESERVED = /[\\/:*?"<>|]/g
const INVISIBLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** The closest valid title to a file name: systems allow different characters in names. */
export const titleOf = (name: string): string => {
  const title = name.replace(RESERVED, '_').replace(INVISIBLE, '')
  return /^\.{1,2}$/.test(title) ? '' : title
}
