import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DevAuthorities } from './dev-authorities.js'
import { PEOPLE, type PersonName } from './named-people.js'
import { pem } from './pem.js'
import type { Subject } from './subject.js'

const USAGE = `Signs a file as one of the development people and prints the signature.

  dev-sign --as <name> [options] <file>

  --as <name>      ${Object.keys(PEOPLE).join(', ')}
  --folder <path>  the development authorities' folder; data/dev-authorities by default, made when absent
  --pem            print the CMS as PEM instead of base64 on one line
  --attached       put the file into the CMS
  --evidence       put a time stamp and an OCSP answer into the signature
  --xml            the file is XML: print the Signature element alone
  --data <path>    with --xml: write what was signed there; these bytes are the document to send`

const OPTIONS = {
  as: { type: 'string' },
  folder: { type: 'string' },
  pem: { type: 'boolean', default: false },
  attached: { type: 'boolean', default: false },
  evidence: { type: 'boolean', default: false },
  xml: { type: 'boolean', default: false },
  data: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

type Choices = ReturnType<typeof parse>

const parse = (args: readonly string[]) => {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  return { ...values, files: positionals }
}

/** The `dev-sign` command: prints a signature and returns the exit status. */
export function devSign(args: readonly string[]): number {
  try {
    const choices = parse(args)
    if (choices.help) console.log(USAGE)
    else process.stdout.write(signatureText(choices))
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(`dev-sign: ${error.message}\nTry: dev-sign --help`)
    return 1
  }
}

function signatureText(choices: Choices): string {
  const [file, ...more] = choices.files
  if (file === undefined || more.length > 0) throw new Error('name exactly one file to sign')
  const { as: name = '' } = choices
  if (!isPersonName(name)) throw new Error(`--as must be one of ${Object.keys(PEOPLE).join(', ')}`)
  if (choices.data !== undefined && !choices.xml) throw new Error('--data goes with --xml')
  const content = readFileSync(file)
  const folder = choices.folder ?? join(process.env.DATA_DIR ?? 'data', 'dev-authorities')
  const signer = DevAuthorities.create({ folder }).named(name)
  return choices.xml ? xmlText(signer, content, choices) : cmsText(signer, content, choices)
}

const isPersonName = (name: string): name is PersonName => Object.hasOwn(PEOPLE, name)

function xmlText(signer: Subject, content: Buffer, { data, evidence }: Choices): string {
  const signed = signer.signXml(content.toString('utf8'), { timeStamp: evidence, ocsp: evidence })
  if (data !== undefined) writeFileSync(data, signed.data)
  return `${signed.signature}\n`
}

function cmsText(signer: Subject, content: Buffer, choices: Choices): string {
  const { attached, evidence } = choices
  const cms = signer.signCms(content, { detached: !attached, timeStamp: evidence, ocsp: evidence })
  return choices.pem ? pem('CMS', cms) : `${cms.toString('base64')}\n`
}
