import { blockOf } from './documents.mjs'

/** The code of the client's README as a program: what it leaves to the reader stands before it. */
export function clientProgram() {
  const before = `import { DevAuthorities } from '@signed-registry/dev-authorities'
const person = DevAuthorities.create({ folder: 'data/dev-authorities' }).named('person-1')
const bytes = Buffer.from('A contract of ' + Date.now())
const file = new Blob([bytes])
const signature = person.signCms(bytes).toString('base64')
const show = (what: unknown) => console.log(what)
`
  const login = `
const asked = await registry.authenticate({ request: {} })
if (!('nonce' in asked)) throw new Error('There is no nonce')
const answer = person.signCms(Buffer.from(asked.nonce, 'base64'), { detached: false }).toString('base64')
await registry.authenticate({ request: { nonce: asked.nonce, signature: answer } })
`
  return before + readme("process.env.REGISTRY ?? ''").replace(/^const registry = .*$/m, (line) => line + login)
}

/** The same for a page of another origin, which is nobody and so has no lists. */
export const clientPage = (registry, contract, signature) => `
const file = new Blob([${JSON.stringify(contract)}])
const signature = ${JSON.stringify(signature)}
const show = () => undefined
${readme(JSON.stringify(registry)).replace(/^for await [\s\S]*?\n\n/m, '')}
document.title = documentId
`

function readme(address) {
  const code = blockOf('core/client/README.md', 'ts')
  const here = code.replace("'https://registry.example'", () => address)
  if (here === code) throw new Error('core/client/README.md names no address')
  return here
}
