/** Of a text of a log as it is told: nobody reads more, and a log has as long ones as it likes. */
const MAX_TOLD = 300

/** The start of a text that somebody else wrote. */
export const short = (text: string): string => (text.length > MAX_TOLD ? `${text.slice(0, MAX_TOLD)}…` : text)

/** Facts with the starts of their texts; a copy, which keeps no longer text in memory. */
export function shortFacts(facts: object): object {
  return JSON.parse(JSON.stringify(facts, (_, value: unknown) => (typeof value === 'string' ? short(value) : value)))
}
