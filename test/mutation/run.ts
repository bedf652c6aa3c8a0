import { cmsVectors, pathVectors, stampVectors, xmlVectors } from './corpora.js'
import { judgeVector, newTally } from './judge.js'

/** Every mutant of every accepted vector; minutes. `node dist-test/mutation/run.js [cms|paths|stamps|xml]` */
const corpora = { cms: cmsVectors, stamps: stampVectors, xml: xmlVectors, paths: pathVectors }

let failed = false
for (const [name, vectors] of Object.entries(corpora)) {
  if (process.argv[2] !== undefined && process.argv[2] !== name) continue
  const tally = newTally()
  for (const vector of vectors()) judgeVector(vector, tally)
  const { refused, same, other, crashes } = tally
  console.log(
    `${name}: ${refused} refused, ${same} of the same meaning, ${other.length} of another, ${crashes.length} crashes`,
  )
  for (const line of [...other, ...crashes].slice(0, 50)) console.log(`    ${line}`)
  failed ||= other.length + crashes.length > 0
}
process.exit(failed ? 1 : 0)
