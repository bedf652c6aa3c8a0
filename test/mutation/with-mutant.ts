import { register } from 'node:module'
import { addressOf, type CodeMutant } from './code-mutants.js'

/** For `node --import`: runs the program with the mutant of `MUTANT` in it; its threads and processes have it too. */
const mutant: CodeMutant = JSON.parse(process.env.MUTANT ?? '')
register('./mutant-loader.js', import.meta.url, { data: mutant })
// mocha requires tests, which comes past hooks; the module is there by then.
await import(addressOf(mutant.file))
