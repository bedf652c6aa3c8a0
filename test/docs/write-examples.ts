import { writeFileSync } from 'node:fs'
import { EXAMPLES_FILE, examples } from './openapi-examples.js'

// npm run generate: writes what a journey said and was answered as the examples of OpenAPI.
writeFileSync(EXAMPLES_FILE, `${JSON.stringify(await examples())}\n`)
