import { client } from './api.js'
import { fromBase64 } from './bytes.js'
import { byId } from './dom.js'
import { logInByPhone } from './phone-login.js'
import { prepareWays, signAll, way } from './signing.js'
import { onSubmit } from './submit.js'

const progress = byId('progress', HTMLElement)
prepareWays()

onSubmit(byId('login', HTMLFormElement), progress, async () => {
  await (way() === 'phone' ? logInByPhone(progress) : logInBySignature())
  return next()
})

async function logInBySignature(): Promise<void> {
  const answer = await client.authenticate({ request: {} })
  if (!('nonce' in answer)) return
  const { nonce } = answer
  const content = { blob: new Blob([fromBase64(nonce)]), name: document.title }
  const [signed] = await signAll([content], progress, 'authentication')
  if (signed !== undefined) await client.authenticate({ request: { nonce, signature: signed.signature } })
}

/** Where to continue after login; never on another site. */
function next(): string {
  const wanted = new URL(new URLSearchParams(location.search).get('next') ?? '/documents', location.origin)
  return wanted.origin === location.origin ? wanted.href : '/documents'
}
