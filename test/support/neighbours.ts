import { text } from 'node:stream/consumers'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { SMTPServer } from 'smtp-server'
import { AuthorityServer } from './pki/authority-server.js'

/**
 * What a registry finds in its network, as a program: authorities over HTTP, those of the folder that is named, and a server that
 * takes mails. Prints their addresses, then each mail, a line of JSON each.
 */
const [folder = ''] = process.argv.slice(2)
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const { tspUrl, ocspUrl } = await AuthorityServer.start(() => DevAuthorities.create({ folder }))
const mails = new SMTPServer({
  ...{ authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'], logger: false },
  onData: (stream, _session, done) =>
    void text(stream).then((mail) => {
      print({ mail })
      done()
    }, done),
})
mails.listen(25, '127.0.0.1', () => print({ tspUrl, ocspUrl, smtpUrl: 'smtp://127.0.0.1:25?tls=off' }))
