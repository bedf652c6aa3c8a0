import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveFs } from '@signed-registry/archive-fs'
import { Ledger } from '@signed-registry/core'

import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { openSocket, postJson, receivedBy, request, sendRaw } from '../../support/http.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { until } from '../../support/until.js'

const LIMIT = 2 ** 22

describe('a registration in a form, with the original', () => {
  let host: TestHost
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-form-'))
    const authorities = presentAuthorities()
    host = await startTestHost(openSqlite, {
      authorities,
      plugins: [devAuthorities({ authorities }), archiveFs({ folder })],
      limits: { json: 2 ** 20, upload: LIMIT },
    })
  })
  after(async () => {
    await host.close()
    rmSync(folder, { recursive: true })
  })

  const signed = (original: Uint8Array, more: object = {}) => {
    const signature = host.authorities.person().signCms(Buffer.from(original)).toString('base64')
    return { signature, ...more }
  }
  const form = (registration: unknown, original: Uint8Array<ArrayBuffer>, name = 'original') => {
    const parts = new FormData()
    parts.append('request', new Blob([JSON.stringify(registration)], { type: 'application/json' }))
    parts.append(name, new Blob([original]), 'договор.pdf')
    return parts
  }
  const post = (body: FormData, headers: Record<string, string> = {}) =>
    request(`${host.url}/api`, { method: 'POST', body, headers })

  it('registers the document and fixes its hashes, with one answer', async () => {
    for (const size of [0, 1, 3_000_000, LIMIT]) {
      const original = randomBytes(size)
      const { status, json } = await post(form(signed(original, { title: 'Договор' }), original))
      expect(status, JSON.stringify(json)).to.equal(200)
      expect(json).to.include.keys('documentId', 'signId', 'digests').and.include({ signedDataSize: size })
      const document = await request(`${host.url}/api/${json.documentId}`)
      expect(document.json).to.include({ title: 'Договор', signedDataSize: size })
      const again = await request(`${host.url}/api/${json.documentId}/data`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: original,
      })
      expect(again.json).to.include({ code: 'documentDigestsAlreadyKnown' })
    }
  })

  it('takes memory for its JSON until that has arrived, and none for its original', async () => {
    const stranger = { kind: 'anonymous', address: '127.0.0.1' } as const
    const isHeld = async () => {
      try {
        host.registry.get(Ledger).take('memory', stranger, Number.MAX_SAFE_INTEGER).release()
        return false
      } catch {
        return true
      }
    }
    const socket = await openSocket(host.url)
    socket.on('error', () => undefined)
    const [whole] = raw(JSON.stringify(signed(randomBytes(100))), 'a'.repeat(2 ** 20)).split(
      '\r\n--x\r\nContent-Disposition: form-data; name="original"',
    )
    expect(await isHeld()).to.equal(false)
    socket.write(whole ?? '')
    await until(isHeld)
    socket.write('\r\n--x\r\nContent-Disposition: form-data; name="original"; filename="a"\r\n\r\naaaa')
    await until(async () => !(await isHeld()))
    expect(socket.closed).to.equal(false)
    socket.destroy()
  })

  /** A form, with optional defects. */
  const raw = (
    registration: string,
    original: string,
    change: { head?: string; part?: string; end?: string; length?: number; boundary?: string } = {},
  ) => {
    const {
      head = 'Content-Disposition: form-data; name="request"',
      part = 'Content-Disposition: form-data; name="original"; filename="a;name=b.pdf"\r\nContent-Type: application/pdf',
      end = '\r\n--x--\r\n',
      boundary = 'boundary=x',
    } = change
    const body = `--x\r\n${head}\r\n\r\n${registration}\r\n--x\r\n${part}\r\n\r\n${original}${end}`
    return [
      'POST /api HTTP/1.1\r\nHost: x\r\nConnection: close',
      `Content-Type: multipart/form-data; ${boundary}`,
      `Content-Length: ${change.length ?? Buffer.byteLength(body)}\r\n\r\n${body}`,
    ].join('\r\n')
  }

  it('is read as any client writes it, a byte at a time, and never ends before its end', async () => {
    const original = 'a\r\n--x--\r\nb\r\n--x\r\n'
    const socket = await openSocket(host.url)
    const answered = new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (data) => {
        text += data
      })
      socket.on('end', () => resolve(text))
    })
    const bytes = Buffer.from(raw(JSON.stringify(signed(Buffer.from(original))), original), 'latin1')
    for (let at = 0; at < bytes.length; at += 97) socket.write(bytes.subarray(at, at + 97))
    expect(await answered).to.match(/^HTTP\/1\.1 200 /)
    const quoted = raw(JSON.stringify(signed(Buffer.from('q'))), 'q', { boundary: 'charset=utf-8; boundary="x"' })
    expect(await sendRaw(host.url, quoted)).to.match(/^HTTP\/1\.1 200 /)
  })

  it('is refused when it is malformed, and registers nothing', async () => {
    const text = JSON.stringify(signed(Buffer.from('original')))
    const refusals: [string, string, string][] = [
      ['of another original', raw(text, 'oriGinal'), 'signatureDoesNotCorrespond'],
      ['without a boundary', raw(text, 'original', { boundary: 'charset=utf-8' }), 'formNotParsed'],
      ['with another boundary', raw(text, 'original', { boundary: 'boundary=y' }), 'formNotParsed'],
      [
        'whose first part is another',
        raw(text, 'original', { head: 'Content-Disposition: form-data; name="x"' }),
        'formNotParsed',
      ],
      [
        'whose second part is another',
        raw(text, 'original', { part: 'Content-Disposition: form-data; name="x"' }),
        'formNotParsed',
      ],
      ['whose header has no end', raw(text, 'original', { part: 'x'.repeat(9000) }), 'formNotParsed'],
      ['that goes on after the original', raw(text, 'original\r\n--x\r\n\r\nmore'), 'signatureDoesNotCorrespond'],
      ['without its end', raw(text, 'original', { end: '\r\n--x----' }), 'formNotParsed'],
      ['with too little', raw(text, '', { end: '' }), 'formNotParsed'],
      ['that is no JSON', raw('{', 'original'), 'jsonNotParsed'],
      ['with another JSON', raw('{"signature":1}', 'original'), 'invalidJsonStructure'],
      ['with too much JSON', raw(`{"description":"${'x'.repeat(2 ** 20)}"}`, 'original'), 'formNotParsed'],
      ['with too large an original', raw(text, 'x'.repeat(LIMIT + 1)), 'bodyTooLarge'],
      [
        'without a length',
        raw(text, 'original').replace(/Content-Length[\s\S]*$/, 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
        'contentLengthNotSet',
      ],
    ]
    for (const [what, bytes, code] of refusals) {
      const answer = await sendRaw(host.url, bytes)
      expect(answer, `${what}: ${answer}`).to.include(`"code":"${code}"`)
    }
    // None of them registered the signature: it can still be used.
    expect(await sendRaw(host.url, raw(text, 'original'))).to.match(/^HTTP\/1\.1 200 /)
    expect(await sendRaw(host.url, raw(text, 'original'))).to.include('"code":"signatureAlreadySubmitted"')
  })

  it('that is too large is refused also to a client that reads only after sending everything', async () => {
    const socket = await openSocket(host.url)
    const bytes = raw(JSON.stringify(signed(Buffer.from('large'))), 'x'.repeat(3 * LIMIT))
    socket.pause()
    await new Promise((sent) => socket.write(bytes, sent))
    expect(await receivedBy(socket.resume())).to.include('"code":"bodyTooLarge"')
  })

  it('that is cut short registers nothing', async () => {
    const text = JSON.stringify(signed(Buffer.from('another')))
    const whole = raw(text, 'another')
    await sendRaw(host.url, whole.slice(0, -13), { end: true })
    expect(await sendRaw(host.url, whole)).to.match(/^HTTP\/1\.1 200 /)
  })

  it('accepts no Idempotency-Key, since a streamed original cannot be compared', async () => {
    const original = randomBytes(10)
    const { json } = await post(form(signed(original), original), { 'idempotency-key': 'a'.repeat(32) })
    expect(json).to.include({ code: 'invalidIdempotencyKey' })
  })

  it('is taken where documents are registered, and nowhere else', async () => {
    const original = randomBytes(10)
    const body = form(signed(original), original)
    for (const path of ['/api/package', '/api/parseDDC', '/api/settings']) {
      const { status } = await request(`${host.url}${path}`, { method: 'POST', body })
      expect(status, path).to.equal(415)
    }
    expect((await postJson(`${host.url}/api`, { request: signed(original), original: {} })).json).to.include({
      code: 'signatureMissing',
    })
  })
})
