import { auditLog } from '#host/cli/audit-log/audit-log.js'

/** An outcome as `--json` tells it. */
export interface AuditOutcome {
  readonly outcome: string
  readonly findings: readonly { code: string; weight: string; text: string; index?: number; facts?: object }[]
  readonly publicEntries: readonly { index: number; entry: { kind: string } }[]
  readonly [fact: string]: unknown
}

/** Audits a log once with JSON; does not wait for a log that fails. */
export async function auditJson(
  args: readonly string[],
  timeoutMs = 20_000,
): Promise<
  AuditOutcome & { code: number; found: readonly string[]; wrong: readonly string[]; unread: readonly string[] }
> {
  const { code, out } = await auditText([...args, '--json'], timeoutMs)
  const outcome: AuditOutcome = JSON.parse(out)
  const { findings } = outcome
  const codesOf = (weight: string) => findings.filter((one) => one.weight === weight).map((one) => one.code)
  return {
    ...outcome,
    code,
    found: findings.map((one) => one.code),
    wrong: codesOf('wrong'),
    unread: codesOf('unread'),
  }
}

/** Audits a log once, as people see it. */
export async function auditText(args: readonly string[], timeoutMs = 20_000, env: Record<string, string> = {}) {
  const said = { out: '', err: '' }
  const console = {
    env,
    out(text: string) {
      said.out += text
    },
    err(text: string) {
      said.err += text
    },
  }
  const code = await auditLog(args, console, { timeoutMs, attempts: 1, pauseMs: 1 })
  return { code, ...said }
}
