const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Orders by Unicode code point, as canonical XML sorts; JavaScript's own order puts U+10000 before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let i = 0; i < shorter; i += 1) {
    const a = left.charCodeAt(i)
    const b = right.charCodeAt(i)
    if (a === b) continue
    if (isSurrogate(a) !== isSurrogate(b)) return isSurrogate(a) ? 1 : -1
    return a - b
  }
  return left.length - right.length
}
