import { DevAuthorities } from '@signed-registry/dev-authorities'
import { AuthorityServer } from './pki/authority-server.js'
import { SmtpSink } from './smtp-sink.js'

/**
 * What a registry finds in its network, as a program: authorities over HTTP, those of the folder that is named, and a server that
 * takes mails. Prints their addresses, then each mail, a line of JSON each.
 */
const [folder = ''] = process.argv.slice(2)
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const { tspUrl, ocspUrl } = await AuthorityServer.start(() => DevAuthorities.create({ folder }))
const mails = await SmtpSink.start()
print({ tspUrl, ocspUrl, smtpUrl: mails.url })
for (let count = 1; ; count += 1) {
  await mails.came(count)
  print({ mail: mails.got[count - 1]?.raw.toString() })
}
