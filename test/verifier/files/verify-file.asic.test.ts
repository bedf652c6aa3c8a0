import { crc32, deflateRawSync } from 'node:zlib'
import { RegistryError } from '@signed-registry/verifier'
import { expect } from 'chai'
import { type FileVerdict, verifyFile } from '#verifier/files/verify-file.js'
import {
  ASIC_E,
  ASIC_S,
  asicE,
  asicS,
  cadesParts,
  dataPart,
  estonian,
  fileList,
  manifest,
  mediaType,
  xadesFile,
} from '../../support/asic/containers.js'
import { type ZipPart, zipOf } from '../../support/asic/write-zip.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

describe('verifyFile of a container', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const [one, other] = [authorities.person(), authorities.employee()]
  const file = (name: string) => ({ name, content: Buffer.from(`The content of ${name}, ${'again '.repeat(50)}`) })
  const three = [file('contract.txt'), file('folder/annex 1.txt'), file('Қосымша.txt')]
  const [first = file('a'), ...rest] = three
  const verified = (container: Buffer) => verifyFile(container, { trust: trustOf(authorities), at: clock.now() })
  const problems = ({ problems: all }: FileVerdict) =>
    all.map(({ code, reason }) => [code, reason].filter(Boolean).join(' '))
  const signedBy = (found: FileVerdict) => found.documents.map(({ name, signatures }) => [name, signatures])

  describe('proves', () => {
    const honest: Record<string, () => readonly [Buffer, string, number]> = {
      'ASiC-S with CAdES': () => [asicS(one, first), 'asic-s', 1],
      'ASiC-S with XAdES': () => [
        zipOf([
          mediaType(ASIC_S),
          dataPart(first),
          { name: 'META-INF/signatures.xml', content: xadesFile(authorities, [one], [first]) },
        ]),
        'asic-s',
        1,
      ],
      'ASiC-E with CAdES over one file': () => [asicE([one], [first]), 'asic-e', 1],
      'ASiC-E with CAdES over three files by two signers': () => [asicE([one, other], three), 'asic-e', 2],
      'a container from Estonia': () => [estonian(authorities, [one], [first]), 'asic-e', 1],
      'a container from Estonia with three files and two signers': () => [
        estonian(authorities, [one, other], three),
        'asic-e',
        2,
      ],
    }
    for (const [name, make] of Object.entries(honest))
      it(name, async () => {
        const [container, format, signatures] = make()
        const found = await verified(container)
        expect(found.problems).to.deep.equal([])
        expect(found.signatures.map(({ indication, subIndication }) => [indication, subIndication])).to.deep.equal(
          Array.from({ length: signatures }, () => ['TOTAL-PASSED', undefined]),
        )
        expect([found.outcome, found.format]).to.deep.equal(['proved', format])
        for (const [, own] of signedBy(found)) expect(own).to.have.length(signatures)
      })
  })

  it('says what signs which of the files', async () => {
    const parts = [...cadesParts([one], [first]), ...cadesParts([one, other], rest).slice(2)]
    const found = await verified(zipOf([mediaType(ASIC_E), ...three.map(dataPart), ...parts]))
    expect(found.outcome).to.equal('proved')
    expect(signedBy(found)).to.deep.equal([
      ['contract.txt', [0]],
      ['folder/annex 1.txt', [1]],
      ['Қосымша.txt', [1]],
    ])
    expect(found.signatures[0]?.coverage).to.deep.equal({ of: 'references', uris: ['contract.txt'] })
  })

  it('judges a time stamp over its file, which makes nothing signed', async () => {
    const token = authorities.tsa.stamp(first.content)
    const stamped = (content: Buffer) =>
      verified(zipOf([mediaType(ASIC_S), dataPart(first), { name: 'META-INF/timestamp.tst', content }]))
    const found = await stamped(token)
    expect([found.outcome, problems(found)]).to.deep.equal(['unknown', ['notCovered']])
    expect(found.timeStamps[0]?.stamp?.genTime).to.equal(clock.now())
    const otherFile = await stamped(authorities.tsa.stamp(Buffer.from('another')))
    expect(otherFile.timeStamps[0]?.refusal?.details).to.include({ reason: 'imprint' })
  })

  describe('does not accept', () => {
    const container = (change: (parts: ZipPart[]) => ZipPart[]) => () =>
      zipOf(change([mediaType(ASIC_E), ...three.map(dataPart), ...cadesParts([one], three)]))
    const changed = (name: string, to: Partial<ZipPart>) =>
      container((parts) => parts.map((part) => (part.name === name ? { ...part, ...to } : part)))
    const hostile: readonly (readonly [name: string, found: string, make: () => Buffer])[] = [
      ['a file that was changed', 'fileChanged', changed('contract.txt', { content: 'changed' })],
      [
        'a file that is not there',
        'fileMissing',
        container((parts) => parts.filter(({ name }) => name !== 'contract.txt')),
      ],
      ['a file that no signature covers', 'notCovered', container((parts) => [...parts, dataPart(file('added.txt'))])],
      [
        'a manifest that names another digest',
        'fileChanged',
        () => {
          const own = manifest('META-INF/signature.p7s', [first], { digest: () => 'AAAA' })
          return zipOf([
            mediaType(ASIC_E),
            dataPart(first),
            { name: 'META-INF/ASiCManifest.xml', content: own },
            { name: 'META-INF/signature.p7s', content: one.signCms(own, { timeStamp: true, ocsp: true }) },
          ])
        },
      ],
      [
        'a signature without its manifest',
        'formWrong manifestMissing',
        container((parts) => parts.filter(({ name }) => !name.includes('ASiCManifest'))),
      ],
      [
        'a manifest without its signature',
        'fileMissing',
        container((parts) => parts.filter(({ name }) => !name.endsWith('.p7s'))),
      ],
      ['a manifest that is none', 'formWrong manifest', changed('META-INF/ASiCManifest0.xml', { content: '<a/>' })],
      [
        'a signature of two manifests',
        'formWrong severalManifests',
        container((parts) => [
          ...parts,
          { name: 'META-INF/ASiCManifest9.xml', content: manifest('META-INF/signature0.p7s', three) },
        ]),
      ],
      [
        'an XML signature that names a file that is not there',
        'fileMissing',
        () =>
          zipOf([
            mediaType(ASIC_E),
            dataPart(first),
            { name: 'META-INF/signatures0.xml', content: xadesFile(authorities, [one], three) },
          ]),
      ],
      [
        'an XML file without a signature',
        'signatureBroken xml',
        () => zipOf([mediaType(ASIC_E), dataPart(first), { name: 'META-INF/signatures0.xml', content: '<a/>' }]),
      ],
      [
        'a list of other files',
        'formWrong list',
        container((parts) => [...parts, { name: 'META-INF/manifest.xml', content: fileList(['other.txt']) }]),
      ],
      [
        'a media type that is not first',
        'formWrong mediaTypePlace',
        container(([type = mediaType(''), ...parts]) => [...parts, type]),
      ],
      ['a media type that is deflated', 'formWrong mediaTypePlace', changed('mimetype', { deflated: true })],
      ['another media type', 'formWrong mediaType', changed('mimetype', { content: 'application/zip' })],
      ['several files in ASiC-S', 'formWrong severalFiles', changed('mimetype', { content: ASIC_S })],
      [
        'a signed container inside of one that is not',
        'notCovered',
        () => zipOf([mediaType(ASIC_E), { name: 'signed.asice', content: asicE([one], three) }]),
      ],
      [
        'JSON signatures',
        'unsupported jades',
        container((parts) => [...parts, { name: 'META-INF/signature.json', content: '{}' }]),
      ],
      [
        'evidence records',
        'unsupported evidenceRecord',
        container((parts) => [...parts, { name: 'META-INF/evidencerecord.ers', content: 'x' }]),
      ],
      ['a ZIP that nobody signed', 'refused notSigned', () => zipOf([dataPart(first)])],
      [
        'names that are the same by case',
        'refused doubledName',
        container((parts) => [...parts, dataPart(file('CONTRACT.txt'))]),
      ],
      ['names that lead out', 'refused unsafeName', container((parts) => [...parts, dataPart(file('../a.txt'))])],
      ['encrypted files', 'refused encryptedEntry', changed('contract.txt', { flags: 1 })],
      ['other compression', 'refused compression', changed('contract.txt', { method: 12, deflated: false })],
      [
        'files with another name in front of them',
        'refused formChanged',
        changed('contract.txt', { says: { localName: 'contrast.txt' } }),
      ],
      ['files in the place of others', 'refused formChanged', changed('contract.txt', { says: { at: 0 } })],
      ['a file between the files', 'refused formChanged', changed('contract.txt', { before: Buffer.from('hidden') })],
      [
        'octets behind what was deflated',
        'refused contentBroken',
        changed('contract.txt', {
          ...{ content: Buffer.concat([deflateRawSync(first.content), Buffer.from('hidden')]), method: 8 },
          ...{ deflated: false, streamed: false, says: { crc: crc32(first.content), size: first.content.length } },
        }),
      ],
      ['another CRC-32', 'refused contentBroken', changed('contract.txt', { says: { crc: 1 } })],
      ['a larger content than is said', 'refused inflatesTooMuch', changed('contract.txt', { says: { size: 5 } })],
      ['a bomb', 'refused inflatesTooMuch', changed('contract.txt', { content: Buffer.alloc(20 * 1024 * 1024) })],
      ['something in front', 'refused notSigned', () => Buffer.concat([Buffer.from('x'), asicE([one], three)])],
      ['something behind', 'refused formChanged', () => Buffer.concat([asicE([one], three), Buffer.from('x')])],
    ]
    for (const [name, due, make] of hostile)
      it(name, async () => {
        try {
          const verdict = await verified(make())
          expect(verdict.outcome).to.not.equal('proved')
          expect(problems(verdict)).to.include(due)
        } catch (error) {
          if (!(error instanceof RegistryError)) throw error
          expect(`refused ${error.details?.reason}`).to.equal(due)
        }
      })
  })
})
