import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runProgram } from '../../support/run-program.js'

const GARBAGE = fileURLToPath(import.meta.resolve('../../support/promoted-garbage.js'))

describe('the heap of a host', () => {
  it('grows by half of what is alive before garbage is collected, and not by as much as there is memory', async () => {
    const most = async (how: string) => Number((await runProgram(process.execPath, [GARBAGE, how])).stdout)
    const [bounded, free] = [await most('bounded'), await most('as it comes')]
    // What is young comes to both, and Node 24 lets it grow to 64 MiB.
    expect(bounded).to.be.below(0.7 * free)
  })
})
