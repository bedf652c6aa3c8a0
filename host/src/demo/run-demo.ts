import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  AddedSignature,
  Document,
  ExportedSignature,
  FixedDigests,
  RegisteredDocument,
  VerifiedDocument,
} from '@signed-registry/core'
import { type DevAuthorities, DevelopmentAuthorities, pem } from '@signed-registry/dev-authorities'
import { Problem } from '../http/problem.js'
import type { Host } from '../start-host.js'
import { ApiClient, answered } from './api-client.js'
import { openSslVerdict } from './openssl-verdict.js'
import { Story } from './story.js'

/**
 * Tells how a document is registered, co-signed, verified and exported, by doing it on a running development host.
 * Files to look at afterwards are left in `folder`.
 */
export async function runDemo(host: Host, file: string, folder: string, print: (line: string) => void): Promise<void> {
  const story = new Story(print)
  const api = new ApiClient(host.url)
  const authorities = host.registry.get(DevelopmentAuthorities)
  const original = readFileSync(file)
  const title = basename(file)
  const signedBy = (name: 'person-1' | 'employee-1') => authorities.named(name).signCms(original).toString('base64')

  story.step(`The first person signs ${title} (${original.length} bytes) and registers the signature`)
  const { documentId, signId } = answered(
    RegisteredDocument,
    await api.post('/api', { title, signature: signedBy('person-1') }),
  )
  story.fact(`documentId ${documentId}, signId ${signId}`)
  story.fact(
    'The registry asked the authorities for a time stamp and a certificate status, and keeps both as evidence.',
  )

  story.step('The original is sent once; the registry fixes its hashes and does not keep it')
  const { digests } = answered(FixedDigests, await api.upload(`/api/${documentId}/data`, original))
  for (const [oid, value] of Object.entries(digests)) story.fact(`${oid}: ${value}`)

  story.step('A second person, for an organization, adds a signature')
  const added = answered(AddedSignature, await api.post(`/api/${documentId}`, { signature: signedBy('employee-1') }))
  story.fact(`signId ${added.signId}`)

  story.step('Whoever knows the identifier can ask who signed, and when')
  const { signatures } = answered(Document, await api.get(`/api/${documentId}`))
  for (const { subject, tsp, ocsp } of signatures) {
    story.fact(subject)
    story.fact(`  at ${new Date(tsp?.timeStamp ?? 0).toISOString()}, certificate status ${ocsp?.certStatus}`)
  }

  story.step('The original is verified against every signature and its evidence')
  answered(VerifiedDocument, await api.upload(`/api/${documentId}/verify`, original))
  story.fact('It is what they signed.')

  story.step('Somebody changes one bit and tries again')
  const tampered = Buffer.from(original)
  tampered.writeUInt8(tampered.readUInt8(0) ^ 1, 0)
  const refused = await api.upload(`/api/${documentId}/verify`, tampered)
  story.fact(`HTTP ${refused.status}: ${answered(Problem, refused).message}`)

  story.step('The first signature is exported with its evidence, for programs that do not know the registry')
  const exported = answered(ExportedSignature, await api.get(`/api/${documentId}/signature/${signId}`))
  const files = { cms: join(folder, `${title}.p7s`), original: join(folder, title), trust: join(folder, 'trust.pem') }
  writeFileSync(files.cms, Buffer.from(exported.signature, 'base64'))
  writeFileSync(files.original, original)
  writeFileSync(files.trust, trustPem(authorities))
  for (const line of openSslVerdict(files)) story.fact(line)

  print(`
What to try next
   npm start, and the worked example of README.md
   npm run demo -- FILE, with a file of your own
   docs/embedding.md, to put the registry into an application of your own
`)
}

const trustPem = ({ anchors, intermediates }: DevAuthorities): string =>
  [...anchors, ...intermediates].map((der) => pem('CERTIFICATE', der)).join('')
