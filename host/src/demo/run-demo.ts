import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, isProblem } from '@signed-registry/client'
import { LogState } from '@signed-registry/core'
import { type DevAuthorities, DevelopmentAuthorities, pem } from '@signed-registry/dev-authorities'
import type { Host } from '../start-host.js'

/**
 * Shows how a document is registered, co-signed, verified and exported, on a running development host. Leaves files to look
 * at in `folder`.
 */
export async function runDemo(host: Host, file: string, folder: string, print: (line: string) => void): Promise<void> {
  const story = new Story(print)
  const registry = createClient({ baseUrl: host.url })
  const authorities = host.registry.get(DevelopmentAuthorities)
  const original = readFileSync(file)
  const title = basename(file)
  const signedBy = (name: 'person-1' | 'employee-1') => authorities.named(name).signCms(original).toString('base64')

  story.step(`The first person signs ${title} (${original.length} bytes) and registers the signature`)
  const { documentId, signId } = await registry.registerDocument({
    request: { title, signature: signedBy('person-1') },
  })
  const document = { id: documentId }
  story.fact(`documentId ${documentId}, signId ${signId}`)
  story.fact(
    'The registry asked the authorities for a time stamp and a certificate status, and keeps both as evidence.',
  )

  story.step('The original is sent once; the registry fixes its hashes and does not keep it')
  const { digests } = await registry.fixDigests({ ...document, upload: original })
  for (const [oid, value] of Object.entries(digests)) story.fact(`${oid}: ${value}`)

  story.step('A second person, for an organization, adds a signature')
  const added = await registry.addSignature({ ...document, request: { signature: signedBy('employee-1') } })
  story.fact(`signId ${added.signId}`)

  story.step('Anyone who knows the identifier can ask who signed, and when')
  const { signatures } = await registry.getDocument(document)
  for (const { subject, tsp, ocsp } of signatures) {
    story.fact(subject)
    story.fact(`  at ${new Date(tsp?.timeStamp ?? 0).toISOString()}, certificate status ${ocsp?.certStatus}`)
  }

  story.step('The original is verified against every signature and its evidence')
  await registry.verifyDocument({ ...document, upload: original })
  story.fact('It is what they signed.')

  story.step('Somebody changes one bit and tries again')
  const tampered = Buffer.from(original)
  tampered.writeUInt8(tampered.readUInt8(0) ^ 1, 0)
  const refused = await registry.verifyDocument({ ...document, upload: tampered }).catch((error: unknown) => error)
  if (!isProblem(refused)) throw new Error('It was not refused')
  story.fact(`HTTP ${refused.status}: ${refused.message}`)

  story.step('The first signature is exported with its evidence, for programs that do not know the registry')
  const exported = await registry.exportSignature({ ...document, signId: signId ?? 0 })
  const files = { cms: join(folder, `${title}.p7s`), original: join(folder, title), trust: join(folder, 'trust.pem') }
  writeFileSync(files.cms, Buffer.from(exported.signature, 'base64'))
  writeFileSync(files.original, original)
  writeFileSync(files.trust, trustPem(authorities))
  for (const line of openSslVerdict(files)) story.fact(line)

  story.step('What was registered is logged, where not even the operator can change it unnoticed')
  for (const line of await logged(host)) story.fact(line)

  print(`
What to try next
   npm start, and the worked example of README.md
   npm run demo -- FILE, with a file of your own
   docs/embedding.md, to put the registry into an application of your own
`)
}

const trustPem = ({ anchors, intermediates }: DevAuthorities): string =>
  [...anchors, ...intermediates].map((der) => pem('CERTIFICATE', der)).join('')

const POLL_MS = 100

/** What the log says, once it has a checkpoint over all that was registered. */
async function logged({ registry, url }: Host): Promise<string[]> {
  const state = registry.get(LogState)
  for (;;) {
    const { log, checkpoint, pending } = await state.report()
    if (log !== undefined && checkpoint?.size === log.size && log.size > 0 && pending === 0)
      return [
        `${log.size} entries, and a checkpoint over them that is signed by ${log.verifierKey}`,
        `curl ${url}/log/${log.name}/checkpoint`,
      ]
    await sleep(POLL_MS)
  }
}

/** Prints the demo as numbered steps. */
class Story {
  private steps = 0

  constructor(private readonly print: (line: string) => void) {}

  step(title: string): void {
    this.steps += 1
    this.print(`\n${this.steps}. ${title}`)
  }

  fact(line: string): void {
    this.print(`   ${line}`)
  }
}

/** Verifies an exported CMS with OpenSSL: the command line, and what it prints. */
function openSslVerdict(files: { cms: string; original: string; trust: string }): string[] {
  const { cms, original, trust } = files
  const given = ['-inform', 'DER', '-in', cms, '-content', original, '-CAfile', trust, '-purpose', 'any']
  const args = ['cms', '-verify', '-binary', ...given]
  const { status, stderr, error } = spawnSync('openssl', [...args, '-out', '/dev/null'], { encoding: 'utf8' })
  const said = error ? 'OpenSSL is not installed here; run the command where it is.' : `OpenSSL: ${stderr.trim()}`
  if (!error && status !== 0) throw new Error(`OpenSSL refused the exported signature: ${stderr}`)
  return [`openssl ${args.join(' ')} -out /dev/null`, said]
}
