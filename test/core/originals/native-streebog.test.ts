import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { streebog256, streebog512, useNativeStreebog } from '@signed-registry/verifier/gost-hashes'
import { expect } from 'chai'
import { loadNativeStreebog } from '#core/originals/native-streebog.js'
import { runProgramSync } from '../../support/run-program.js'

const COMPILE = fileURLToPath(new URL('../../../core/registry/native/compile.mjs', import.meta.url))
const canCompile =
  spawnSync('cc', ['--version']).status === 0 &&
  existsSync(join(dirname(process.execPath), '../include/node/node_api.h'))

/** Octets cut anywhere, and their two hashes. */
function hashes(pieces: readonly Uint8Array[]): string[] {
  return [streebog512(), streebog256()].map((hasher) => {
    for (const piece of pieces) hasher.update(piece)
    return Buffer.from(hasher.digest()).toString('hex')
  })
}

describe('Streebog in native code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-native-'))
  const library = join(folder, 'streebog.node')
  afterEach(() => void useNativeStreebog(undefined))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is not used where it was not compiled', () => {
    expect(loadNativeStreebog(join(folder, 'missing.node'))).to.equal(false)
  })

  it('is not used where it is for another machine', () => {
    const other = join(folder, 'other.node')
    writeFileSync(other, 'no library')
    expect(loadNativeStreebog(other)).to.equal(false)
  })

  it('is not used where it computes something else', () => {
    const pieces = [randomBytes(1000)]
    const right = hashes(pieces)
    expect(useNativeStreebog(() => undefined)).to.equal(false)
    expect(hashes(pieces)).to.deep.equal(right)
  })

  describe('compiled', () => {
    before(function () {
      if (!canCompile) this.skip()
      const { status, stderr } = runProgramSync(process.execPath, [COMPILE, library])
      expect(status, stderr).to.equal(0)
      // A processor without AVX-512 and GFNI stays with WebAssembly.
      if (!loadNativeStreebog(library)) this.skip()
    })

    it('gives the same hashes, however the octets come', () => {
      const pieces = Array.from({ length: 200 }, () =>
        Array.from({ length: randomInt(5) }, () => randomBytes(randomInt(300))),
      )
      const right = pieces.map(hashes)
      expect(loadNativeStreebog(library)).to.equal(true)
      for (const [at, one] of pieces.entries()) {
        expect(hashes(one), one.map((piece) => piece.toString('hex')).join(' ')).to.deep.equal(right[at])
      }
    })

    it('carries through all words of the sum of blocks, and reads shared memory', () => {
      const shared = new Uint8Array(new SharedArrayBuffer(64 * 50)).fill(0xff)
      const right = hashes([shared])
      loadNativeStreebog(library)
      expect(hashes([shared])).to.deep.equal(right)
    })

    it('refuses what is no state, no tables or no whole block', () => {
      const { absorb } = createRequire(import.meta.url)(library)
      const [tables, state, block] = [new Uint8Array(2112), new Uint8Array(192), new Uint8Array(64)]
      absorb(tables, state, block)
      for (const wrong of [
        [tables.subarray(1), state, block],
        [tables, state.subarray(1), block],
        [tables, state, block.subarray(1)],
      ]) {
        expect(() => absorb(...wrong)).to.throw(RangeError)
      }
      for (const wrong of [[], [tables, state], [tables, state, 'text'], [tables, state, new Uint16Array(64)]]) {
        expect(() => absorb(...wrong)).to.throw(TypeError)
      }
    })
  })
})
