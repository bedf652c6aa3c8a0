import { parseArgs } from 'node:util'
import { type EvidenceOptions, readTrust, reportJson, reportOf, type VerifyOptions } from '../index.js'
import { algorithmsAt } from './algorithms-file.js'
import { bundleText } from './bundle-lines.js'
import { type Console, UsageError } from './console.js'
import { givenFiles } from './given-file.js'
import { bundleAmong, bundleInputs, type GivenBundle, judgeBundle, trustedKey } from './judge-bundle.js'
import { type JudgedFiles, judgeFiles } from './judge-files.js'
import { type GivenRecord, judgeRecordFile, recordAmong } from './judge-record-file.js'
import { policyAt } from './policy-file.js'
import { checkSignedReports } from './signed-report.js'
import { trustFilesAt } from './trust-files.js'
import { refuseReport, writeReport } from './write-report.js'

/**
 * Judges files by the verifier alone: no registry, no network. Which are signatures, which have signatures inside and which are
 * documents their contents tell. People get a few lines for each signature, all that was looked at by `--details`, programs the report that others
 * may keep (`--json`, or a file by `--report`). An evidence bundle is judged with the documents beside it. With `--key`, what the
 * registry says in it is trusted, and reports of a registry are checked by its note about them. `--policy` says which transparency
 * logs and witnesses are trusted (C2SP tlog-policy). An evidence record is judged with the one file that it is about. Exit code 0 where everything is
 * proved, 1 for anything else.
 */
export async function verifyCommand(args: readonly string[], { env, out }: Console): Promise<number> {
  const { values, positionals } = parsed(args)
  if (positionals.length === 0) throw new UsageError('Name files: signatures and the documents they sign')
  const anchors = values.trust ?? env.TRUST_ANCHORS
  if (!anchors && values.key === undefined) throw whomToTrust()
  const given = await givenFiles(positionals)
  const recorded = recordAmong(given)
  if (recorded !== undefined) return verifyRecord(recorded, values, { anchors, out })
  const bundle = bundleAmong(given)
  if (values.key !== undefined && bundle === undefined) {
    const { isGood, text } = await checkSignedReports(positionals, values.key, anchors || undefined)
    out(text)
    return isGood ? 0 : 1
  }
  if (!anchors) throw whomToTrust()
  if (values.policy !== undefined && bundle === undefined)
    throw new UsageError('--policy is for evidence bundles: only they have proofs of a log')
  for (const path of values.report ?? []) refuseReport(path)
  const options = { trust: readTrust(trustFilesAt(anchors)), ...rulesOf(values) }
  const { verdict, inputs, text, more } =
    bundle === undefined
      ? await judgeFiles(given, options, values.details === true)
      : judgedBundle(
          bundle,
          {
            ...options,
            ...(values.key !== undefined && { key: trustedKey(values.key) }),
            ...(values.policy !== undefined && { logPolicy: policyAt(values.policy) }),
          },
          values.details === true,
        )
  const { algorithms } = options
  const files = values.json || values.report !== undefined ? inputs() : []
  const about = { files, ...(algorithms && { algorithms }) }
  for (const path of values.report ?? []) writeReport(path, verdict, about, more?.())
  out(values.json ? reportJson({ ...reportOf(verdict, about), ...more?.() }) : text())
  return verdict.outcome === 'proved' ? 0 : 1
}

/** Judges a file by an evidence record, for which fewer options mean anything. */
function verifyRecord(
  given: GivenRecord,
  values: ReturnType<typeof parsed>['values'],
  { anchors, out }: Pick<Console, 'out'> & { readonly anchors: string | undefined },
): number {
  for (const option of ['key', 'policy', 'report'] as const)
    if (values[option] !== undefined) throw new UsageError(`--${option} means nothing for an evidence record`)
  if (!anchors) throw whomToTrust()
  const { isProved, json, text } = judgeRecordFile(given, {
    trust: readTrust(trustFilesAt(anchors)),
    ...rulesOf(values),
  })
  out(values.json ? json() : text())
  return isProved ? 0 : 1
}

const whomToTrust = () => new UsageError('Say whom to trust: --trust PATH or TRUST_ANCHORS')

function judgedBundle(given: GivenBundle, options: EvidenceOptions, details: boolean): JudgedFiles {
  const verdict = judgeBundle(given, options)
  return { verdict, inputs: () => bundleInputs(given, verdict), text: () => bundleText(verdict, details) }
}

/** What the verifier is told beyond its defaults. */
function rulesOf({ algorithms, 'tsa-expiry': tsaExpiry, revocation }: Rules): RulesOptions {
  if (tsaExpiry !== undefined && tsaExpiry !== 'accept' && tsaExpiry !== 'needsProof')
    throw new UsageError('--tsa-expiry takes accept or needsProof')
  if (revocation !== undefined && revocation !== 'signer' && revocation !== 'chain')
    throw new UsageError('--revocation takes signer or chain')
  return {
    ...(algorithms !== undefined && { algorithms: algorithmsAt(algorithms) }),
    ...(tsaExpiry && { tsaExpiry }),
    ...(revocation && { revocation }),
  }
}

type RulesOptions = Pick<VerifyOptions, 'algorithms' | 'tsaExpiry' | 'revocation'>

interface Rules {
  readonly algorithms?: string | undefined
  readonly 'tsa-expiry'?: string | undefined
  readonly revocation?: string | undefined
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        algorithms: { type: 'string' },
        key: { type: 'string' },
        policy: { type: 'string' },
        'tsa-expiry': { type: 'string' },
        revocation: { type: 'string' },
        trust: { type: 'string' },
        json: { type: 'boolean' },
        details: { type: 'boolean' },
        report: { type: 'string', multiple: true },
      },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
