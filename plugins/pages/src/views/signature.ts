import type { Signature } from '@signed-registry/client'
import { day, digits, namePart, personName, time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import { meaning, roles } from '../meanings.js'
import type { Visit } from '../visit.js'
import { fact, facts } from './controls.js'

/** A signature: who signed, for whom, in which role, when, and the evidence. */
export function signatureCard(visit: Visit, documentId: string, signature: Signature): Html {
  const {
    language,
    texts: { signature: text },
  } = visit
  const { subjectStructure, userId, businessId, tsp, ocsp, storedAt, signId, extKeyUsages } = signature
  const role = roles(language, extKeyUsages).join(', ')
  const name = personName(subjectStructure)
  return html`<li class="card signature" id="signature-${signId}">
<h3><bdi>${name === '' ? digits(userId) : name}</bdi></h3>
<p class="verdict good">${text.valid}</p>
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
)}
<details><summary>${text.details}</summary>
<p class="note">${text.validLong}</p>
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
</details></li>`
}
