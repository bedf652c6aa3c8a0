import {
  type CertificateInUse,
  type CheckResult,
  certificateInUse,
  type Finding,
  runChecks,
} from '@signed-registry/core'
import type { Config } from '../config/config.js'
import { pluginsOf } from '../stock-plugins.js'
import { day } from './admin/moments.js'

const DAY_MS = 86_400_000
const WARN_DAYS = 30

/** Runs the checks of the plugins that the configuration asks for, and looks when the certificates end that the host shows. */
export async function checkPlugins(config: Config): Promise<readonly CheckResult[]> {
  const { databaseUrl, tls, choices } = config
  const { signaturePolicy } = choices
  const own = tls === undefined ? [] : [certificateInUse('TLS', tls.cert)]
  const { checks, certificates } = await runChecks({
    database: databaseUrl,
    plugins: pluginsOf(config),
    signaturePolicy,
  }).catch(failed)
  return [...checks, { name: 'certificates', findings: [...own, ...certificates].map((one) => endOf(one, Date.now())) }]
}

const failed = (error: unknown) => {
  const text = error instanceof Error ? error.message : String(error)
  return { checks: [{ name: 'plugins', findings: [{ state: 'fail' as const, text }] }], certificates: [] }
}

/** What is to be said of the end of a certificate. */
export function endOf({ use, subject, endsAt }: CertificateInUse, now: number): Finding {
  const name = `${use} (${subject})`
  if (endsAt <= now)
    return {
      state: 'fail',
      text: `${name} has ended on ${day(endsAt)}: put another one in its place, and reload the host`,
    }
  const days = Math.floor((endsAt - now) / DAY_MS)
  if (days >= WARN_DAYS) return { state: 'ok', text: `${name} ends on ${day(endsAt)}` }
  return { state: 'warn', text: `${name} ends in ${days} days, on ${day(endsAt)}: renew it, and reload the host` }
}
