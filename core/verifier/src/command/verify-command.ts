import { parseArgs } from 'node:util'
import {
  type EvidenceOptions,
  type FilesVerdict,
  readTrust,
  reportJson,
  reportOf,
  reportWords,
  type VerifyOptions,
  verifyFiles,
} from '../index.js'
import { algorithmsAt } from './algorithms-file.js'
import { bundleText } from './bundle-lines.js'
import { cutMiddle, plain } from './columns.js'
import { type Console, UsageError } from './console.js'
import { detailLines } from './details.js'
import { type GivenFile, givenFiles } from './given-file.js'
import { bundleAmong, bundleInputs, type GivenBundle, judgeBundle, trustedKey } from './judge-bundle.js'
import { type GivenRecord, judgeRecordFile, recordAmong } from './judge-record-file.js'
import { policyAt } from './policy-file.js'
import { checkSignedReports } from './signed-report.js'
import { signerLines } from './signer-lines.js'
import { type Input, sortFiles } from './sort-files.js'
import { trustFilesAt } from './trust-files.js'
import { refuseReport, writeReport } from './write-report.js'

const FILE_COLUMNS = 38

/**
 * Judges files by the verifier alone: no registry, no network. Which are signatures and which documents their contents
 * tell. People get a few lines for each signature, all that was looked at by `--details`, programs the report that others
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
  const { verdict, inputs, text } =
    bundle === undefined
      ? await judgedFiles(given, options, values.details === true)
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
  for (const path of values.report ?? []) writeReport(path, verdict, about)
  out(values.json ? reportJson(reportOf(verdict, about)) : text())
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

/** Files that were judged, and what may be told of them. */
interface JudgedFiles {
  readonly verdict: FilesVerdict
  inputs(): readonly Input[]
  text(): string
}

async function judgedFiles(
  given: readonly GivenFile[],
  options: VerifyOptions,
  details: boolean,
): Promise<JudgedFiles> {
  const files = await sortFiles(given, options.trust)
  const verdict = verifyFiles(files, { ...options, resolve: files.resolve })
  return { verdict, inputs: () => files.inputs, text: () => forPeople(verdict, details) }
}

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

function forPeople({ outcome, signatures, documents }: FilesVerdict, details: boolean): string {
  const unsigned = documents.filter(({ signatures: own }) => own.length === 0)
  const parts = [
    ...signatures.map((one) => [...signerLines(one), ...(details ? detailLines(one) : [])]),
    unsigned.map(({ name }) => `No readable signature is on ${cutMiddle(plain(name), FILE_COLUMNS)}.`),
    documents
      .filter(({ signed }) => signed === 'part')
      .map(({ name }) => `Only a part of ${cutMiddle(plain(name), FILE_COLUMNS)} is signed.`),
    signatures.length === 0 ? ['There is no signature among these files.'] : [],
    signatures.length + unsigned.length > 1 ? [reportWords.en.outcome[outcome]] : [],
  ]
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`
}
