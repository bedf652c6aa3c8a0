import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DevAuthorities } from './dev-authorities.js'
import { PEOPLE, type PersonName } from './named-people.js'
import { DevPhone } from './phone/dev-phone.js'
import { SIGN_METHODS } from './phone/sign-documents.js'

const USAGE = `Plays the mobile application: follows a link or the text of a QR code and signs what it is given.

  dev-phone --as <name> [options] <link or text of the code>

  --as <name>       ${Object.keys(PEOPLE).join(', ')}
  --cancel          refuse to sign
  --method <name>   sign otherwise than is asked: ${SIGN_METHODS.join(', ')}
  --folder <path>   the development authorities' folder; data/dev-authorities by default
  --insecure        believe whoever answers over TLS, such as a host with a certificate of its own`

const OPTIONS = {
  as: { type: 'string' },
  cancel: { type: 'boolean', default: false },
  method: { type: 'string' },
  folder: { type: 'string' },
  insecure: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** The `dev-phone` command: returns the exit status. */
export async function devPhone(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    if (values.help) console.log(USAGE)
    else await sign(values, positionals)
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(`dev-phone: ${error.message}\nTry: dev-phone --help`)
    return 1
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

async function sign(values: Values, codes: readonly string[]): Promise<void> {
  const [code, ...more] = codes
  if (code === undefined || more.length > 0) throw new Error('give exactly one link or text of a code')
  const { as: name = '', cancel = false, method, insecure, folder } = values
  if (!isPersonName(name)) throw new Error(`--as must be one of ${Object.keys(PEOPLE).join(', ')}`)
  const authorities = DevAuthorities.create({
    folder: folder ?? join(process.env.DATA_DIR ?? 'data', 'dev-authorities'),
  })
  const login = `${name.replace(/-auth$/, '')}-auth`
  const signer = authorities.named(name)
  const phone = new DevPhone(
    signer,
    isPersonName(login) ? authorities.named(login) : signer,
    insecure ? false : undefined,
  )
  const announcement = await phone.open(code)
  const { nameRu = '' } = announcement.organisation
  console.log(`${nameRu} asks: ${announcement.description || '(nothing said)'}`)
  const given = await phone.documents(announcement)
  const { documentsToSign = [] } = JSON.parse(given)
  for (const { nameRu: title } of documentsToSign) console.log(`  ${title}`)
  const { status, text } = await phone.answer(announcement, given, { cancel, ...(method !== undefined && { method }) })
  if (status !== 200) throw new Error(`the service answered ${status}: ${text}`)
  console.log(cancel ? 'refused' : 'signed')
}

const isPersonName = (name: string): name is PersonName => Object.hasOwn(PEOPLE, name)
