import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { runProgram, runProgramSync } from '../../support/run-program.js'

const DEV_SIGN = fileURLToPath(new URL('../../../plugins/dev-authorities/bin/dev-sign.js', import.meta.url))

describe('dev-authorities: folder', () => {
  const base = mkdtempSync(join(tmpdir(), 'dev-authorities-'))
  const folder = join(base, 'data', 'authorities')
  const document = join(base, 'document.txt')
  after(() => rmSync(base, { recursive: true, force: true }))

  const devSign = (...args: string[]) => runProgramSync(DEV_SIGN, ['--folder', folder, ...args], { cwd: base })
  const cmsVerify = (form: 'DER' | 'PEM', cms: Buffer, ...args: string[]) => {
    writeFileSync(join(base, 'signature'), cms)
    const trust = ['-CAfile', join(folder, 'trust.pem')]
    const files = ['-inform', form, '-in', join(base, 'signature')]
    return spawnSync('openssl', ['cms', '-verify', '-binary', ...trust, ...files, ...args], { encoding: 'buffer' })
  }

  before(async () => {
    writeFileSync(document, 'one\ntwo\r\n')
    // Two processes meet the absent folder at the same moment.
    const start = () => runProgram(DEV_SIGN, ['--folder', folder, '--as', 'person-1', document])
    const [one, other] = await Promise.all([start(), start()])
    for (const { stdout } of [one, other]) {
      expect(cmsVerify('DER', Buffer.from(stdout, 'base64'), '-content', document).status).equal(0)
    }
  })

  it('keeps the same authorities and people over restarts', () => {
    const first = DevAuthorities.create({ folder })
    const second = DevAuthorities.create({ folder })
    expect(second.anchors).deep.equal(first.anchors)
    expect(second.intermediates).deep.equal(first.intermediates)
    for (const name of ['person-1', 'person-1-auth', 'person-3', 'system-1'] as const) {
      expect(second.named(name).certificate).deep.equal(first.named(name).certificate)
      expect(second.named(name).keyPem).equal(first.named(name).keyPem)
    }
  })

  it('makes keys readable only by their owner, and leaves no unfinished file', () => {
    for (const part of ['authorities', 'people']) {
      for (const file of readdirSync(join(folder, part))) {
        expect(file).match(/^[a-z0-9-]+\.pem$/)
        expect(statSync(join(folder, part, file)).mode & 0o777).equal(0o600)
      }
    }
  })

  it('answers good about people of an earlier run', () => {
    const { certificate, issuer } = DevAuthorities.create({ folder }).named('person-2')
    const answer = DevAuthorities.create({ folder }).ocsp.status(certificate, issuer)
    expect(answer.includes(Buffer.from('8000180f', 'hex'))).equal(true)
  })

  it('signs with openssl cms -sign -signer <folder>/people/person-1.pem', () => {
    const signer = join(folder, 'people', 'person-1.pem')
    const args = ['cms', '-sign', '-binary', '-in', document, '-signer', signer, '-outform', 'DER']
    const { stdout } = spawnSync('openssl', args, { encoding: 'buffer' })
    expect(cmsVerify('DER', stdout, '-content', document).status).equal(0)
  })

  it('names the malformed file', () => {
    const file = join(folder, 'people', 'employee-1.pem')
    const content = readFileSync(file)
    writeFileSync(file, 'rubbish')
    expect(() => DevAuthorities.create({ folder })).throw('employee-1.pem holds no certificate')
    writeFileSync(file, content)
  })

  describe('dev-sign', () => {
    it('prints a CMS as base64 on one line, as PEM, or with the file inside', () => {
      const base64 = devSign('--as', 'person-2', document).stdout.toString()
      expect(base64).match(/^[A-Za-z0-9+/]+=*\n$/)
      expect(cmsVerify('DER', Buffer.from(base64, 'base64'), '-content', document).status).equal(0)
      const armoured = devSign('--as', 'head-1', '--pem', '--evidence', document).stdout
      expect(cmsVerify('PEM', armoured, '-content', document).status).equal(0)
      const attached = devSign('--as', 'employee-1', '--pem', '--attached', document).stdout
      expect(cmsVerify('PEM', attached).stdout).deep.equal(readFileSync(document))
    })

    it('prints an XML signature and writes the bytes that were signed', () => {
      writeFileSync(join(base, 'document.xml'), '<?xml version="1.0"?>\n<a  b = "1"/>')
      const { stdout } = devSign(
        '--as',
        'person-1',
        '--xml',
        '--data',
        join(base, 'signed.xml'),
        join(base, 'document.xml'),
      )
      expect(stdout.toString()).match(/^<ds:Signature .*<\/ds:Signature>\n$/s)
      expect(readFileSync(join(base, 'signed.xml'), 'utf8')).equal('<a b="1"></a>')
    })

    const MISTAKES: [string, string[], string][] = [
      ['an unknown name', ['--as', 'nobody', document], '--as must be one of person-1, '],
      ['a file that is not there', ['--as', 'person-1', join(base, 'absent')], 'no such file'],
      ['no file', ['--as', 'person-1'], 'name exactly one file'],
      ['an unknown option', ['--fast', document], "Unknown option '--fast'"],
      ['XML that is none', ['--as', 'person-1', '--xml', document], 'Not an XML document'],
    ]
    for (const [mistake, args, message] of MISTAKES) {
      it(`says what is wrong with ${mistake}`, () => {
        const { status, stdout, stderr } = devSign(...args)
        expect(status).equal(1)
        expect(stdout.length).equal(0)
        expect(stderr).contain(message)
        expect(stderr).not.contain('    at ')
      })
    }
  })
})
