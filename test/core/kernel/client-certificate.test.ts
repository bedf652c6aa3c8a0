import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { anyAddress, ClientCertificate, OutboundClient } from '@signed-registry/core'
import { localCertificate } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { clientCertificate, type TestClientCertificate } from '../../support/client-certificate.js'

describe('a client certificate in files', () => {
  let folder: string
  let files: { readonly certFile: string; readonly keyFile: string }
  const [first, second] = [clientCertificate(), clientCertificate()] as const
  const write = ({ pem, key }: Pick<TestClientCertificate, 'pem' | 'key'>) => {
    writeFileSync(files.certFile, pem)
    writeFileSync(files.keyFile, key)
  }
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-client-'))
    files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is shown as it was read last', async () => {
    write(first)
    const local = localCertificate(folder)
    const server = https.createServer({ ...local, requestCert: true, rejectUnauthorized: false }, (request, answer) => {
      const { socket } = request
      answer.end(socket instanceof TLSSocket ? socket.getPeerCertificate().fingerprint256 : '')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const url = `https://localhost:${typeof address === 'object' ? address?.port : 0}/`
    const certificate = new ClientCertificate('client', files)
    const client = new OutboundClient({ guard: anyAddress, clientCertificate: certificate, trust: local.cert })
    const shown = async () => {
      const { body } = await client.send({ url, timeoutMs: 20_000, maxBytes: 1000, ifLarger: 'refuse' })
      return body.toString().replaceAll(':', '').toLowerCase()
    }
    expect(await shown()).to.equal(first.digest)
    write(second)
    const read = await certificate.reread()
    expect(read.changed).to.match(/^client: until \d{4}-/)
    expect(await shown()).to.equal(first.digest)
    read.apply()
    expect(await shown()).to.equal(second.digest)
    expect((await certificate.reread()).changed).to.equal(undefined)
    client.close()
    server.close()
  })

  it('refuses, when it is read anew, files that are missing, do not belong together, or have ended', async () => {
    write(first)
    const certificate = new ClientCertificate('client', files)
    const refusal = () =>
      certificate.reread().then(
        () => '',
        (error: Error) => error.message,
      )
    writeFileSync(files.keyFile, second.key)
    expect(await refusal()).to.match(/^client \(\S+cert\.pem\): the key is not that of the certificate$/)
    writeFileSync(files.keyFile, 'no key')
    expect(await refusal()).to.match(/no PEM certificate with its key/)
    const ended = localCertificate(join(folder, 'ended'), { now: () => Date.UTC(2001, 0, 1) })
    write({ pem: ended.cert, key: ended.key })
    expect(await refusal()).to.match(/the certificate has ended on /)
    const early = localCertificate(join(folder, 'early'), { now: () => Date.UTC(2100, 0, 1) })
    write({ pem: early.cert, key: early.key })
    expect(await refusal()).to.match(/the certificate begins on /)
    rmSync(files.certFile)
    expect(await refusal()).to.match(/^client: cannot read /)
    expect(certificate.cert).to.equal(first.pem)
  })
})
