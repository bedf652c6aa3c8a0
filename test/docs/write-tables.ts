import { readFileSync, writeFileSync } from 'node:fs'
import { pathOf, TABLES } from './tables.js'

// npm run generate: writes the tables that are generated from the code.
for (const table of TABLES) writeFileSync(pathOf(table), table.within(readFileSync(pathOf(table), 'utf8')))
