import { size } from '../formats.js'
import { type Html, html } from '../html.js'
import type { Visit } from '../visit.js'

/** How much of the archive quota is used. */
export const archiveUse = (
  { language, texts: { settings: text } }: Visit,
  { dataArchiveUsage, dataArchiveQuota }: { readonly dataArchiveUsage: number; readonly dataArchiveQuota: number },
): Html =>
  html`<p><label for="archive-use">${text.used}</label>: ${text.usedOf(size(language, dataArchiveUsage), size(language, dataArchiveQuota))}</p>
<progress id="archive-use" max="${Math.max(dataArchiveQuota, 1)}" value="${dataArchiveUsage}"></progress>`
