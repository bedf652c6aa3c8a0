/** Version 1 behind the header of the outer sequence (RFC 4998, 3.1), then a list of algorithms, each a list that begins with an OID. */
const VERSION = '020101'
const LIST = '30(?:[0-7][0-9a-f]|81[0-9a-f]{2}|82[0-9a-f]{4}|83[0-9a-f]{6}|84[0-9a-f]{8})'
const EVIDENCE_RECORD = new RegExp(`^${LIST}${VERSION}${LIST}${LIST}06`)
const HEAD = 32

/** Whether a file is an evidence record by its first octets, or is called one: a broken record is said to be one. */
export const looksLikeRecord = (name: string, head: Buffer): boolean =>
  /\.ers$/i.test(name) || EVIDENCE_RECORD.test(head.toString('hex', 0, HEAD))
