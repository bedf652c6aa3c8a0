import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readTrust, reportOf, type SignerVerdict, type Verdict, verify } from '@signed-registry/verifier'
import { type Console, UsageError } from './console.js'

/**
 * Judges a signature by the verifier alone: no registry, no network. Tells people what was looked at, programs the report that
 * others may keep (`--json`). Exit code 0 for a good one, 1 for any other.
 */
export async function verifyFiles(args: readonly string[], { env, out }: Console): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { trust: { type: 'string' }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [file, signature, ...more] = positionals
  if (file === undefined || signature === undefined || more.length > 0)
    throw new UsageError('Name a file and its signature')
  const anchors = values.trust ?? env.TRUST_ANCHORS
  if (!anchors) throw new UsageError('Say whom to trust: --trust PATH, or TRUST_ANCHORS')
  const verdict = verify(read(signature), { trust: readTrust(filesAt(anchors)), document: read(file) })
  out(values.json ? `${JSON.stringify(reportOf(verdict))}\n` : report(verdict))
  return verdict.valid ? 0 : 1
}

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

const filesAt = (path: string): Buffer[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.(pem|cer|crt|der|crl)$/i.test(name))
        .map((name) => read(join(path, name)))
    : [read(path)]

function report({ indication, subIndication, signatures }: Verdict): string {
  const lines = [`${indication}${subIndication === undefined ? '' : ` (${subIndication})`}`]
  for (const one of signatures) lines.push(...signerLines(one))
  return `${lines.join('\n')}\n`
}

function signerLines({ signature, conclusion, time, document, refusal, missing, checks }: SignerVerdict): string[] {
  return [
    '',
    `signer      ${signature?.signer.subject.toString() ?? 'unknown'}`,
    `conclusion  ${conclusion} at ${new Date(time).toISOString()}`,
    `document    ${document}`,
    ...(refusal === undefined
      ? []
      : [`refused     ${refusal.message} (${refusal.code}) ${JSON.stringify(refusal.details ?? {})}`]),
    ...(missing.length === 0 ? [] : [`missing     ${missing.join(', ')}`]),
    ...checks.map((check) => `check       ${JSON.stringify(check)}`),
  ]
}
