import { writeFileSync } from 'node:fs'
import { EXAMPLES_FILE, examples } from './openapi-examples.js'

// npm run generate: writes the examples of OpenAPI, recorded by `every-operation.ts`.
writeFileSync(EXAMPLES_FILE, `${JSON.stringify(await examples())}\n`)
