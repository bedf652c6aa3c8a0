import { joinCms, verifyEvidence } from '@signed-registry/verifier'
import { expect } from 'chai'
import {
  contentAt,
  type FileInside,
  mended,
  type Said,
  saying,
  unzipped,
  withContent,
  zipped,
} from '../../support/containers.js'
import { builtBytes, bundleOf, otherRegistry } from '../../support/evidence-bundle.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

const CONTAINER = 'document.asics'
const SIGNATURES = 'META-INF/signature.p7s'

describe('files of an evidence bundle that no document has, though evidence.json lists them and is signed', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const by = otherRegistry()
  let files: FileInside[]

  before(async () => {
    const signers = [authorities.person(), authorities.person()]
    files = unzipped(await builtBytes(bundleOf(authorities, [{ content: 'A contract', signers }])))
  })

  const problems = (changed: readonly FileInside[]) => {
    const { outcome, evidence } = verifyEvidence(zipped(changed), { trust, at: NOW })
    return [outcome, ...evidence.problems.map(({ code, file }) => `${code} ${file}`)]
  }
  const file = (name: string): FileInside => ({ name, content: Buffer.from('A forgery'), streamed: false })
  const withFile = (name: string) =>
    mended(
      saying([...files.slice(0, -1), file(name), ...files.slice(-1)], (said) => said.files.splice(-1, 0, { name })),
      by,
    )
  const withContainer = (change: (inside: FileInside[]) => FileInside[], names: readonly string[]) => {
    const inside = zipped(change(unzipped(contentAt(files, CONTAINER))))
    const stated = (said: Said) => ({ ...said.files.at(-1), name: CONTAINER, files: names.map((name) => ({ name })) })
    return mended(
      saying(withContent(files, CONTAINER, inside), (said) => said.files.splice(-1, 1, stated(said))),
      by,
    )
  }

  it('are named where signatures, evidence and originals stand', () => {
    for (const name of [
      'cms/999.p7s',
      'CMS/999.p7s',
      'ocsp/9.ors',
      'objects/101',
      'objects/101.ers',
      'original/fake.txt',
      'documents/fake.asics',
      'fake.pdf',
    ])
      expect(problems(withFile(name)), name).to.deep.equal(['wrong', `otherFiles ${name}`])
    expect(problems(withFile('later/101'))).to.deep.equal(['proved'])
  })

  it('are named in a container, which has one original and its signatures', () => {
    const names = ['contract.txt', SIGNATURES]
    expect(problems(withContainer((inside) => inside, names))).to.deep.equal(['proved'])
    const more = withContainer((inside) => [...inside, file('fake.txt')], [...names, 'fake.txt'])
    expect(problems(more)).to.deep.equal(['wrong', `otherFiles ${CONTAINER}`])
    const unsigned = withContainer((inside) => inside.slice(0, -1), ['contract.txt'])
    expect(problems(unsigned)).to.deep.equal(['wrong', `otherFiles ${CONTAINER}`])
    const inFolder = withContainer(
      (inside) => inside.map((one) => (one.name === 'contract.txt' ? { ...one, name: 'a/contract.txt' } : one)),
      ['a/contract.txt', SIGNATURES],
    )
    const moved = saying(
      inFolder,
      (said) => Object.assign(said.documents[0] ?? {}, { original: { file: 'a/contract.txt', container: CONTAINER } }),
      by,
    )
    expect(problems(moved)).to.deep.equal(['wrong', `otherFiles ${CONTAINER}`])
  })

  it('are not hidden by names of two lines', () => {
    const two = withContainer((inside) => [...inside, file('fake.txt')], ['contract.txt', `${SIGNATURES}\nfake.txt`])
    expect(problems(two)).to.deep.equal(['wrong', `otherFiles ${CONTAINER}`])
  })

  it('are not CMS that pass for XML and are missing beside the original', () => {
    const one = Buffer.from(joinCms(undefined, [contentAt(files, 'cms/102.p7s')]))
    const less = withContent(files, `${CONTAINER}!/${SIGNATURES}`, one)
    const lied = saying(less, (said) => Object.assign(said.documents[0]?.signatures[0] ?? {}, { signType: 'xml' }))
    expect(problems(mended(lied, by))).to.deep.equal(['wrong', 'fileChanged cms/101.p7s'])
  })

  it('are in the one form with their CRC-32, that of the media type in a container too', () => {
    const inside = Buffer.from(contentAt(files, CONTAINER))
    const directory = inside.readUInt32LE(inside.length - 22 + 16)
    for (const at of [14, directory + 16]) inside.writeUInt8(inside.readUInt8(at) ^ 1, at)
    const changed = withContent(files, CONTAINER, inside)
    expect(problems(changed)).to.deep.equal(['wrong', `formChanged ${CONTAINER}!/mimetype`])
  })
})
