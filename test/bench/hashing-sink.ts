import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { digestAlgorithm } from '#verifier/algorithms/digest.js'

/** The least that hashes what is sent: bare `node:http`, which answers the digests (OIDs as arguments) of each body. */
const algorithms = process.argv.slice(2).map((oid) => digestAlgorithm(oid))
const server = createServer(async (request, response) => {
  const hashers = algorithms.map((algorithm) => algorithm.create())
  for await (const chunk of request) for (const hasher of hashers) hasher.update(chunk)
  response.end(hashers.map((hasher) => Buffer.from(hasher.digest()).toString('hex')).join('\n'))
})
process.once('SIGTERM', () => server.close())
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`The registry is at http://127.0.0.1:${port}`)
})
