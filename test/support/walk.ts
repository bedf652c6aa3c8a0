import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Production sources, except the verifier, which is measured separately, and development stand-ins. */
const OWN = /^(core\/registry|host|plugins\/(?!dev-authorities\/)[^/]+)\/dist\//

/** Our source files in which any function runs during `work` and the tasks that it starts. */
export async function filesEntered(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    await work()
    for (let turns = 0; turns < 20; turns++) await turn()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(
        ({ url, functions }) =>
          url.startsWith('file:') && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
      )
      .map(({ url }) => relative(root, fileURLToPath(url)))
      .filter((file) => OWN.test(file))
      .map((file) => file.replace('/dist/', '/src/').replace(/\.js$/, '.ts'))
      .sort()
  } finally {
    session.disconnect()
  }
}
