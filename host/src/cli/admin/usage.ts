import { FEATURES, SUBSCRIPTIONS } from '@signed-registry/core'

export const USAGE = `Usage: signed-registry admin <command> [options]

Works on the database of a registry, which may be running: changes take effect with the next request.

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
  quota <BIN|IIN> <size|default> change what may be archived: 500MiB, 2GiB or a number of bytes;
                                 +2GiB adds to the current quota, until the same date
      --expires <date|never>     when the default applies again
  changes <BIN|IIN>              what administrators changed for them, one JSON object per line
  check-audit [hash]             recompute the chain of all audit events and print its last hash; keep it
                                 elsewhere and give it next time: fails when an event was changed, removed or added
  check-archive                  read every archived original, compare database and archive store both ways, and
                                 say what to do; JSON, one object per line; fails when they differ
      --delete-unknown           delete objects that the database does not know

  shares                         who takes most of temporary storage and of open procedures, and how many bytes: JSON,
                                 one object per line, all strangers and all callers together among them

  deliveries [state]             deliveries that failed, or are waiting, sending or delivered: JSON, one object
                                 per line, with the last error of each
  deliveries retry [id ...]      send these again, or all that failed; a running registry does it
      --channel <name>           only these, such as webhook or vehicleRegistration; also for the list
      --owner <owner>            only those of a BIN, or of a document
      --since <date>             only those made from this moment on

  log                            the log of the registry: its names, key and size, the newest checkpoint and time
                                 stamp, and why checkpoints are not signed, if they are not
  log prove <document>           print what the log proves of each signature and of the hashes, with the proofs
      --into <folder>            write the proofs (C2SP tlog-proof) into files of this folder
  log rotate-key                 make another key for the log: the first checkpoint after it is signed by both; then
                                 start every host with the new key
  log resume --yes               after a restore of an earlier database: end the log that can be signed no more, and
                                 begin one whose first entry names the last checkpoint of the ended one
  log resume-witness <origin>    after a restore at a witness: go on from the tree of that log that it cosigned last

  renewal                        the renewal of evidence: which proofs end when and how many signatures depend on them,
                                 how many are renewed, and what keeps the registry from it; --lost lists the signatures
                                 whose proof has ended or was lost
  renew                          renew everything now, due or not: a running registry begins within a minute

Options
  --json                         print JSON, one object per line
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
