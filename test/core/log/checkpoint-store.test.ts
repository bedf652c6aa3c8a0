import { expect } from 'chai'
import { CheckpointStore, type PublishedCheckpoint } from '#core/log/checkpoint-store.js'
import { forEachDatabase } from '../../support/databases.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const HOUR_MS = 60 * 60_000

describe('the checkpoint that proves an entry', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    beforeEach(async () => {
      test = await testRegistry(await open(), { log: 'off' })
    })
    afterEach(() => test.registry.close())

    const store = () => test.registry.get(CheckpointStore)
    /** Adds one for each of these hours, whose size is the hour; the hour is its note, too. */
    const add = async (from: number, to: number, isStamped = true) => {
      for (let hour = from; hour <= to; hour += 1) {
        const added = { log: 0, size: hour, note: `${hour}`, signedAt: hour * HOUR_MS }
        await store().add(added)
        const unstamped: PublishedCheckpoint = { ...added, stamp: undefined, stampedAt: undefined }
        if (isStamped) await store().stamp(unstamped, Buffer.from('token'), hour * HOUR_MS)
      }
    }
    /** The size of the one that proves an entry, and those that were looked at, where some are not enough. */
    const covering = async (index: number, isEnough: (hour: number) => boolean) => {
      const looked: number[] = []
      const found = await store().covering(0, index, (note) => {
        looked.push(Number(note))
        return isEnough(Number(note))
      })
      return { size: found?.size, looked }
    }

    it('is the first stamped one that covers it and is enough', async () => {
      await add(1, 2, false)
      await add(3, 9)
      expect(await covering(0, () => true)).to.deep.equal({ size: 3, looked: [3] })
      expect(await covering(4, () => true)).to.deep.equal({ size: 5, looked: [5] })
      expect(await covering(4, (hour) => hour > 6)).to.deep.equal({ size: 7, looked: [5, 6, 7] })
    })

    it('is the first stamped one where none is enough, and the first where none is stamped', async () => {
      await add(1, 2, false)
      expect((await covering(0, () => false)).size).to.equal(1)
      await add(3, 5)
      expect((await covering(0, () => false)).size).to.equal(3)
      expect((await covering(5, () => true)).size).to.equal(undefined)
    })

    it('is looked for in few of them, and stays the same when others follow', async () => {
      await add(1, 400)
      const isEnough = (hour: number) => hour > 150
      const { size, looked } = await covering(0, isEnough)
      expect(looked).to.deep.equal([1, 2, 3, 5, 9, 17, 33, 65, 129, 257])
      expect(size).to.equal(257)
      await add(401, 600)
      expect(await covering(0, isEnough)).to.deep.equal({ size, looked })
    })
  })
})
