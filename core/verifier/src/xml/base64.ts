/**
 * Decodes base64 (RFC 4648 section 4) with XML white space anywhere; undefined for anything that is not its one
 * canonical spelling: other characters, missing or superfluous padding, leftover bits, nothing at all.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const compact = text.replace(/[ \t\r\n]+/g, '')
  if (compact === '' || compact.length % 4 !== 0) return undefined
  const bytes = Buffer.from(compact, 'base64')
  return bytes.toString('base64') === compact ? bytes : undefined
}
