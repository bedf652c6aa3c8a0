import { attackers } from './attackers.js'

/** A process that attacks: kind, port of the host, own address. */
const [kind = '', port = '0', from = ''] = process.argv.slice(2)
// Connections that nobody reads from do not keep a process.
setInterval(() => undefined, 60_000)
attackers[kind]?.({ port: Number(port), from })
