import { type Caller, CardBuilder, provideValue, type Registry, type Upload } from '@signed-registry/core'

import { CheckPdfForDdc } from '@signed-registry/core/cards'
import { expect } from 'chai'
import { openDatabase } from '#core/database/open.js'
import { personCaller, registryWithoutAuthorities } from '../../support/core-registry.js'
import { rejectionOf } from '../../support/refusal.js'
import { until } from '../../support/until.js'

const MIB = 2 ** 20
const stranger = (last: number): Caller => ({ kind: 'anonymous', address: `192.0.2.${last}` })

/** Samples that are drawn on demand, by the sizes of their PDFs. */
class HeldBuilder {
  readonly drawing: { readonly size: number; draw(): void }[] = []

  sample(pdf: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve) => this.drawing.push({ size: pdf.length, draw: () => resolve(Buffer.from('%PDF')) }))
  }

  /** Waits until the sample of a PDF of so many bytes is being drawn. */
  async draws(size: number): Promise<void> {
    await until(async () => this.drawing.some((one) => one.size === size))
  }

  /** Finishes all samples that are being drawn. */
  drawAll(): void {
    for (const { draw } of this.drawing.splice(0)) draw()
  }
}

/** An upload that records whether it was read, and asked to hurry before. */
function watched(size: number): Upload & { isRead(): boolean } {
  let isRead = false
  let hurries = false
  async function* stream() {
    isRead = hurries
    yield Buffer.alloc(size)
  }
  const hurry = () => {
    hurries = true
  }
  return { size, stream: Object.assign(stream(), { hurry }), isRead: () => isRead }
}

describe('the shares of callers in work on cards', () => {
  let registry: Registry
  let builder: HeldBuilder
  const check = (caller: Caller, upload: Upload) => registry.get(CheckPdfForDdc).execute(caller, { upload })

  beforeEach(async () => {
    builder = new HeldBuilder()
    const held = {
      sample: (pdf: Uint8Array) => builder.sample(pdf),
      build: () => Promise.reject(new Error()),
      codes: async () => [],
    }
    const plugin = { name: 'held-cards', provides: [provideValue(CardBuilder, held)] }
    registry = await registryWithoutAuthorities(openDatabase('sqlite::memory:'), {}, [plugin])
  })
  afterEach(() => registry.close())

  it('reserve a worker for authenticated callers, however many anonymous ones ask', async () => {
    const strangers = [1, 2, 3, 1, 1].map((last) => check(stranger(last), watched(10)))
    const known = check(personCaller(), watched(11))
    await builder.draws(11)
    expect(builder.drawing.map(({ size }) => size)).to.deep.equal([10, 11])
    let isOver = false
    const all = Promise.all([known, ...strangers]).then(() => {
      isOver = true
    })
    await until(async () => {
      builder.drawAll()
      return isOver
    })
    await all
  })

  it('let nothing be read before there is memory for it', async () => {
    const [first, second] = [watched(20 * MIB), watched(20 * MIB)]
    const answers = [check(stranger(1), first), check(stranger(1), second)]
    await builder.draws(20 * MIB)
    const known = check(personCaller(), watched(10 * MIB))
    await builder.draws(10 * MIB)
    expect(second.isRead()).to.equal(false)
    builder.drawAll()
    await Promise.all([answers[0], known])
    await builder.draws(20 * MIB)
    expect(second.isRead()).to.equal(true)
    builder.drawAll()
    await answers[1]
  })

  it('refuse what is too large for a card without reading it', async () => {
    const large = watched(51 * MIB)
    expect((await rejectionOf(check(stranger(1), large))).code).to.equal('bodyTooLarge')
    expect(large.isRead()).to.equal(false)
  })
})
