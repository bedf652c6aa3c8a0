/** Values of a server's variables by their names. */
export type ServerSettings = Readonly<Record<string, string>>

const MIN_PACKET = 64 * 1024 * 1024

/** What is wrong with a value while others are as they are; `undefined` where nothing is. */
const CHECKS: Readonly<Record<string, (value: string, all: ServerSettings) => string | undefined>> = {
  innodb_flush_log_at_trx_commit: (value) =>
    value === '1' ? undefined : 'what was acknowledged may be lost when the machine fails; 1 keeps it',
  innodb_doublewrite: (value) =>
    value === 'OFF' || value === '0' ? 'a page that was half written when the machine failed is lost' : undefined,
  // At READ COMMITTED MIXED logs rows, too; Galera knows no other than ROW.
  binlog_format: (value, { log_bin, wsrep_on }) =>
    value === 'ROW' || (wsrep_on !== 'ON' && (value === 'MIXED' || log_bin !== 'ON'))
      ? undefined
      : 'replicas may come to hold other rows than this server; ROW does not',
  sync_binlog: (value, { log_bin }) =>
    value === '1' || log_bin !== 'ON'
      ? undefined
      : 'replicas may miss what this server kept when it failed; 1 prevents it',
  max_allowed_packet: (value) => (Number(value) >= MIN_PACKET ? undefined : 'large rows are refused; at least 64 MiB'),
}

/** The variables that `unsafeSettings` looks at. */
export const SETTINGS_LOOKED_AT: readonly string[] = [...Object.keys(CHECKS), 'log_bin', 'wsrep_on']

/** Settings of a server under which what was acknowledged may be lost or refused, each with its reason. */
export const unsafeSettings = (all: ServerSettings): string[] =>
  Object.entries(CHECKS).flatMap(([name, check]) => {
    const value = all[name]
    const problem = value === undefined ? undefined : check(value, all)
    return problem === undefined ? [] : `${name} is ${value}: ${problem}`
  })
