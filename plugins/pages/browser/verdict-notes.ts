import { day, moment } from './dates.js'
import { make, own } from './dom.js'
import type { ShownSignature } from './shown-signature.js'
import { part } from './signer.js'
import { verdictTexts as texts } from './verdict-texts.js'

/** Signatures of kinds that are not verified here, and what to do about them. */
export function unsupported({ feature, advice }: NonNullable<ShownSignature['unsupported']>): HTMLElement[] {
  const known = Object.entries(texts.features).find(([name]) => name === feature)?.[1]
  return [make('p', {}, known ?? advice)]
}

/** Notes to a verdict: where it is registered, which statuses were not checked, what does not count, and what else was signed. */
export function asides({ registered, unasked, unused, coverage }: ShownSignature): HTMLElement[] {
  const hint = (...text: (string | HTMLElement)[]) => make('p', { class: 'hint' }, ...text)
  const names = unasked.map(({ subjectStructure, subject }) => part(subjectStructure, 'CN') || subject)
  return [
    ...(registered === undefined ? [] : [hint(registration(registered))]),
    ...(coverage?.uris?.length ? [hint(`${texts.overUris}: `, own(coverage.uris.join(', ')))] : []),
    ...(names.length > 0 ? [hint(`${texts.unasked}: `, own(names.join('; ')))] : []),
    ...unused.map(({ kind, reason, time }) =>
      hint(
        `${texts.setAside}: ${texts.evidence[kind]}${time === undefined ? '' : `, ${moment(time)}`}. ${whyUnused(reason)}`,
      ),
    ),
  ]
}

const whyUnused = (reason: string): string => (reason === 'notJudged' ? texts.notJudged : `${texts.reason}: ${reason}.`)

function registration({ documentId, signId, storedAt }: NonNullable<ShownSignature['registered']>): HTMLElement {
  const text = storedAt === undefined ? texts.registeredOne : texts.registeredOn(day(storedAt))
  return make('a', { href: `/d/${documentId}#signature-${signId}` }, text)
}
