import { createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { commandLine } from '#host/cli/command-line.js'
import { digest } from '#verifier/algorithms/digest.js'
import { reportNoteText } from '#verifier/notes/report-note.js'
import { signNote } from '#verifier/notes/signed-note.js'
import { verifierKey } from '#verifier/notes/verifier-key.js'
import { buildTimeStampRequest, readTimeStampResponse } from '#verifier/timestamp/time-stamp-exchange.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const NAME = 'registry.example'
const forms = { json: '{}\n', html: '<p>', xml: '<r></r>' }

describe('signed-registry verify --key', () => {
  let folder: string
  const authorities = presentAuthorities()
  const key = createPrivateKey(STATEMENT_KEY)
  const vkey = verifierKey(NAME, createPublicKey(key))
  const note = signNote(
    reportNoteText({ origin: `https://${NAME}`, time: '2026-11-22T21:48:05+00:00' }, forms),
    NAME,
    key,
  )
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-verify-report-'))
    for (const [form, text] of Object.entries(forms)) put(`report.${form}`, text)
    put('report.note', note)
    put('key', `${vkey}\n`)
    put('key.json', JSON.stringify({ verifierKey: vkey }))
    const certificates = [...authorities.anchors, ...authorities.intermediates]
    put('trust.pem', certificates.map((der) => pem('CERTIFICATE', Buffer.from(der))).join(''))
    put('report.tst', stamp(Buffer.from(note)))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)
  const stamp = (bytes: Buffer) => {
    const imprint = digest(SHA256, bytes)
    const request = buildTimeStampRequest({ digestOid: SHA256, imprint, nonce: Buffer.from([1]), policy: undefined })
    const { token } = readTimeStampResponse(authorities.tsa.respond(request))
    if (token === undefined) throw new Error('The authority refused')
    return token
  }
  const verify = async (...words: readonly string[]) => {
    const said = { out: '', err: '' }
    const code = await commandLine(
      ['verify', ...words.map((word) => (word.startsWith('-') ? word : join(folder, word)))],
      {
        env: {},
        out(text) {
          said.out += text
        },
        err(text) {
          said.err += text
        },
      },
    )
    for (const line of said.out.split('\n')) expect([...line].length, line).to.be.at.most(80)
    return { code, ...said }
  }

  it('tells that reports are as the registry signed them, in any order', async () => {
    const { code, out } = await verify('report.note', 'report.html', 'report.json', '--key', 'key')
    expect(out).to.match(/^report {4}.*report\.html is as registry\.example signed it\nreport {4}.*report\.json is as/)
    expect(out).to.include('made      2026-11-22T21:48:05+00:00, as https://registry.example says')
    expect(out).to.include('stamped   no time stamp was given: the time is the registry’s word')
    expect(code).to.equal(0)
    expect((await verify('report.xml', 'report.note', '--key', 'key.json')).code).to.equal(0)
  })

  it('tells who stamped the note', async () => {
    const { code, out } = await verify(
      'report.xml',
      'report.note',
      'report.tst',
      '--key',
      'key',
      '--trust',
      'trust.pem',
    )
    expect(out).to.match(/stamped {3}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00, by DEVELOPMENT TSA\n$/)
    expect(code).to.equal(0)
    put('other.tst', stamp(Buffer.from('another note')))
    const other = await verify('report.xml', 'report.note', 'other.tst', '--key', 'key', '--trust', 'trust.pem')
    expect([other.code, other.out.split('\n').at(-2)]).to.deep.equal([
      1,
      'stamped   WRONG: the time stamp proves nothing (imprint)',
    ])
  })

  it('says WRONG of a changed report, a changed note, and another key', async () => {
    put('changed.html', '<p>proved')
    put('changed.note', note.replace('21:48', '20:48'))
    put('other.key', verifierKey('other.example', createPublicKey(key)))
    for (const [files, reason] of [
      [['changed.html', 'report.note', '--key', 'key'], 'was changed or is not in this note'],
      [['report.html', 'changed.note', '--key', 'key'], 'the note was changed'],
      [['report.html', 'report.note', '--key', 'other.key'], 'nothing here is signed with that key'],
    ] as const) {
      const { code, out } = await verify(...files)
      expect(out)
        .to.match(/^report {4}WRONG: /)
        .and.include(reason)
      expect(code).to.equal(1)
    }
  })

  it('is used wrongly without a note, and with a key that is none', async () => {
    expect((await verify('report.html', '--key', 'key')).code).to.equal(2)
    const { code, err } = await verify('report.html', 'report.note', '--key', 'report.html')
    expect([code, err]).to.deep.equal([1, 'Signed note is not verified\n'])
  })
})
