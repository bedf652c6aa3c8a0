import type { DocumentLogProof, LogReport, WitnessReport } from '@signed-registry/core'
import { ago, moment } from './moments.js'

/** How a log is getting on, in a few readable lines. */
export function logWords(report: LogReport): string {
  const { isOn, log, address, pending, checkpoint, stamp, witnesses, halted, earlier } = report
  if (!isOn) return 'The log is off (LOG=off).\n'
  if (log === undefined) return 'The registry has not begun a log yet.\n'
  const newest = (one: LogReport['checkpoint']) => (one ? `of ${one.size} entries, ${ago(one.at)}` : 'none yet')
  const lines = [
    log.origin,
    `  address     ${address}`,
    `  key         ${log.verifierKey ?? 'none yet'}`,
    `  size        ${log.size} entries; ${pending} wait`,
    `  checkpoint  ${newest(checkpoint)}`,
    `  time stamp  ${stamp ? `over the checkpoint ${newest(stamp)}` : 'none yet'}`,
    ...witnesses.map((witness) => `  witness     ${witnessWords(witness)}`),
    ...earlier.map((origin) => `  succeeded   ${origin}`),
    ...(halted ? [`  not signed  ${halted.reason}: ${halted.advice}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function witnessWords({ name, size, cosignedAt = 0, failedAt = 0, failure }: WitnessReport): string {
  const cosigned = cosignedAt === 0 ? 'has cosigned nothing yet' : `cosigned ${size} entries ${ago(cosignedAt)}`
  return `${name} ${cosigned}${failedAt > cosignedAt ? `, and failed ${ago(failedAt)}: ${failure}` : ''}`
}

/** What the log proves of a part of a document, in words. */
export function proofWords({ kind, ref, proved }: DocumentLogProof): string {
  const what = kind === 'signature' ? `Signature ${ref}` : `Hashes of ${ref}`
  if (proved.state !== 'logged') return `${what}: ${UNPROVED[proved.state]}\n`
  const { origin, index, size, checkpoint } = proved
  const lines = [`${what}: entry ${index} of ${origin}, in the tree of its signed checkpoint of ${size} entries`]
  if (checkpoint.stampedAt !== undefined) lines.push(`  logged before ${moment(checkpoint.stampedAt)} (time stamp)`)
  return `${lines.join('\n')}\n`
}

const UNPROVED = {
  absent: 'it is not in the log; that is as it should be only if it was registered while the registry kept no log',
  off: 'it is not logged, and the log is off',
  pending: 'its entry, or a checkpoint that covers it, is still to come',
  changed: 'IT IS NOT WHAT WAS LOGGED: it was changed since, or what opens its entry is gone',
  broken: 'the log cannot be read: a part of it is lost or was changed',
} as const
