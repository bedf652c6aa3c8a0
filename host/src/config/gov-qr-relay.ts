import { readFileSync } from 'node:fs'
import { GovQrRelayOptions } from '@signed-registry/gov-qr-relay'
import { Value } from 'typebox/value'
import type { Variables } from './environment.js'
import { readTlsFiles } from './tls-files.js'

const PREFIX = 'GOV_QR_RELAY'

/** Reads `GOV_QR_RELAY_*`; says in `wrong` why they cannot be used. */
export function govQrRelayOf(variables: Variables, wrong: string[]): GovQrRelayOptions | undefined {
  const { GOV_QR_RELAY_URL: url, GOV_QR_RELAY_TRUST: trust } = variables
  const pair = readTlsFiles(variables, wrong, `${PREFIX}_TLS`)
  if (url === undefined) {
    const others = Object.keys(variables).filter((name) => name.startsWith(`${PREFIX}_`))
    for (const name of others) wrong.push(`${name}: needs ${PREFIX}_URL`)
    return undefined
  }
  const options = {
    url,
    ...(pair && { clientCertificate: { cert: pair.cert.toString(), key: pair.key.toString() } }),
    ...(trust !== undefined && { trust: read(trust) }),
  }
  if (Value.Check(GovQrRelayOptions, options) && URL.canParse(url)) return options
  const [first] = Value.Errors(GovQrRelayOptions, options)
  if (first === undefined || first.instancePath === '/url')
    wrong.push(`${PREFIX}_URL: takes an address that begins with https://; http:// will do for localhost alone`)
  else wrong.push(`${PREFIX}_*: cannot be used: ${first.instancePath} ${first.message}`)
  return undefined

  function read(file: string): string | undefined {
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      wrong.push(`${PREFIX}_TRUST: cannot be used: ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }
}
