import { digits } from '../formats.js'
import { type Html, html } from '../html.js'
import type { Visit } from '../visit.js'

/** A person or an organization by IIN or BIN. */
export const partyNumber = ({ texts: { signature } }: Visit, party: string): string =>
  `${party.startsWith('BIN') ? signature.bin : signature.iin} ${digits(party)}`

/** A person or an organization: the name, where it is told, with the number beside it; else the number. */
export const partyName = (visit: Visit, party: string, name: string | undefined): Html =>
  name === undefined
    ? html`<span>${partyNumber(visit, party)}</span>`
    : html`<span class="party"><bdi>${name}</bdi> <small>${partyNumber(visit, party)}</small></span>`
