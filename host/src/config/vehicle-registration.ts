import { readFileSync } from 'node:fs'
import { VehicleRegistrationOptions } from '@signed-registry/vehicle-registration'
import { Value } from 'typebox/value'
import type { Variables } from './environment.js'
import { readTlsFiles } from './tls-files.js'

const PREFIX = 'VEHICLE_REGISTRATION'

/** Reads `VEHICLE_REGISTRATION_*`, all or nothing; says in `wrong` why they cannot be used. */
export function vehicleRegistrationOf(variables: Variables, wrong: string[]): VehicleRegistrationOptions | undefined {
  const { VEHICLE_REGISTRATION_URL: url } = variables
  const pair = readTlsFiles(variables, wrong, `${PREFIX}_TLS`)
  if (url === undefined) {
    const others = Object.keys(variables).filter((name) => name.startsWith(`${PREFIX}_`))
    for (const name of others) wrong.push(`${name}: needs ${PREFIX}_URL`)
    return undefined
  }
  if (!URL.canParse(url)) wrong.push(`${PREFIX}_URL: is no address: ${url}`)
  if (pair === undefined) {
    // Half a pair was complained of already.
    const isNone = !variables[`${PREFIX}_TLS_CERT`] && !variables[`${PREFIX}_TLS_KEY`]
    if (isNone)
      wrong.push(
        `${PREFIX}_TLS_CERT: the authority knows the registry by its certificate: set it and ${PREFIX}_TLS_KEY`,
      )
    return undefined
  }
  const options = {
    url,
    clientCertificate: { cert: pair.cert.toString(), key: pair.key.toString() },
    ...fileOf('trust', `${PREFIX}_TRUST`, (text) => text),
    ...fileOf('catalogue', `${PREFIX}_CATALOGUE`, JSON.parse),
  }
  if (Value.Check(VehicleRegistrationOptions, options)) return options
  const [first] = Value.Errors(VehicleRegistrationOptions, options)
  wrong.push(`${PREFIX}_*: cannot be used: ${first?.instancePath} ${first?.message}`)
  return undefined

  function fileOf(option: string, name: string, read: (text: string) => unknown): object {
    const file = variables[name]
    if (file === undefined) return {}
    try {
      return { [option]: read(readFileSync(file, 'utf8')) }
    } catch (error) {
      wrong.push(`${name}: cannot be used: ${error instanceof Error ? error.message : error}`)
      return {}
    }
  }
}
