import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveFs } from '@signed-registry/archive-fs'
import { archiveS3 } from '@signed-registry/archive-s3'
import { bouncesMaildir } from '@signed-registry/bounces-maildir'
import { checkContract } from '@signed-registry/core/contracts'
import { govQrRelay } from '@signed-registry/gov-qr-relay'
import { mailerSmtp } from '@signed-registry/mailer-smtp'
import { scannerClamd } from '@signed-registry/scanner-clamd'
import { vehicleRegistration } from '@signed-registry/vehicle-registration'
import { expect } from 'chai'
import { checkOf } from '../support/check-of.js'
import { clientCertificate } from '../support/client-certificate.js'
import { freePort } from '../support/free-port.js'
import { hold } from '../support/hold.js'
import { SmtpSink } from '../support/smtp-sink.js'
import { VehicleAuthority } from '../support/vehicle-authority.js'

describe('the checks of the stock plugins', () => {
  let folder: string
  let nowhere: number
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-checks-'))
    nowhere = await freePort()
    writeFileSync(join(folder, 'file'), '')
    for (const name of ['new', 'cur', 'tmp']) mkdirSync(join(folder, 'maildir', name), { recursive: true })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  describe('of a folder of originals', () => {
    const check = (name: string, reserve = 0) => checkOf(archiveFs({ folder: join(folder, name), reserve }))
    hold(checkContract({ well: () => check(''), ill: () => check('file') }))

    it('warns while there is no folder, or less room than the reserve', async () => {
      const signal = AbortSignal.timeout(10_000)
      expect(await check('none').check(signal)).to.include({ state: 'warn' })
      expect(await check('', 2 ** 52).check(signal)).to.deep.include({ state: 'warn' })
    })
  })

  describe('of a Maildir', () => {
    const check = (name: string) => checkOf(bouncesMaildir({ folder: join(folder, name) }))
    hold(checkContract({ well: () => check('maildir'), ill: () => check('none') }))
  })

  describe('of an object store', () => {
    const secretAccessKey = 'a-secret-of-tests'
    const server = createHttpServer(({ url = '' }, response) => {
      const isKnown = url.startsWith('/bucket?')
      const answer = isKnown ? '<ListBucketResult/>' : '<Error><Code>NoSuchBucket</Code></Error>'
      response.writeHead(isKnown ? 200 : 404).end(answer)
    })
    let endpoint: string
    before(async () => {
      const port = await freePort()
      endpoint = `http://127.0.0.1:${port}`
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    })
    after(() => server.close())
    const check = (bucket: string, at = endpoint) =>
      checkOf(archiveS3({ endpoint: at, bucket, accessKeyId: 'key', secretAccessKey }))
    hold(checkContract({ well: () => check('bucket'), ill: () => check('nowhere'), secret: secretAccessKey }))

    it('says that nobody answers', async () => {
      const found = await check('bucket', `http://127.0.0.1:${nowhere}`).check(AbortSignal.timeout(10_000))
      expect(found)
        .to.deep.include({ state: 'fail' })
        .and.have.property('text')
        .match(/did not answer/)
    })
  })

  describe('of clamd', () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (asked) => socket.end(`${asked}` === 'zVERSION\0' ? 'ClamAV 1.4.3\0' : 'UNKNOWN COMMAND\0'))
    })
    let port: number
    before(async () => {
      port = await freePort()
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    })
    after(() => server.close())
    const check = (at: number) => checkOf(scannerClamd({ address: `127.0.0.1:${at}` }))
    hold(checkContract({ well: () => check(port), ill: () => check(nowhere) }))
  })

  describe('of a mail server', () => {
    let sink: SmtpSink
    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    const check = (url: string) => checkOf(mailerSmtp({ url, from: 'registry@example.kz' }))
    hold(
      checkContract({
        well: () => check(sink.url),
        ill: () => check(`smtps://user:hush-hush@127.0.0.1:${nowhere}`),
        secret: 'hush-hush',
      }),
    )
  })

  describe('of the authority that registers vehicles', () => {
    let authority: VehicleAuthority
    before(async () => {
      authority = await VehicleAuthority.start()
    })
    after(() => authority.close())
    const stranger = clientCertificate()
    hold(
      checkContract({
        well: () => checkOf(vehicleRegistration(authority.options)),
        ill: () =>
          checkOf(
            vehicleRegistration({ ...authority.options, clientCertificate: { cert: stranger.pem, key: stranger.key } }),
          ),
      }),
    )
  })

  describe('of the service that the mobile app trusts', () => {
    const server = createHttpServer((_request, response) => response.writeHead(405).end())
    let port: number
    before(async () => {
      port = await freePort()
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    })
    after(() => server.close())
    const check = (at: number) => checkOf(govQrRelay({ url: `http://127.0.0.1:${at}/api/govQr` }))
    hold(checkContract({ well: () => check(port), ill: () => check(nowhere) }))
  })
})
