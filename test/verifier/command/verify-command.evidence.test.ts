import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { commandLine } from '#host/cli/command-line.js'
import { width } from '#verifier/command/columns.js'
import { verifyEvidence } from '#verifier/evidence/verify-evidence.js'
import { verifierKey } from '#verifier/notes/verifier-key.js'
import { readTrust } from '#verifier/path/read-trust.js'
import { reportJson, reportOf } from '#verifier/report.js'
import { type Bundled, type Lies, makeBundle, replaced, statementKey } from '../../support/evidence/bundle.js'
import { builtBytes, bundleOf } from '../../support/evidence-bundle.js'
import { type LogOfBundle, loggedBundle, logKeyOfBundle } from '../../support/log/logged-bundle.js'
import { privateKeyOf, witnessOf } from '../../support/log/note-keys.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

const TEXT = Buffer.from('I owe you 100 tenge\n')
const evidence = { timeStamp: true, ocsp: true }

describe('signed-registry verify of an evidence bundle', () => {
  let folder: string
  const authorities = presentAuthorities()
  const certificates = [...authorities.anchors, ...authorities.intermediates]
  const trust = certificates.map((der) => pem('CERTIFICATE', Buffer.from(der))).join('')
  const cms = authorities.person().signCms(TEXT, evidence)
  const contract: Bundled = { title: 'contract.txt', content: TEXT, signed: [cms] }
  const alone = { ...contract, inside: false }
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-verify-evidence-'))
    put('trust.pem', trust)
    put('key', `${statementKey}\n`)
    put('key.json', JSON.stringify({ verifierKey: statementKey }))
    put('contract.txt', TEXT)
    put('changed.txt', 'I owe you 900 tenge\n')
    put('contract.p7s', cms)
    await bundle('whole.asice', [contract])
    await bundle('alone.asice', [alone])
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)
  const bundle = async (name: string, documents: readonly Bundled[], lies?: Lies) =>
    put(name, await makeBundle(documents, certificates, lies))
  const verify = async (...words: readonly string[]) => {
    const said = { out: '', err: '' }
    const code = await commandLine(
      [
        'verify',
        ...words.map((word) => (word.startsWith('-') ? word : join(folder, word))),
        '--trust',
        join(folder, 'trust.pem'),
      ],
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
    if (!words.includes('--json')) for (const line of said.out.split('\n')) expect(width(line), line).to.be.at.most(80)
    return { code, ...said }
  }

  it('says first what it comes to, then who signed when, then what only the registry says', async () => {
    const { code, out } = await verify('whole.asice')
    const parts = out.trimEnd().split('\n\n')
    expect(parts[0]?.replaceAll('\n', ' ')).to.equal(
      'Proved: every signature in the evidence bundle is valid, and every document is the signed one.',
    )
    expect(parts[1]).to.match(
      /^verdict {3}Proved: valid, .*\nsigner {4}ТЕСТОВ ТЕСТ ТЕСТОВИЧ, IIN \d{12}\nwhen {6}\d{4}-/,
    )
    expect(parts[1]).to.include('document  contract.txt is what cms/1.p7s signs')
    expect(parts[2]).to.match(
      /^What the registry says \(the signatures do not prove it\):\nit is {5}the word of whoever made the bundle/,
    )
    expect(parts[2]).to.include('registry  A registry, https://registry.example')
    expect(parts[2]).to.include('document  document-1, registered 2026-06-01T12:00:00.000Z\n          contract.txt\n')
    expect(parts[2]).to.include('signature 1, registered 2026-06-01T12:00:00.000Z, cms/1.p7s')
    expect(parts[2]?.replaceAll(/\n {10}/g, '')).to.include(`key       ${statementKey}\n`)
    expect([parts.length, code]).to.deep.equal([3, 0])
  })

  it('trusts the word of the registry by its key, and no other’s', async () => {
    for (const key of ['key', 'key.json']) {
      const { code, out } = await verify('whole.asice', '--key', key)
      expect(out).to.include('it is     the word of the registry whose key was given')
      expect(code).to.equal(0)
    }
    put('other.key', verifierKey('other.example', createPublicKey(createPrivateKey(STATEMENT_KEY))))
    put('forged.key', verifierKey('registry.example', generateKeyPairSync('ed25519').publicKey))
    for (const key of ['other.key', 'forged.key']) {
      const { code, out } = await verify('whole.asice', '--key', key)
      expect(out).to.match(/^Not proved: .*\n\nproblem {3}Not proved: it is not signed with the key that was given\./)
      expect(out).to.include('it is     not the word of the registry whose key was given')
      expect(code).to.equal(1)
    }
    const { code, err } = await verify('whole.asice', '--key', 'contract.txt')
    expect([code, err]).to.satisfy(
      ([one, said]: [number, string]) => one === 2 && said.includes('is not the key of a registry'),
    )
  })

  it('proves nothing about a document that nobody showed, and takes it beside the bundle', async () => {
    const { code, out } = await verify('alone.asice')
    expect(out).to.match(/^Not proved: /)
    expect(out)
      .to.include('original  not in the evidence bundle: give it beside it')
      .and.not.include('verdict   Proved')
    expect(code).to.equal(1)
    const beside = await verify('contract.txt', 'alone.asice')
    expect(beside.out)
      .to.match(/^Proved: /)
      .and.match(/contract\.txt is what cms\/1\.p7s signs/)
    expect(beside.code).to.equal(0)
    const other = await verify('alone.asice', 'changed.txt')
    expect(other.out.replaceAll('\n', ' ')).to.match(
      /changed\.txt is none of the documents of the evidence bundle: another one, or changed\./,
    )
    expect([other.code, other.out.startsWith('Not proved: ')]).to.deep.equal([1, true])
  })

  it('names each kind of problem once, with its files, and what to do', async () => {
    const files = (all: Parameters<NonNullable<Lies['changed']>>[0]) =>
      replaced('report.xml', Buffer.from('x'))(replaced('README.txt', Buffer.from('y'))(all))
    await bundle('changed.asice', [contract], { changed: files })
    const { code, out } = await verify('changed.asice')
    expect(out).to.match(
      /^Wrong: the evidence bundle was changed, or a signature in it is not valid\.\n\nproblem {3}WRONG: /,
    )
    expect(out).to.include('\nfile      README.txt, report.xml\nto do     It was changed. Ask the registry')
    expect(out.match(/^problem/gm)).to.have.length(1)
    expect(code).to.equal(1)
  })

  it('says of a package which signatures are on which document', async () => {
    const text = Buffer.from('another')
    const other = { title: 'other.txt', content: text, signed: [authorities.person().signCms(text, evidence)] }
    await bundle('package.asice', [contract, { ...other, inside: false }])
    const { code, out } = await verify('package.asice')
    expect(out).to.match(
      /\nDocument 1 of 2: contract\.txt\n\nverdict {3}Proved: .*\n\nDocument 2 of 2: other\.txt\noriginal {2}not in /s,
    )
    expect(code).to.equal(1)
    expect((await verify('package.asice', '--details')).out).to.include('passed signatureValue at ')
  })

  it('prints and writes the report of the verdict that the library gives', async () => {
    const report = join(folder, 'r.html')
    const { out } = await verify('whole.asice', 'contract.txt', '--json', '--report', 'r.html', '--report', 'r.xml')
    const { files, at, ...printed } = JSON.parse(out)
    const verdict = verifyEvidence(readFileSync(join(folder, 'whole.asice')), {
      trust: readTrust([{ name: 'trust.pem', bytes: Buffer.from(trust) }]),
      at: Date.parse(at),
    })
    const { files: _, at: __, ...due } = JSON.parse(reportJson(reportOf(verdict)))
    const withoutTimes = (value: object) => JSON.stringify(value).replaceAll(/"at":"[^"]*"/g, '')
    expect(withoutTimes(printed)).to.equal(withoutTimes(due))
    expect(files.map(({ name }: { name: string }) => name.split('/').at(-1))).to.deep.equal([
      'whole.asice',
      'contract.txt',
    ])
    expect(readFileSync(report, 'utf8')).to.include('What the registry says')
    expect(readFileSync(join(folder, 'r.xml'), 'utf8')).to.include('registrySaysDocument')
  })

  it('takes one bundle at a time, and no loose signatures beside it', async () => {
    const two = await verify('whole.asice', 'alone.asice')
    expect([two.code, two.out]).to.deep.equal([2, ''])
    expect(two.err).to.match(/Name one evidence bundle at a time, not both .*whole\.asice and .*alone\.asice/)
    const loose = await verify('whole.asice', 'contract.p7s')
    expect(loose.code).to.equal(2)
    expect(loose.err).to.include('verify it without the bundle')
  })

  it('takes a document that has signatures of its own', async () => {
    await bundle('of-signed.asice', [
      { title: 'contract.p7s', content: cms, inside: false, signed: [authorities.person().signCms(cms, evidence)] },
    ])
    expect((await verify('of-signed.asice', 'contract.p7s')).code).to.equal(0)
  })

  it('takes containers of others for documents', async () => {
    const foreign = Buffer.from(
      readFileSync(join(folder, 'whole.asice')).toString('latin1').replaceAll('evidence.json', 'manifest.json'),
      'latin1',
    )
    put('foreign.asice', foreign)
    put('foreign.p7s', authorities.person().signCms(foreign, evidence))
    expect((await verify('foreign.asice', 'foreign.p7s')).code).to.equal(0)
  })

  it('cannot be steered by what registries say', async () => {
    const title = '\u001b[31mred\u202e'
    await bundle('steering.asice', [{ ...alone, title }], { origin: `https://${'я'.repeat(3000)}` })
    const { out } = await verify('steering.asice')
    expect(out).to.not.include('\u001b').and.not.include('\u202e')
    expect(out).to.include('…')
    expect(out.split('\n').length).to.be.below(30)
  })

  describe('with proofs of a transparency log', () => {
    const signed = { content: TEXT, signers: [authorities.person()] }
    const plain = bundleOf(authorities, [{ ...signed, storedAt: Date.now() }])
    const witness = witnessOf(9)
    const logged = async (name: string, log: LogOfBundle, of = plain) =>
      put(name, await builtBytes(await loggedBundle(of, authorities, log)))
    const policy = (name: string, ...lines: readonly string[]) => put(name, `${lines.join('\n')}\n`)
    const told = (out: string) => out.replaceAll(/\n {10}/g, ' ')
    before(async () => {
      await logged('logged.asice', { loggedBefore: Date.now(), lines: witness.line })
      policy('policy.txt', `log ${logKeyOfBundle()}`, `witness w ${witness.key}`, 'quorum w')
      policy('other.txt', `log ${logKeyOfBundle(privateKeyOf(2))}`, 'quorum none')
      policy('wrong.txt', 'quorum w')
    })

    it('says since when each signature is logged, and that nobody said whom to trust', async () => {
      const { code, out } = await verify('logged.asice')
      expect(told(out)).to.match(
        /log {7}signature 101: entry 2 of registry\.example\/log logged after \d{4}-\S+; logged before \d{4}-\S+ trust not established: no policy was given/,
      )
      expect(code).to.equal(0)
    })

    it('trusts the log by a policy, and says which witnesses saw it', async () => {
      const { code, out } = await verify('logged.asice', '--policy', 'policy.txt')
      expect(told(out)).to.match(/signature 101: .*; witnessed by w trusted by the given policy/)
      expect(code).to.equal(0)
      const others = await verify('logged.asice', '--policy', 'other.txt')
      expect(told(others.out))
        .to.include('trust not established: the policy does not have this log with this key')
        .and.include('has no proof of the transparency log that the given policy trusts')
      expect(others.code).to.equal(1)
    })

    it('takes no empty name for a policy or a key, as of a variable that is not set', async () => {
      for (const option of ['--policy=', '--key=']) {
        const { code, out, err } = await verify('logged.asice', option)
        expect([code, out], option).to.deep.equal([1, ''])
        expect(err, option).to.include('A file without a name cannot be read')
      }
    })

    it('proves no bundle without proofs under a policy, and says so in every report', async () => {
      put('unlogged.asice', await builtBytes(plain))
      expect((await verify('unlogged.asice')).code).to.equal(0)
      const reports = ['html', 'json', 'xml'].flatMap((form) => ['--report', `unlogged.${form}`])
      const { code, out } = await verify('unlogged.asice', '--policy', 'policy.txt', ...reports)
      expect(told(out)).to.match(/^Not proved: .*problem {3}Not proved: a signature in it has no proof of the transp/s)
      expect(code).to.equal(1)
      const report = (form: string) => readFileSync(join(folder, `unlogged.${form}`), 'utf8')
      expect(report('html')).to.include('has no proof of the transparency log that the given policy trusts')
      expect(JSON.parse(report('json'))).to.include({ outcome: 'unknown', indication: 'INDETERMINATE' })
      expect(report('xml')).to.include('logNotEstablished: cms/101.p7s')
    })

    it('tells a time of registration that contradicts the log', async () => {
      const now = Date.now()
      const early = bundleOf(authorities, [{ ...signed, storedAt: now - 60 * 60_000 }])
      await logged('late.asice', { loggedBefore: now }, early)
      const { code, out } = await verify('late.asice')
      expect(told(out))
        .to.include('CONTRADICTION: the time of registration')
        .and.include('a time of registration in it contradicts the transparency log')
      expect(code).to.equal(1)
    })

    it('refuses what is no policy, and a policy for anything but a bundle', async () => {
      const wrong = await verify('logged.asice', '--policy', 'wrong.txt')
      expect([wrong.code, wrong.err]).to.satisfy(
        ([code, err]: [number, string]) => code === 2 && /wrong\.txt is not a policy .* line 1/.test(err),
      )
      const other = await verify('contract.p7s', 'contract.txt', '--policy', 'policy.txt')
      expect([other.code, other.err]).to.satisfy(
        ([code, err]: [number, string]) => code === 2 && err.includes('--policy is for evidence bundles'),
      )
    })

    it('writes it into reports for people and for programs', async () => {
      for (const form of ['html', 'json', 'xml'])
        await verify('logged.asice', '--policy', 'policy.txt', '--report', `logged.${form}`)
      const report = (form: string) => readFileSync(join(folder, `logged.${form}`), 'utf8')
      expect(report('html')).to.match(
        /<h2>Transparency log<\/h2>.*<h3>Signature 101<\/h3>.*trusted by the given policy/s,
      )
      const { evidence: found } = JSON.parse(report('json'))
      expect(found.log[1]).to.deep.include({ signId: 101, state: 'logged', file: 'proofs/101.tlog-proof' })
      expect(found.log[1].entry).to.deep.include({ trust: 'established', problems: [] })
      expect(found.proofsOfExistence.map(({ kind }: { kind: string }) => kind)).to.include('logCheckpoint')
      expect(report('xml')).to.match(/#logTrust<\/vr:Type><vr:Value>established<.*#logWitness</s)
    })
  })

  it('says in words of a bundle that is of a later version what to do', async () => {
    await bundle('later.asice', [contract], { version: '2.0' })
    const { code, out } = await verify('later.asice')
    expect(out).to.include(
      'problem   Not proved: evidence bundles of this version are not known here.\nfile      evidence.json',
    )
    expect(out).to.not.include('What the registry says')
    expect(code).to.equal(1)
  })
})
