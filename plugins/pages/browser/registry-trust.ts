import type { RegistryTrust } from './evidence/question.js'

/** What bundles are judged by. */
export interface CheckTrust extends RegistryTrust {
  /** True where its revocation lists are too large to come along. */
  readonly withoutCrls: boolean
}

let loading: Promise<CheckTrust> | undefined

/** Whom the registry trusts. It is asked once, so that what is checked later needs no network. */
export function registryTrust(): Promise<CheckTrust> {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<CheckTrust> {
  const answer = await fetch('/check-trust.json')
  if (!answer.ok) throw new TypeError(`The registry answered ${answer.status}`)
  return answer.json()
}
