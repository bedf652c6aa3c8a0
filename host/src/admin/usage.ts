import { FEATURES, SUBSCRIPTIONS } from '@signed-registry/core'

/** A command that cannot be understood; its message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const USAGE = `Usage: signed-registry admin <command> [options]

Works on the database of a registry, which may be running: changes take effect on the next request.

Commands
  list [organizations|users]     whom the registry knows, with subscription and archive
  show <BIN|IIN>                 one of them
  subscription <BIN> [changes]   change the subscription of an organization
      --name <name>              ${SUBSCRIPTIONS.join(', ')}
      --expires <date|never>     2027-01-31 (begins at 00:00 UTC) or 2027-01-31T18:00:00Z;
                                 an expired subscription has no feature
      --contact <e-mail|none>    whom to ask about the subscription
      --enable <feature>         may be repeated
      --disable <feature>        may be repeated; features:
${wrap(FEATURES)}
  quota <BIN|IIN> <size|default> change what may be archived: 500MiB, 2GiB or a number of bytes
      --expires <date|never>     when the default is in force again

Options
  --json                         answer JSON, one object in a line
  --help                         this text

An identifier is BIN or IIN and 12 digits. The database is the one of DATABASE_URL, or of DATA_DIR
(docs/configuration.md).
`

function wrap(names: readonly string[]): string {
  const lines: string[] = []
  for (let at = 0; at < names.length; at += 3) {
    lines.push(`                                 ${names.slice(at, at + 3).join(', ')}`)
  }
  return lines.join(',\n')
}
