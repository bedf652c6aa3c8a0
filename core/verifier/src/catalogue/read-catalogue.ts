import type { AlgorithmEvaluation, AlgorithmEvaluations } from '../algorithms/evaluations.js'
import { type CataloguePart, policyIn } from './catalogue-part.js'
import { notRead } from './errors.js'

/** Until when algorithms are good, as somebody publishes it. */
export interface AlgorithmCatalogue {
  /** As its publisher calls it. */
  readonly name: string
  /** As it stands: ISO 8601. */
  readonly issuedAt: string
  readonly evaluations: AlgorithmEvaluations
}

const MAX_LENGTH = 4 * 2 ** 20
/** Of one algorithm. */
const MAX_OIDS = 64
const MAX_EVALUATIONS = 128
/** Of one evaluation. */
const MAX_PARAMETERS = 16
/** The parameters of keys that catalogues name: of RSA, and of DSA and curves. */
const SIZES: ReadonlySet<string | undefined> = new Set(['moduluslength', 'plength', 'qlength'])
const OID = /^[0-2](\.(0|[1-9][0-9]*)){1,127}$/
const NUMBER = /^[0-9]{1,6}$/
/** A day, and the moment or zone that may stand behind it. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:T[0-9:.]+)?(?:Z|[+-]\d\d:\d\d)?$/

/**
 * Reads a catalogue of algorithms, XML (RFC 5698) or JSON (ETSI TS 119 322), as `evaluations` of an `AlgorithmPolicy`. An algorithm
 * ends when its last day begins (UTC). Evaluations with a maximum, or by parameters that are not known here, count for nothing.
 * Signatures in it are not looked at: it is as good as where it comes from. Throws `algorithmCatalogueNotRead`.
 */
export function readAlgorithmCatalogue(text: string): AlgorithmCatalogue {
  if (text.length > MAX_LENGTH) throw notRead('tooLarge')
  const policy = policyIn(text)
  const evaluations = new Map<string, AlgorithmEvaluation[]>()
  for (const algorithm of policy.all('Algorithm')) {
    const [identifier] = algorithm.all('AlgorithmIdentifier')
    const name = textOf(identifier, 'Name') ?? ''
    const oids = [...new Set(identifier?.all('ObjectIdentifier').map(({ text }) => text))]
    if (oids.length === 0 || !oids.every((oid) => OID.test(oid))) throw notRead('objectIdentifier', { algorithm: name })
    const all = algorithm.all('Evaluation')
    if (oids.length > MAX_OIDS || all.length > MAX_EVALUATIONS) throw notRead('overLimit', { algorithm: name })
    const read = all.flatMap((one) => evaluationOf(one, name))
    for (const oid of oids) {
      const known = [...(evaluations.get(oid) ?? []), ...read]
      if (known.length > MAX_EVALUATIONS) throw notRead('overLimit', { algorithm: name })
      evaluations.set(oid, known)
    }
  }
  if (evaluations.size === 0) throw notRead('empty')
  return {
    name: textOf(policy.all('PolicyName')[0], 'Name') ?? '',
    issuedAt: textOf(policy, 'PolicyIssueDate') ?? '',
    evaluations: Object.fromEntries(evaluations),
  }
}

function evaluationOf(evaluation: CataloguePart, algorithm: string): AlgorithmEvaluation[] {
  const [validity] = evaluation.all('Validity')
  if (validity === undefined) throw notRead('validityMissing', { algorithm })
  const [from, until] = ['Start', 'End'].map((end) => timeOf(textOf(validity, end), algorithm))
  const parameters = evaluation.all('Parameter')
  if (parameters.length > MAX_PARAMETERS) throw notRead('overLimit', { algorithm })
  const sizes = parameters.map((one) => sizeOf(one, algorithm))
  const known = sizes.filter((bits) => bits !== undefined)
  if (known.length < sizes.length) return []
  const minBits = known.length > 0 ? Math.max(...known) : undefined
  return [
    {
      ...(minBits !== undefined && { minBits }),
      ...(from !== undefined && { from }),
      ...(until !== undefined && { until }),
    },
  ]
}

/** The least size of a key; `undefined` where a parameter says anything else. */
function sizeOf(parameter: CataloguePart, algorithm: string): number | undefined {
  const [min, max] = [textOf(parameter, 'Min'), textOf(parameter, 'Max')]
  if (!SIZES.has(parameter.name) || min === undefined || max !== undefined) return undefined
  if (!NUMBER.test(min)) throw notRead('parameter', { algorithm })
  return Number(min)
}

function timeOf(day: string | undefined, algorithm: string): number | undefined {
  if (day === undefined) return undefined
  const date = DAY.exec(day)?.[1] ?? ''
  const time = Date.parse(date)
  // 31 February would be 3 March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(date)) throw notRead('date', { algorithm })
  return time
}

const textOf = (part: CataloguePart | undefined, name: string): string | undefined => part?.all(name)[0]?.text
