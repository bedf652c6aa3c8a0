import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { GovQrRelayOptions } from '@signed-registry/gov-qr-relay'
import { VehicleRegistrationOptions } from '@signed-registry/vehicle-registration'
import {
  type AlgorithmEvaluations,
  etsiCatalogue,
  readAlgorithmCatalogue,
  VerifierError,
} from '@signed-registry/verifier'
import { readLogPolicy } from '@signed-registry/verifier/log'
import { Value } from 'typebox/value'
import type { Variables } from './environment.js'

/** A certificate and its key, PEM. */
export interface TlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
  /** Where they were read. */
  readonly certFile: string
  readonly keyFile: string
}

/** DKIM signing of mails (RFC 6376); the key is PEM. */
export interface DkimKey {
  readonly domain: string
  readonly selector: string
  readonly key: string
}

/** Reads the files that variables name; adds a line to `wrong` for each that cannot be used. */
export class GivenFiles {
  constructor(
    private readonly variables: Variables,
    private readonly wrong: string[],
  ) {}

  /** `TLS_CERT` and `TLS_KEY`, or another such pair: both or neither. */
  tls(pair = 'TLS'): TlsFiles | undefined {
    const [certName, keyName] = [`${pair}_CERT`, `${pair}_KEY`]
    const [certFile, keyFile] = [this.variables[certName], this.variables[keyName]]
    if (!certFile && !keyFile) return undefined
    if (!certFile || !keyFile) {
      this.wrong.push(`${certFile ? keyName : certName}: TLS needs both ${certName} and ${keyName}`)
      return undefined
    }
    const [cert, key] = [this.read(certName, certFile), this.read(keyName, keyFile)]
    if (cert === undefined || key === undefined) return undefined
    const problem = problemOf({ cert, key }, certName, keyName)
    if (problem !== undefined) this.wrong.push(problem)
    return { cert, key, certFile, keyFile }
  }

  /** A folder whose files are read later. */
  folder(name: string): void {
    const path = this.variables[name]
    if (path && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
      this.wrong.push(`${name}: is no folder: ${path}`)
  }

  /** `STATEMENT_KEY`, PEM. */
  statementKey(): string | undefined {
    const { STATEMENT_KEY: file } = this.variables
    return file ? this.privateKey('STATEMENT_KEY', file, 'ed25519', 'Ed25519') : undefined
  }

  /** The policies of `LOG_WITNESSES` and `LOG_WITNESS_FOR`; keys are read, to be sure that they can be, and stay in their files. */
  log(): { readonly witnesses?: string; readonly witnessFor?: string } {
    for (const name of ['LOG_KEY', 'LOG_WITNESS_KEY']) {
      const file = this.variables[name]
      if (file) this.privateKey(name, file, 'ed25519', 'Ed25519')
    }
    return {
      ...this.option('witnesses', 'LOG_WITNESSES', policy),
      ...this.option('witnessFor', 'LOG_WITNESS_FOR', policy),
    }
  }

  /** What `ALGORITHMS` says of algorithms: the catalogue of ETSI, or one in a file. */
  algorithms(): AlgorithmEvaluations | undefined {
    if (this.variables.ALGORITHMS === 'etsi') return etsiCatalogue.evaluations
    return this.option('algorithms', 'ALGORITHMS', catalogue).algorithms
  }

  /** `MAIL_DKIM_*`, all or none. */
  dkim(): DkimKey | undefined {
    const names = ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY'] as const
    const [domain, selector, file] = names.map((name) => this.variables[name])
    if (!domain && !selector && !file) return undefined
    if (!domain || !selector || !file) {
      const missing = names.filter((name) => !this.variables[name])
      this.wrong.push(...missing.map((name) => `${name}: DKIM needs ${names.join(', ')}`))
      return undefined
    }
    const key = this.privateKey('MAIL_DKIM_KEY', file, 'rsa', 'RSA')
    return key === undefined ? undefined : { domain, selector, key }
  }

  /** `VEHICLE_REGISTRATION_*`, all or nothing. */
  vehicleRegistration(): VehicleRegistrationOptions | undefined {
    const prefix = 'VEHICLE_REGISTRATION'
    const { VEHICLE_REGISTRATION_URL: url } = this.variables
    const pair = this.tls(`${prefix}_TLS`)
    if (url === undefined) return this.without(prefix)
    if (!URL.canParse(url)) this.wrong.push(`${prefix}_URL: is no address`)
    if (pair === undefined) {
      // A missing half of the pair was reported already.
      if (!this.variables[`${prefix}_TLS_CERT`] && !this.variables[`${prefix}_TLS_KEY`])
        this.wrong.push(
          `${prefix}_TLS_CERT: the authority knows the registry by its certificate: set it and ${prefix}_TLS_KEY`,
        )
      return undefined
    }
    const options = {
      url,
      ...clientCertificate(pair),
      ...this.option('trust', `${prefix}_TRUST`, (text) => text),
      ...this.option('catalogue', `${prefix}_CATALOGUE`, JSON.parse),
    }
    if (Value.Check(VehicleRegistrationOptions, options)) return options
    const [first] = Value.Errors(VehicleRegistrationOptions, options)
    this.wrong.push(`${prefix}_*: cannot be used: ${first?.instancePath} ${first?.message}`)
    return undefined
  }

  /** `GOV_QR_RELAY_*`. */
  govQrRelay(): GovQrRelayOptions | undefined {
    const prefix = 'GOV_QR_RELAY'
    const { GOV_QR_RELAY_URL: url } = this.variables
    const pair = this.tls(`${prefix}_TLS`)
    if (url === undefined) return this.without(prefix)
    const options = {
      url,
      ...(pair && clientCertificate(pair)),
      ...this.option('trust', `${prefix}_TRUST`, (text) => text),
    }
    if (Value.Check(GovQrRelayOptions, options) && URL.canParse(url)) return options
    const [first] = Value.Errors(GovQrRelayOptions, options)
    if (first === undefined || first.instancePath === '/url')
      this.wrong.push(`${prefix}_URL: takes an address that begins with https://; http:// will do for localhost alone`)
    else this.wrong.push(`${prefix}_*: cannot be used: ${first.instancePath} ${first.message}`)
    return undefined
  }

  /** `undefined` without a URL; the other variables of the group are a mistake then. */
  private without(prefix: string): undefined {
    for (const name of Object.keys(this.variables))
      if (name.startsWith(`${prefix}_`)) this.wrong.push(`${name}: needs ${prefix}_URL`)
  }

  private read(name: string, path: string): Buffer | undefined {
    try {
      return readFileSync(path)
    } catch {
      this.wrong.push(`${name}: cannot read ${path}`)
      return undefined
    }
  }

  private privateKey(name: string, file: string, type: string, called: string): string | undefined {
    try {
      const key = readFileSync(file, 'utf8')
      if (createPrivateKey(key).asymmetricKeyType === type) return key
      this.wrong.push(`${name}: is no ${called} key`)
    } catch {
      this.wrong.push(`${name}: ${file} holds no PEM key that can be read without a password`)
    }
    return undefined
  }

  private option<N extends string, V>(
    option: N,
    name: string,
    parse: (text: string) => V,
  ): { readonly [name in N]?: V } {
    const file = this.variables[name]
    const none: { readonly [name in N]?: V } = {}
    if (file === undefined) return none
    try {
      return { ...none, [option]: parse(readFileSync(file, 'utf8')) }
    } catch (error) {
      this.wrong.push(`${name}: cannot be used: ${error instanceof Error ? error.message : error}`)
      return none
    }
  }
}

/** The text of a policy, once it was read. */
function policy(text: string): string {
  readLogPolicy(text)
  return text
}

/** What a catalogue says; throws in words of people. */
function catalogue(text: string): AlgorithmEvaluations {
  try {
    return readAlgorithmCatalogue(text).evaluations
  } catch (error) {
    if (!(error instanceof VerifierError)) throw error
    const { reason, algorithm } = error.details ?? {}
    throw new Error(`it is no catalogue of algorithms: ${[reason, algorithm].filter(Boolean).join(', ')}`, {
      cause: error,
    })
  }
}

/** A client certificate, as plugins expect it: they read it anew by themselves. */
export const clientCertificate = ({ certFile, keyFile }: TlsFiles) => ({ clientCertificate: { certFile, keyFile } })

function problemOf(
  { cert, key }: Pick<TlsFiles, 'cert' | 'key'>,
  certName: string,
  keyName: string,
): string | undefined {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(cert)
  } catch {
    return `${certName}: holds no PEM certificate`
  }
  try {
    // TLS accepts a key that does not match the certificate without a word, and then fails every handshake.
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return `${keyName}: is not the key of ${certName}`
  } catch {
    return `${keyName}: holds no PEM key that can be read without a password`
  }
  try {
    createSecureContext({ cert, key })
    return undefined
  } catch (error) {
    return `${certName}, ${keyName}: cannot be used for TLS: ${error instanceof Error ? error.message : error}`
  }
}
