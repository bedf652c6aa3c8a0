/** What means that there is no such mailbox (RFC 3463), and what means it where the server says no more. */
const NO_MAILBOX = /(^|\s)5\.(1\.(0|1|2|3|6|10)|2\.1)(?![.\d])/
const ENHANCED = /(^|\s)[245]\.\d{1,3}\.\d{1,3}(?![.\d])/
const NO_MAILBOX_CODES = new Set([550, 551, 553])

/** True for an answer that says that nothing will ever arrive at an address; a refusal of this mail alone is none. */
export const meansNoMailbox = (text: string, code?: number): boolean =>
  NO_MAILBOX.test(text) || (code !== undefined && !ENHANCED.test(text) && NO_MAILBOX_CODES.has(code))
