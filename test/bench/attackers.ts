import { connect, type Socket } from 'node:net'
import { der, integerDer, oidDer } from '../support/der.js'
import { kept } from './keeping-attackers.js'
import { type Attacker, fromEach } from './many-addresses.js'

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
const posted = (path: string, body: string): Buffer =>
  Buffer.concat([Buffer.from(head(path, 'application/json', Buffer.byteLength(body))), Buffer.from(body)])

/** Sends a head, then so many bytes as fast as they are taken. */
const large = (path: string, type: string, bytes: number, start: string, filling: string, end = ''): Begin => {
  const piece = Buffer.alloc(2 ** 20, filling)
  return (socket) => {
    socket.resume()
    socket.write(head(path, type, bytes) + start)
    let left = bytes - start.length - end.length
    const more = () => {
      while (left > 0 && socket.writable) {
        const part = piece.subarray(0, Math.min(left, piece.length))
        left -= part.length
        if (left === 0) socket.end(Buffer.concat([part, Buffer.from(end)]))
        else if (!socket.write(part)) return
      }
    }
    socket.on('drain', more)
    more()
  }
}

const BINARY = 'application/octet-stream'
const MIB = 2 ** 20
const ID = 'A'.repeat(16)
/** A PDF of a million objects with nothing in them. */
const PDF = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  ...Array.from({ length: 1_000_000 }, (_, at) => Buffer.from(`${at + 1} 0 obj<<>>endobj\n`)),
  Buffer.from('trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF'),
])

const keys = Array.from({ length: 700_000 }, (_, at) => `"k${at}":1`).join()
const PEM = `-----BEGIN CMS-----\\n${'A\\n'.repeat(2_000_000)}-----END CMS-----`

const algorithms = Buffer.alloc(6_000_000, der(0x30, oidDer('2.16.840.1.101.3.4.2.1')))
const signedData = der(0xa0, der(0x30, integerDer(1n), der(0x31, algorithms)))
const DER = der(0x30, oidDer('1.2.840.113549.1.7.2'), signedData).toString('base64')

/** Kinds of attackers that the host is to bear, each alone. */
export const attackers: Readonly<Record<string, Attacker>> = {
  '700,000 unknown keys': again(4, posted('/api', `{${keys}}`)),
  'three million empty objects': again(4, posted('/api', `{"a":[${'{},'.repeat(3_000_000)}{}]}`)),
  'base64 of nothing, 8 MB': again(4, posted('/api', JSON.stringify({ signature: 'A'.repeat(8_000_000) }))),
  'PEM of two million lines': again(4, posted('/api/exported', `{"signature":"${PEM}"}`)),
  'DER of half a million elements': again(4, posted('/api', JSON.stringify({ signature: DER }))),
  'requests as fast as it can': again(200, Buffer.from('GET /api/version HTTP/1.1\r\nHost: bench\r\n\r\n')),
  'requests, 16 at a time on each connection': again(
    50,
    Buffer.from('GET /api/strings HTTP/1.1\r\nHost: bench\r\n\r\n'.repeat(16)),
  ),
  'uploads that nobody reads': each(16, (socket) => {
    socket.write(head(`/api/${'A'.repeat(16)}/data`, 'application/octet-stream', 2 ** 32))
    flood(socket, Buffer.alloc(2 ** 20))
  }),
  'dripping bodies': each(256, (socket) => {
    socket.write(head('/api', 'application/json', 10_000_000))
    const drip = setInterval(() => socket.write(' '), 1000)
    socket.once('close', () => clearInterval(drip))
  }),
  'answers that nobody takes': each(256, (socket) => {
    socket.pause()
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: bench\r\n\r\n'.repeat(10))
  }),
  'connections without end': each(300, (socket) => void socket.resume()),
  '32 cards of 50 MiB to parse': each(32, large('/api/parseDDC', BINARY, 50 * MIB, '', '%PDF-1.7 ')),
  '32 cards of 50 MiB to check': each(32, large('/api/checkDDC', BINARY, 50 * MIB, '', '%PDF-1.7 ')),
  '32 PDFs of 50 MiB to look at': each(32, large('/api/checkPDFForDDC', BINARY, 50 * MIB, '', '%PDF-1.7 ')),
  '32 originals of 50 MiB to draw': each(32, large(`/api/${ID}/buildDDC`, BINARY, 50 * MIB, '', 'a')),
  '32 originals of 50 MiB for partners': each(32, large(`/api/${ID}/buildPartnerCMS`, BINARY, 50 * MIB, '', 'a')),
  '10 MiB of JSON, 16 times, from eight addresses': fromEach(
    8,
    each(16, large('/api', 'application/json', 10 * MIB, '{"signature":"', 'A', '"}')),
  ),
  'PDFs of a million empty objects': each(
    20,
    (socket) =>
      void socket.resume().end(Buffer.concat([Buffer.from(head('/api/checkPDFForDDC', BINARY, PDF.length)), PDF])),
  ),
  ...kept,
}

type Begin = (socket: Socket) => void

/** Keeps so many connections open, and begins something on each; a closed one is opened again a moment later. */
function each(connections: number, begin: Begin): Attacker {
  return ({ port, from }) => {
    const open = () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from })
      socket.on('error', () => undefined)
      socket.once('close', () => setTimeout(open, 50))
      socket.once('connect', () => begin(socket))
    }
    for (let count = 0; count < connections; count += 1) open()
  }
}

/** Sends the same bytes on each connection, and again as soon as something is answered. */
function again(connections: number, bytes: Buffer): Attacker {
  return each(connections, (socket) => {
    socket.on('data', (chunk: Buffer) => {
      if (chunk.includes('HTTP/1.1 ')) socket.write(bytes)
    })
    socket.write(bytes)
  })
}

function flood(socket: Socket, chunk: Buffer): void {
  const write = () => {
    while (socket.writable && socket.write(chunk));
  }
  socket.on('drain', write)
  write()
}
