import { type Html, html, nothing, raw } from '../html.js'
import type { Visit } from '../visit.js'

/** Choice of the ways to sign, for `browser/signing.ts`. */
export function signingWays(
  { texts: { sign, login }, development, caller }: Visit,
  purpose: 'document' | 'login',
): Html {
  const ways: [string, string, string, Html][] = [
    ...(development
      ? ([['development', sign.development, sign.developmentHint, peopleChoice(sign.choosePerson, caller)]] satisfies [
          string,
          string,
          string,
          Html,
        ][])
      : []),
    [
      'ncalayer',
      sign.ncalayer,
      purpose === 'login' ? `${sign.ncalayerHint} ${login.ncalayerHint}` : sign.ncalayerHint,
      nothing,
    ],
    ['phone', sign.phone, sign.phoneHint, nothing],
    ...(purpose === 'document'
      ? ([['file', sign.file, sign.fileHint, fileChoice(sign.chooseSignature)]] satisfies [
          string,
          string,
          string,
          Html,
        ][])
      : []),
  ]
  return html`${ways.map(
    (
      [way, label, hint, more],
      index,
    ) => html`<div class="way"><input type="radio" name="way" id="way-${way}" value="${way}"${index === 0 ? raw(' checked') : nothing} aria-describedby="way-${way}-hint">
<div><label for="way-${way}">${label}</label><p class="hint" id="way-${way}-hint">${hint}</p>${more}</div></div>`,
  )}`
}

/** Whoever is logged in is chosen first. */
const peopleChoice = (label: string, caller: Visit['caller']): Html =>
  html`<div class="more" data-way="development"><label for="person">${label}</label><select id="person" name="person"${'iin' in caller ? html` data-iin="${caller.iin}"` : nothing}${caller.kind === 'employee' ? html` data-bin="${caller.bin}"` : nothing}></select></div>`

const fileChoice = (label: string): Html =>
  html`<div class="more" data-way="file"><label for="signature-file">${label}</label><input type="file" id="signature-file" accept=".cms,.p7s,.p7m,.sig,.xml,.pem,.sign"></div>`
