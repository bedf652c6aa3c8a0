import type { Signature } from '@signed-registry/client'
import { day, digits, namePart, personName, time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Logged } from '../logged.js'
import { meaning, roles } from '../meanings.js'
import type { Visit } from '../visit.js'
import { fact, facts } from './controls.js'
import { logDetails, loggedAlarm, loggedFact } from './logged.js'

/** A signature: who signed, for whom, in which role, when, the evidence, and what the transparency log says of it. */
export function signatureCard(visit: Visit, documentId: string, signature: Signature, logged: Logged): Html {
  const {
    language,
    texts: { signature: text },
  } = visit
  const { subjectStructure, userId, businessId, tsp, ocsp, storedAt, signId, extKeyUsages } = signature
  const role = roles(language, extKeyUsages).join(', ')
  const name = personName(subjectStructure)
  const isChanged = logged.state === 'changed'
  return html`<li class="card signature${isChanged ? ' bad' : ''}" id="signature-${signId}">
<h3><bdi>${name === '' ? digits(userId) : name}</bdi></h3>
${isChanged ? loggedAlarm(visit) : html`<p class="verdict good">${text.valid}</p>`}
<p class="signer">${
    businessId === undefined
      ? html`${text.person}, ${text.iin} ${digits(userId)}`
      : html`<strong><bdi>${namePart(subjectStructure, 'O')}</bdi></strong>, ${text.bin} ${digits(businessId)}; ${text.iin} ${digits(userId)}`
  }</p>
${facts(
  role === '' ? nothing : fact(text.role, role),
  fact(tsp === undefined ? text.noStamp : text.signedAt, time(language, tsp?.timeStamp ?? storedAt)),
  tsp === undefined ? nothing : fact(text.stampedBy, html`<bdi>${namePart(tsp.subjectStructure, 'CN')}</bdi>`),
  ocsp === undefined
    ? nothing
    : fact(
        text.status,
        html`<bdi>${namePart(ocsp.subjectStructure, 'CN')}</bdi>, ${text.statusAt} ${time(language, ocsp.producedAt)}`,
      ),
  loggedFact(visit, logged),
)}
<details><summary>${text.details}</summary>
${isChanged ? nothing : html`<p class="note">${text.validLong}</p>`}
${facts(
  fact(text.number, String(signId)),
  fact(text.format, signature.signType === 'xml' ? 'XML' : 'CMS'),
  fact(text.registeredAt, time(language, storedAt)),
  fact(text.subject, html`<bdi>${signature.subject}</bdi>`),
  fact(text.issuer, html`<bdi>${signature.issuer}</bdi>`),
  fact(text.serial, html`<code>${signature.serialNumber}</code>`),
  fact(text.validity, `${day(language, signature.from)} – ${day(language, signature.until)}`),
  fact(text.algorithm, meaning(language, signature.signAlgorithm)),
)}
<button type="button" class="small" data-live disabled data-signature="${documentId}/${signId}/${signature.signType}">${text.download}</button>
</details>
${logDetails(visit, `/api/${documentId}/signature/${signId}`, logged)}</li>`
}
