import type { RootHookObject } from 'mocha'
import { closeDatabases } from './databases.js'
import { killHostProcesses } from './host-process.js'
import { mariaDbProgram } from './mariadb.js'

/** What a whole run needs around it: says what it will skip, and stops what it started. */
export const mochaHooks: RootHookObject = {
  beforeAll() {
    if (mariaDbProgram === undefined && process.env.REQUIRE_MYSQL !== '1')
      console.log(
        '  mariadbd is not installed: every suite "on MariaDB" is skipped (REQUIRE_MYSQL=1 makes that a failure)',
      )
  },
  async afterAll() {
    killHostProcesses()
    await closeDatabases()
  },
}
