import type { MakeReportRequest, SignedReport } from '@signed-registry/client'
import { client, sayFailure } from './api.js'
import { fromBase64 } from './bytes.js'
import { make } from './dom.js'
import { reportLanguage, texts } from './texts.js'

/** Signatures and the hashes of the signed content, as sent to the registry. */
export type ReportedFiles = Pick<MakeReportRequest, 'signatures' | 'documents'>

/** A button that has the registry make and sign a report, then offers it for download. */
export function signedReport(files: ReportedFiles): HTMLElement {
  const place = make('div')
  const button = make('button', { type: 'button', class: 'small' }, texts.signReport)
  button.addEventListener('click', async () => {
    button.setAttribute('disabled', '')
    try {
      const report = await client.makeReport({ request: { ...files, language: reportLanguage } })
      place.replaceChildren(...saved(report))
    } catch (error) {
      button.removeAttribute('disabled')
      await sayFailure(place, error)
    }
  })
  return make('div', { class: 'signed-report' }, make('p', { class: 'actions' }, button), place)
}

function saved({ html, xml, json, note, timeStamp }: SignedReport): HTMLElement[] {
  const token = timeStamp.token === undefined ? undefined : fromBase64(timeStamp.token)
  const links = [
    link('html', new Blob([html], { type: 'text/html' })),
    link('xml', new Blob([xml], { type: 'application/xml' })),
    link('json', new Blob([json], { type: 'application/json' })),
    ...(note === undefined ? [] : [link('note', new Blob([note], { type: 'text/plain' }))]),
    ...(token === undefined ? [] : [link('tst', new Blob([token], { type: 'application/timestamp-reply' }))]),
  ]
  return [
    make(
      'p',
      { class: 'actions' },
      ...links.flatMap((one, at) => (at === 0 ? [one] : [document.createTextNode(' '), one])),
    ),
    make('p', { class: 'note' }, texts.signReportText, ' ', texts.stamped[timeStamp.state]),
  ]
}

const link = (kind: 'html' | 'xml' | 'json' | 'note' | 'tst', content: Blob): HTMLElement =>
  make('a', { href: URL.createObjectURL(content), download: `${texts.report}.${kind}` }, texts.reportFiles[kind])
